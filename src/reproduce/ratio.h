/* How many times larger one method's tree is than another's, position by position: the geometric mean
 * of the ratios, with a confidence interval. A few positions that explode decide a ratio of totals,
 * but not this one. */
#ifndef GRAYLING_RATIO_H
#define GRAYLING_RATIO_H

#include <stddef.h>

struct ratio {
    double mean, low, high; /* 95 % */
};

/* The geometric mean of exp(logs[i]), with the percentile interval of a bootstrap (Efron 1979). The
 * draws are the same each time. Without logarithms, all is 0. */
struct ratio ratio_of_logs(const double *logs, size_t count);

#endif
