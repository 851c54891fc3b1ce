#include "interval.h"

#include <assert.h>
#include <gsl/gsl_cdf.h>
#include <math.h>

struct interval interval_wilson(int64_t hits, int64_t total, double confidence)
{
    assert(0 <= hits && hits <= total && confidence > 0 && confidence < 1);
    if (total == 0)
        return (struct interval){0, 0, 1};
    double n = (double)total;
    double p = (double)hits / n;
    double z = gsl_cdf_ugaussian_Qinv((1 - confidence) / 2);
    double shrink = 1 + z * z / n;
    double centre = (p + z * z / (2 * n)) / shrink;
    double half = z / shrink * sqrt(p * (1 - p) / n + z * z / (4 * n * n));
    return (struct interval){p, hits == 0 ? 0 : centre - half, hits == total ? 1 : centre + half};
}
