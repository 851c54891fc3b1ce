/* CMA-ES: what its two forms have in common, and what they do not.
 *
 *     cma_es.c          the strategy: mean, paths, step size
 *     cma_full.c        the shape of the distribution as a whole covariance matrix
 *     cma_separable.c   and as its diagonal alone
 *
 * The strategy draws from a normal distribution with a covariance matrix sigma^2 C. The shape is C. */
#ifndef GRAYLING_CMA_H
#define GRAYLING_CMA_H

#include "box.h"
#include "operators.h"

#include <stdbool.h>

struct cma;

/* A form of the matrix C. Vectors have `n` numbers. */
struct cma_shape {
    /* How much faster C may learn than a whole matrix of n x n. */
    double (*speed)(int n);
    /* Allocates C, which begins as the identity. False without memory; destroy what there is then too. */
    bool (*create)(struct cma *t);
    void (*destroy)(struct cma *t);
    /* Writes C^(-1/2) v, and C^(1/2) v. `out` is not v. Both use C as it was last settled. */
    void (*whiten)(const struct cma *t, const double *v, double *out);
    void (*colour)(const struct cma *t, const double *v, double *out);
    void (*scale)(struct cma *t, double factor);                /* C = factor C */
    void (*add)(struct cma *t, double weight, const double *v); /* C = C + weight v v' */
    void (*stretch)(struct cma *t, int i, double factor);       /* coordinate i by a factor */
    double (*variance)(const struct cma *t, int i);             /* C_ii */
    void (*settle)(struct cma *t, int generation);              /* C has changed */
};

extern const struct cma_shape cma_full, cma_separable;

struct cma {
    const struct cma_shape *shape;
    void *form; /* of the shape */
    struct box box;
    int n, mu;
    double *weights; /* of the better half, best first; they sum to 1 */
    double mu_eff, c_sigma, d_sigma, c_c, c_1, c_mu, chi;
    double sigma;
    double *mean, *path_sigma, *path_c;
    double *points;         /* the organisms before reflection, a row each */
    double *shift, *turned; /* scratch: a vector each */
    double *memory;         /* the block that holds all of these */
    struct rank *ranking;   /* scratch */
};

#endif
