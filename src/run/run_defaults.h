/* The defaults of another engine's space, measured as its organisms are: what a run's best organism is
 * compared with. A run measures them once, after generation 0 or when it is resumed, and keeps them
 * (defaults_kept.h). They are no organism unless the population has them.
 *
 * Runs of our own parameters have none: they begin at random, and their defaults are an outcome of
 * earlier runs. Neither have runs whose organisms play each other. */
#ifndef GRAYLING_RUN_DEFAULTS_H
#define GRAYLING_RUN_DEFAULTS_H

#include "run_work.h"

/* Writes the defaults of a space as the organism that has them: each gene at the step nearest to
 * its default. `chromosome` becomes the organism's. */
void run_defaults_write(const struct genome *genome, uint64_t *chromosome, int32_t *values);

/* Measures and keeps the defaults, if the run needs them and has not stored them yet. The current generation is
 * measured and kept. */
enum run_end run_defaults_measure(struct run *r, struct error *err);

#endif
