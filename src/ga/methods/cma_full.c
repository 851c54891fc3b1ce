/* The shape of CMA-ES as a whole matrix (Hansen and Ostermeier 2001): it learns which coordinates change
 * together. Its eigenvectors are computed when it has changed enough, at a cost that grows with the cube
 * of the number of coordinates. */
#include "cma.h"

#include <gsl/gsl_eigen.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct full {
    double *covariance;     /* n x n */
    double *axes, *lengths; /* its eigenvectors by column, the square roots of its eigenvalues */
    double *decomposed;     /* scratch: n x n */
    double *turned;         /* scratch: a vector */
    gsl_eigen_symmv_workspace workspace;
    double memory[]; /* all of these; GSL's own functions would end the program without memory */
};

static double speed(int n)
{
    (void)n;
    return 1;
}

static bool create(struct cma *t)
{
    size_t n = (size_t)t->n, square = n * n;
    struct full *f = t->form = calloc(1, sizeof *f + (6 * n + 3 * square) * sizeof(double));
    if (f == NULL)
        return false;
    f->workspace = (gsl_eigen_symmv_workspace){.size = n};
    f->covariance = f->memory;
    f->axes = f->covariance + square;
    f->decomposed = f->axes + square;
    f->lengths = f->decomposed + square;
    f->turned = f->lengths + n;
    f->workspace.d = f->turned + n;
    f->workspace.sd = f->workspace.d + n;
    f->workspace.gc = f->workspace.sd + n;
    f->workspace.gs = f->workspace.gc + n;
    for (size_t i = 0; i < n; i++) {
        f->covariance[i * n + i] = f->axes[i * n + i] = 1;
        f->lengths[i] = 1;
    }
    return true;
}

static void destroy(struct cma *t)
{
    free(t->form);
}

/* Returns the coordinate of v along axis k. */
static double along(const struct full *f, int n, const double *v, int k)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += f->axes[i * n + k] * v[i];
    return sum;
}

/* Writes the vector that has the coordinates `turned` along the axes. */
static void turn_back(const struct full *f, int n, double *out)
{
    for (int i = 0; i < n; i++) {
        out[i] = 0;
        for (int k = 0; k < n; k++)
            out[i] += f->axes[i * n + k] * f->turned[k];
    }
}

static void whiten(const struct cma *t, const double *v, double *out)
{
    const struct full *f = t->form;
    for (int k = 0; k < t->n; k++)
        f->turned[k] = along(f, t->n, v, k) / f->lengths[k];
    turn_back(f, t->n, out);
}

/* For independent normal numbers v: C^(1/2) but for a rotation, which does not change their
 * distribution. */
static void colour(const struct cma *t, const double *v, double *out)
{
    const struct full *f = t->form;
    for (int k = 0; k < t->n; k++)
        f->turned[k] = f->lengths[k] * v[k];
    turn_back(f, t->n, out);
}

static void scale(struct cma *t, double factor)
{
    struct full *f = t->form;
    for (int i = 0; i < t->n * t->n; i++)
        f->covariance[i] *= factor;
}

static void add(struct cma *t, double weight, const double *v)
{
    struct full *f = t->form;
    for (int i = 0; i < t->n; i++)
        for (int j = 0; j < t->n; j++)
            f->covariance[i * t->n + j] += weight * v[i] * v[j];
}

/* Correlations stay as they are. */
static void stretch(struct cma *t, int i, double factor)
{
    struct full *f = t->form;
    for (int j = 0; j < t->n; j++) {
        f->covariance[i * t->n + j] *= factor;
        f->covariance[j * t->n + i] *= factor;
    }
}

static double variance(const struct cma *t, int i)
{
    const struct full *f = t->form;
    return f->covariance[i * t->n + i];
}

/* Computes the axes and their lengths, unless the matrix has hardly changed since (Hansen 2016). */
static void settle(struct cma *t, int generation)
{
    struct full *f = t->form;
    size_t n = (size_t)t->n;
    int fresh = (int)fmax(1, 0.1 / (t->n * (t->c_1 + t->c_mu)));
    if (generation % fresh != 0)
        return;
    memcpy(f->decomposed, f->covariance, n * n * sizeof *f->covariance);
    gsl_vector_view values = gsl_vector_view_array(f->lengths, n);
    gsl_matrix_view vectors = gsl_matrix_view_array(f->axes, n, n);
    gsl_matrix_view matrix = gsl_matrix_view_array(f->decomposed, n, n);
    gsl_eigen_symmv(&matrix.matrix, &values.vector, &vectors.matrix, &f->workspace);
    for (size_t i = 0; i < n; i++)
        f->lengths[i] = sqrt(fmax(f->lengths[i], 1e-14));
}

const struct cma_shape cma_full = {.speed = speed,
                                   .create = create,
                                   .destroy = destroy,
                                   .whiten = whiten,
                                   .colour = colour,
                                   .scale = scale,
                                   .add = add,
                                   .stretch = stretch,
                                   .variance = variance,
                                   .settle = settle};
