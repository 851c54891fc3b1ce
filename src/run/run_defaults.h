/* What a run's best organism is compared with: of another engine the defaults of its space, of our own
 * parameters the values that our engine plays with by itself. A run measures them once, after generation 0
 * or when it is resumed, and keeps them with what the comparison shows (run_summary.h): on held-out
 * positions, since the others have chosen the best. They are no organism unless the population has them.
 *
 * Runs whose organisms play each other have none: games against their start tell what they gained. */
#ifndef GRAYLING_RUN_DEFAULTS_H
#define GRAYLING_RUN_DEFAULTS_H

#include "run_work.h"

/* The defaults, and the fitness that measures them: that of the run, or one on the same data where our
 * engine's values are of another kind than the run's. */
struct run_rival {
    struct fitness *fitness;
    int32_t *values; /* owned */
    bool apart;      /* the fitness is owned */
};

/* Opens the rival of a recipe's fitness. `own` NULL: defaults of our own parameters are those of the space.
 * False with the reason. Call run_rival_close even then. */
bool run_rival_open(struct run_rival *rival, struct fitness *fitness, const struct recipe *recipe,
                    run_own_values *own, struct error *err);
void run_rival_close(struct run_rival *rival);

/* Prepares a run for the comparison, before anything is measured. */
bool run_defaults_begin(struct run *r, struct error *err);

/* Measures and keeps the defaults, and compares them with the best organism of the run so far, where that
 * is not done yet. The current generation is measured and kept. */
enum run_end run_defaults_compare(struct run *r, struct error *err);

#endif
