/* Which weights an evaluation needs. The weights whose removal costs least go, a part at a time, while the
 * others make up for them (surgeon.h), and the rest is fitted again after each part. */
#ifndef GRAYLING_PRUNE_H
#define GRAYLING_PRUNE_H

#include "regression.h"

/* Writes the saliency of each of the N weights, in units of the loss, at `weights` and the scale: how much
 * the loss rises, to second order, if the weight becomes 0 and no other changes (optimal brain damage; LeCun,
 * Denker and Solla 1990), half the weight's square times its Fisher information, the mean over positions
 * of the squared derivative. False, with the reason, if memory is short. */
bool prune_saliency(const struct compiled_set *set, const struct regression_method *method,
                    const int32_t *weights, double scale, int threads, double *saliency,
                    struct error *err);

/* Follows a pruning. */
struct prune_watcher {
    void *context;
    void (*pruned)(void *context, int left, int wanted); /* before each fit */
    struct regression_watcher fit;
};

/* True if no more than `keep` weights must stay. A weight whose range excludes 0 is never removed, because
 * what is removed is 0. Else false, with how many must stay and the first of them. */
bool prune_check(const struct param_table *table, int keep, struct error *err);

/* Removes weights until at most `keep` are left that are no constants, and fits the rest after each part
 * with settings->steps steps. Needs memory for the square of the weights that are left. `rows` are the N
 * rows of settings->table, the caller's own: removed weights become constants of 0. `weights` are those of
 * an earlier fit at fit->scale, and then the result; `fit` is the last fit. False with the reason, which may
 * be that of prune_check. */
bool prune_run(const struct compiled_set *set, const struct regression_settings *settings,
               struct param *rows, int keep, const struct prune_watcher *watcher, int32_t *weights,
               struct regression_fit *fit, struct error *err);

#endif
