#include "comparisons.h"

#include "stream.h"

#include <math.h>
#include <stdlib.h>

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

struct ratio ratio_of_logs(const double *logs, size_t count)
{
    enum { RESAMPLES = 2000, TAIL = RESAMPLES / 40 };
    double means[RESAMPLES], sum = 0;
    struct stream s;
    if (count == 0)
        return (struct ratio){0, 0, 0};
    stream_init(&s, 1, STREAM_RESAMPLE, 0, 0);
    for (int i = 0; i < RESAMPLES; i++) {
        double drawn = 0;
        for (size_t j = 0; j < count; j++)
            drawn += logs[stream_below(&s, count)];
        means[i] = drawn / (double)count;
    }
    qsort(means, RESAMPLES, sizeof *means, ascending);
    for (size_t i = 0; i < count; i++)
        sum += logs[i];
    return (struct ratio){exp(sum / (double)count), exp(means[TAIL]),
                          exp(means[RESAMPLES - 1 - TAIL])};
}

const char *verdict_held(int held, int of)
{
    return held == of ? "Holds" : held > 0 ? "Holds only in part" : "Does not hold";
}

const char *verdict_below(const double *ours, const double *controls, int count)
{
    double highest = ours[0], lowest = controls[0], difference = 0;
    for (int i = 0; i < count; i++) {
        highest = fmax(highest, ours[i]);
        lowest = fmin(lowest, controls[i]);
        difference += ours[i] - controls[i];
    }
    return verdict_held((highest < lowest) + (difference < 0), 2);
}

const char *verdict_within(double mean, double standard_error, double low, double high,
                           double control)
{
    if (mean < low || mean > high)
        return "Does not hold";
    return fabs(mean - control) > 2 * standard_error ? "Holds" : "Not shown";
}

bool spread_is_above(struct spread ours, struct spread controls, int count)
{
    double variance = ours.deviation * ours.deviation + controls.deviation * controls.deviation;
    return ours.mean - controls.mean > 2 * sqrt(variance / count);
}
