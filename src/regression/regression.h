/* Regression on compiled traces: gradient methods on the same terms and data, as a baseline for the genetic algorithm.
 *
 * A method gives each position a loss, which depends on the weights through the leaves that decide the values of the
 * position or of its moves. The traces of these leaves, selected again at every step, are the derivatives. Adam (Kingma
 * and Ba 2015), on all positions or on batches of them, with projection onto the table's ranges, minimises the mean
 * loss over the weights and over the scale that turns centipawns into probabilities. Constants stay fixed. The final
 * weights are rounded to the table's steps.
 *
 * A set has any number of weights N (compiled.h). Rows of weights have N values. A point has N + 1 coordinates: the
 * weights, then minus the logarithm of the scale in centipawns, or in whatever unit the evaluation has.
 *
 * Sums run in a fixed order, so results do not depend on threads. They are floating-point numbers and repeat for the
 * same binary only. */
#ifndef GRAYLING_REGRESSION_H
#define GRAYLING_REGRESSION_H

#include "compiled.h"

#include <signal.h>

/* Whether a fit leaves a weight as it is. */
static inline bool regression_constant(const struct param *p)
{
    return p->bits == 0 || p->min == p->max;
}

/* Returns the number of coordinates, N + 1. */
static inline int regression_coordinates(const struct compiled_set *set)
{
    return set->table.count + 1;
}

/* A regression method. */
struct regression_method {
    const char *name;
    const char *loss;   /* describes the loss: "squared error of the result" */
    const char *scale;  /* name of the scale: "K" */
    enum epd_need need; /* what each position must have */
    double first_scale; /* initial scale for the initial weights, in centipawns. For other weights,
                           or if 0, the scale is fitted to the weights first. */
    /* The loss is a negative log-likelihood, whose derivatives tell its curvature. */
    bool likelihood;
    /* The part of the score in what is predicted, 0 to 1, at a scale (regression_mix). */
    double score_share, score_scale;
    bool needs_scale; /* a lower scale always looks better, so the caller gives one */
    int steps;        /* enough steps from the initial weights */
    bool values;      /* it needs sets of values (compiled.h), else of moves */
    /* Adds the loss of position i to `*loss`, and its gradient to by[coordinates] (may be NULL). */
    void (*add)(const struct regression_method *method, const struct compiled_set *set, size_t i,
                const double *x, double *loss, double *by);
    /* False, with the reason, if the set has nothing to learn. NULL: always true. */
    bool (*check)(const struct compiled_set *set, struct error *err);
};

/* Lets a method of results predict a mean of the result and of what the score (ce) promises, at the scale with which
 * scores predict these results best: `share` of the score, 0 to 1. All positions have both. */
void regression_mix(struct regression_method *method, const struct epd *positions, size_t count,
                    double share);

/* All methods; NULL-terminated. The first is that of a user who names none. */
extern const struct regression_method *const regression_methods[];

/* Of the moves played: their likelihood, and those missed (softmax.c). */
extern const struct regression_method softmax_method, softmax_misses_method;
/* Of the results of games: the squared error, and the cross-entropy (texel.c). */
extern const struct regression_method texel_method, texel_entropy_method;

struct regression_settings {
    const struct regression_method *method;
    const int32_t *start; /* N weights, borrowed */
    /* N rows: the ranges and steps to keep to, and the constants; borrowed. NULL: those of the set. */
    const struct param_table *table;
    double scale; /* fixed, in centipawns; 0: fitted with the weights */
    /* Standard deviation of a normal prior around the initial values, in units of weights. 0: none. */
    double prior;
    int steps; /* 0 leaves the weights unchanged, also where they are between the table's steps */
    int batch; /* positions a step, rounded up to blocks of 256; 0: all of them */
    uint64_t seed; /* of the order of the batches */
    int threads;
};

/* Follows a fit. Every member may be NULL. */
struct regression_watcher {
    void *context;
    void (*step)(void *context, int done, int total, double loss);
    const volatile sig_atomic_t *stop; /* nonzero stops the fit soon */
};

struct regression_fit {
    double scale; /* for the weights found, centipawns */
    bool stopped; /* by the watcher; scale and weights are then unset */
};

/* Fits weights to a set that the method compiled, and writes them, rounded and in range, to
 * weights[N], perhaps settings->start. `watcher` may be NULL. False with the reason. */
bool regression_run(const struct compiled_set *set, const struct regression_settings *settings,
                    const struct regression_watcher *watcher, int32_t *weights,
                    struct regression_fit *fit, struct error *err);

/* Draws start weights uniformly from the ranges of a table. Constants have their initial values. */
void regression_random_start(const struct param_table *table, uint64_t seed, int32_t *weights);

/* The mean loss over a set and its standard error, by the sums of games (`c0`). */
struct regression_loss {
    double mean, error;
};

bool regression_measure(const struct compiled_set *set, const struct regression_method *method,
                        const int32_t *weights, double scale, int threads,
                        struct regression_loss *loss, struct error *err);

/* Writes the point of some weights at a scale, in centipawns: x[N + 1]. */
void regression_point(const struct compiled_set *set, const int32_t *weights, double scale,
                      double *x);

/* ---- pruning: which weights an evaluation needs (prune.c) ---- */

/* Writes the saliency of each weight, in units of the loss: how much that rises, to second order, if the
 * weight becomes 0 and no other changes (optimal brain damage; LeCun, Denker and Solla 1990): half its square
 * times its Fisher information. False, with the reason, without memory. */
bool prune_saliency(const struct compiled_set *set, const struct regression_method *method,
                    const int32_t *weights, double scale, int threads, double *saliency,
                    struct error *err);

/* Follows a pruning. */
struct prune_watcher {
    void *context;
    void (*pruned)(void *context, int left, int wanted); /* before each fit; may be NULL */
    struct regression_watcher fit;
};

/* True if no more than `keep` weights must stay, since their ranges exclude 0. Else how many do. */
bool prune_check(const struct param_table *table, int keep, struct error *err);

/* Removes the weights that cost least, a part at a time, until at most `keep` are left that are no
 * constants, lets the others make up for them, and fits the rest after each part. Needs memory for the
 * square of those. `rows` are those of settings->table, the caller's own: removed weights become
 * constants of 0. `weights` are those of an earlier fit at fit->scale, and then the result. */
bool prune_run(const struct compiled_set *set, const struct regression_settings *settings,
               struct param *rows, int keep, const struct prune_watcher *watcher, int32_t *weights,
               struct regression_fit *fit, struct error *err);

#endif
