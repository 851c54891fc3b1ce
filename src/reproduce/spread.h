/* Mean and standard deviation of a few runs, for reports. */
#ifndef GRAYLING_SPREAD_H
#define GRAYLING_SPREAD_H

#include <math.h>

struct spread {
    double mean, deviation; /* the sample's: 0 for a single value */
};

static inline struct spread spread_of(const double *values, int count)
{
    struct spread s = {0, 0};
    for (int i = 0; i < count; i++)
        s.mean += values[i] / count;
    for (int i = 0; i < count; i++)
        s.deviation += (values[i] - s.mean) * (values[i] - s.mean);
    s.deviation = count > 1 ? sqrt(s.deviation / (count - 1)) : 0;
    return s;
}

#endif
