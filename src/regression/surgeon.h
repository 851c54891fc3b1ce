/* The weights whose removal costs least, if the others make up for it: the optimal brain surgeon (Hassibi
 * and Stork 1993).
 *
 * At a fit, the loss rises by d'Hd / 2 where the weights change by d. If weight q becomes 0 and the others
 * change for the best, that is w_q^2 / (2 C_qq), where C is the inverse of H; and they change by
 * -w_q / C_qq times column q of C. H is the Fisher information, the mean over positions of the products of
 * the derivatives, plus what a prior adds to its diagonal. With the diagonal of H alone, which is optimal
 * brain damage, no weight can stand for another. */
#ifndef GRAYLING_SURGEON_H
#define GRAYLING_SURGEON_H

#include "regression.h"

/* Whether a weight must stay, because it cannot be 0. */
static inline bool surgeon_must_stay(const struct param *row)
{
    return !regression_constant(row) && (row->min > 0 || row->max < 0);
}

/* What it keeps between removals. */
struct surgeon {
    int left;        /* weights that are left */
    int *weight;     /* their indices */
    double *value;   /* and their values */
    bool *stays;     /* and which of them must stay */
    double *inverse; /* C, left x left; rows begin `stride` apart */
    int stride;
};

/* Begins with the weights that `rows` do not make constants, at a fit. False, with the reason, if memory is
 * short. */
bool surgeon_begin(struct surgeon *s, const struct compiled_set *set,
                   const struct regression_settings *settings, const struct param *rows,
                   const int32_t *weights, double scale, struct error *err);
void surgeon_finish(struct surgeon *s);

/* Removes the weight that costs least, changes the others, and returns its index. One that need not stay
 * must be left. */
int surgeon_remove(struct surgeon *s);

#endif
