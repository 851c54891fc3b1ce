#include "interval.h"

#include <assert.h>
#include <gsl/gsl_cdf.h>
#include <math.h>

/* Returns the interval of the share p observed in n trials. */
static struct interval wilson(double p, double n, double confidence)
{
    double z = gsl_cdf_ugaussian_Qinv((1 - confidence) / 2);
    double shrink = 1 + z * z / n;
    double centre = (p + z * z / (2 * n)) / shrink;
    double half = z / shrink * sqrt(p * (1 - p) / n + z * z / (4 * n * n));
    return (struct interval){p, p <= 0 ? 0 : centre - half, p >= 1 ? 1 : centre + half};
}

struct interval interval_wilson(int64_t hits, int64_t total, double confidence)
{
    assert(0 <= hits && hits <= total && confidence > 0 && confidence < 1);
    if (total == 0)
        return (struct interval){0, 0, 1};
    return wilson((double)hits / (double)total, (double)total, confidence);
}

struct interval interval_points(int64_t half_points, int64_t games, double confidence)
{
    assert(0 <= half_points && half_points <= 2 * games && confidence > 0 && confidence < 1);
    if (games == 0)
        return (struct interval){0, 0, 1};
    return wilson((double)half_points / (2 * (double)games), (double)games, confidence);
}
