/* Regression on compiled traces: what gradient methods make of the same terms and the same data, as
 * a yardstick for the genetic algorithm.
 *
 * A method gives each position a loss. It depends on the weights through the leaves that decide the
 * position's value, or its moves' values; their traces are the derivatives, and as the weights move
 * the leaves are chosen anew. The mean loss is minimised over the weights, within the table's
 * ranges (>= 0, constants as they are), and over the scale that turns centipawns into
 * probabilities, by Adam (Kingma and Ba 2015) on the whole batch with projection onto the ranges.
 * The weights are then rounded.
 *
 * Sums run in a fixed order, so that results do not depend on threads. They are real numbers and
 * repeat for the same binary only.
 *
 * Positions whose counts do not fit a byte (compiled.h) have no loss and are left out. */
#ifndef GRAYLING_REGRESSION_H
#define GRAYLING_REGRESSION_H

#include "compiled.h"

#include <signal.h>

/* Where a regression stands: the weights, and after them minus the logarithm of the scale, which is
 * in centipawns. */
enum { REGRESSION_COORDINATES = EVAL_TERMS + 1 };

/* A loss and its gradient: of a position, or the mean of many. */
struct regression_gradient {
    double by[REGRESSION_COORDINATES];
    double loss;
};

/* A kind of regression: softmax.h, texel.h. */
struct regression_method {
    const char *name;
    const char *loss;   /* what the loss is: "squared error of the result" */
    const char *scale;  /* what the scale is called: "K" */
    enum epd_need need; /* of each position */
    double first_scale; /* where the scale starts beside the initial weights, in centipawns; beside
                           others, or where it is 0, it is fitted to them first */
    int steps;          /* that are enough from the initial weights */
    struct compiled_set *(*compile)(const struct epd *positions, size_t count, int threads,
                                    struct error *err);
    /* Adds position i's loss and its gradient at `x`; false where it is left out. */
    bool (*add)(const struct compiled_set *set, size_t i, const double x[REGRESSION_COORDINATES],
                struct regression_gradient *sum);
    /* Whether there is something to learn in the set; else the reason. NULL: always. */
    bool (*check)(const struct compiled_set *set, struct error *err);
};

/* All methods; NULL-terminated. */
extern const struct regression_method *const regression_methods[];

struct regression_settings {
    const struct regression_method *method;
    struct eval_weights start;
    double scale; /* kept as it is, in centipawns; 0: it is fitted with the weights */
    int steps;    /* full-batch steps; 0 leaves the weights as they are */
    int threads;
};

/* Who follows a fit; all may be NULL. */
struct regression_watcher {
    void *context;
    void (*step)(void *context, int done, int total, double loss);
    const volatile sig_atomic_t *stop; /* the fit ends soon after it is not 0 */
};

struct regression_fit {
    struct eval_weights weights; /* rounded, within the table's ranges */
    double scale;                /* for these weights, centipawns */
    bool stopped;                /* by the watcher; there is nothing else then */
};

/* Fits to a set that the method has compiled. `watcher` may be NULL. False, with the reason, where
 * there is nothing to learn, or no memory. */
bool regression_run(const struct compiled_set *set, const struct regression_settings *settings,
                    const struct regression_watcher *watcher, struct regression_fit *fit,
                    struct error *err);

/* Weights drawn uniformly from the table's ranges, for another start than the initial ones. */
struct eval_weights regression_random_start(uint64_t seed);

/* The mean loss over a set and its standard error. Positions of one game (`c0`) are not taken as
 * independent: the error is that of the games' sums. */
struct regression_loss {
    double mean, error;
    size_t positions, left_out;
};

bool regression_measure(const struct compiled_set *set, const struct regression_method *method,
                        const struct eval_weights *weights, double scale, int threads,
                        struct regression_loss *loss, struct error *err);

/* The mean loss of a set and its gradient at `x`, what is left out counting as no loss. */
bool regression_gradient(const struct compiled_set *set, const struct regression_method *method,
                         const double x[REGRESSION_COORDINATES], int threads,
                         struct regression_gradient *mean, struct error *err);

#endif
