/* The runs behind the tables of david-2014: ten of phase 1, the coevolution of their winners, and
 * the search. Each is kept in the experiment's directory of runs and resumed if it exists.
 * Functions return false with an error, or without one if stopped. */
#ifndef GRAYLING_DAVID_2014_RUNS_H
#define GRAYLING_DAVID_2014_RUNS_H

#include "experiment.h"

enum { PHASE_1_RUNS = 10 };

/* The number of runs of phase 1 at the experiment's size, at most PHASE_1_RUNS. */
int phase_1_runs(const struct experiment *x);

/* Runs all of phase 1, seeds 1, 2, ..., each on one of the project's five draws of training
 * positions. The caller frees the summaries with phase_1_free(). */
bool phase_1_evolve(struct experiment *x, struct run_summary runs[PHASE_1_RUNS], struct error *err);
void phase_1_free(struct run_summary *runs, int count);

/* Phase 2: its initial population has the best organisms of phase 1, whose runs must exist. */
bool coevolution_evolve(struct experiment *x, struct run_summary *summary, struct error *err);

/* Phase 3: the paper's 18 parameters on ECM. An existing run of the paper's size serves the usual
 * size too. */
bool search_evolve(struct experiment *x, struct run_summary *summary, struct error *err);

#endif
