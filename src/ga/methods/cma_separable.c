/* The shape of CMA-ES as the diagonal of its matrix (Ros and Hansen 2008, "A simple modification in CMA-ES
 * achieving linear time and space complexity"): a spread for each coordinate. It does not learn which
 * coordinates change together. In return its cost is linear in their number, and it learns (n + 2) / 3
 * times as fast, having so many fewer numbers to learn. */
#include "cma.h"

#include <math.h>
#include <stdlib.h>

static double speed(int n)
{
    return (n + 2) / 3.0;
}

static bool create(struct cma *t)
{
    double *variances = t->form = calloc((size_t)t->n, sizeof *variances);
    for (int i = 0; variances != NULL && i < t->n; i++)
        variances[i] = 1;
    return variances != NULL;
}

static void destroy(struct cma *t)
{
    free(t->form);
}

static void whiten(const struct cma *t, const double *v, double *out)
{
    const double *variances = t->form;
    for (int i = 0; i < t->n; i++)
        out[i] = v[i] / sqrt(variances[i]);
}

static void colour(const struct cma *t, const double *v, double *out)
{
    const double *variances = t->form;
    for (int i = 0; i < t->n; i++)
        out[i] = v[i] * sqrt(variances[i]);
}

static void scale(struct cma *t, double factor)
{
    double *variances = t->form;
    for (int i = 0; i < t->n; i++)
        variances[i] *= factor;
}

static void add(struct cma *t, double weight, const double *v)
{
    double *variances = t->form;
    for (int i = 0; i < t->n; i++)
        variances[i] += weight * v[i] * v[i];
}

static void stretch(struct cma *t, int i, double factor)
{
    double *variances = t->form;
    variances[i] *= factor * factor;
}

static double variance(const struct cma *t, int i)
{
    const double *variances = t->form;
    return variances[i];
}

static void settle(struct cma *t, int generation)
{
    (void)t, (void)generation;
}

const struct cma_shape cma_separable = {.speed = speed,
                                        .create = create,
                                        .destroy = destroy,
                                        .whiten = whiten,
                                        .colour = colour,
                                        .scale = scale,
                                        .add = add,
                                        .stretch = stretch,
                                        .variance = variance,
                                        .settle = settle};
