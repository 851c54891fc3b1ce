#include "ratio.h"

#include "stream.h"

#include <math.h>
#include <stdlib.h>

enum { RESAMPLES = 2000, TAIL = RESAMPLES / 40 };

static double mean_of(const double *values, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += values[i];
    return sum / (double)count;
}

/* The mean of as many values as there are, drawn with replacement. */
static double resampled_mean(struct stream *s, const double *values, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += values[stream_below(s, count)];
    return sum / (double)count;
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

struct ratio ratio_of_logs(const double *logs, size_t count)
{
    double means[RESAMPLES];
    struct stream s;
    if (count == 0)
        return (struct ratio){0, 0, 0};
    stream_init(&s, 1, STREAM_RESAMPLE, 0, 0);
    for (int i = 0; i < RESAMPLES; i++)
        means[i] = resampled_mean(&s, logs, count);
    qsort(means, RESAMPLES, sizeof *means, ascending);
    return (struct ratio){exp(mean_of(logs, count)), exp(means[TAIL]),
                          exp(means[RESAMPLES - 1 - TAIL])};
}
