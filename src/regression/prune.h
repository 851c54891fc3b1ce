/* Which weights an evaluation needs: optimal brain damage (LeCun, Denker and Solla 1990).
 *
 * At a fit, removing weight i, which makes it 0, raises the loss by about F_i * w_i^2 / 2. F_i is the
 * diagonal of the Fisher information: the mean over positions of the squared derivative by the weight.
 * The weights with the smallest of these saliencies go, a part at a time, and the rest is fitted again
 * after each part. */
#ifndef GRAYLING_PRUNE_H
#define GRAYLING_PRUNE_H

#include "regression.h"

/* Writes the saliency of each of the N weights, in units of the loss, at `weights` and the scale. False,
 * with the reason, if memory is short. */
bool prune_saliency(const struct compiled_set *set, const struct regression_method *method,
                    const int32_t *weights, double scale, int threads, double *saliency,
                    struct error *err);

/* Follows a pruning. */
struct prune_watcher {
    void *context;
    void (*pruned)(void *context, int left, int wanted); /* before each fit */
    struct regression_watcher fit;
};

/* Removes weights until at most `keep` are left that are no constants, and fits the rest after each part
 * with settings->steps steps. `rows` are the N rows of settings->table, the caller's own: removed
 * weights become constants of 0. `weights` are those of an earlier fit at fit->scale, and then the
 * result; `fit` is the last fit. False with the reason. */
bool prune_run(const struct compiled_set *set, const struct regression_settings *settings,
               struct param *rows, int keep, const struct prune_watcher *watcher, int32_t *weights,
               struct regression_fit *fit, struct error *err);

#endif
