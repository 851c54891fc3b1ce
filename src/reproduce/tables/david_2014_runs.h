/* The runs that the tables of david-2014 rest on: ten of phase 1, the coevolution of their winners,
 * and the search. Each is kept in the experiment's directory of runs, and gone on with where it is
 * there; false with the reason, or without one where it was stopped. */
#ifndef GRAYLING_DAVID_2014_RUNS_H
#define GRAYLING_DAVID_2014_RUNS_H

#include "experiment.h"

enum { PHASE_1_RUNS = 10 };

/* How many runs of phase 1 there are at the experiment's size, at most PHASE_1_RUNS. */
int phase_1_runs(const struct experiment *x);

/* All of them, seeds 1, 2, ..., each on one of the project's five draws of training positions;
 * for the caller to give to phase_1_free(). */
bool phase_1_evolve(struct experiment *x, struct run_summary runs[PHASE_1_RUNS], struct error *err);
void phase_1_free(struct run_summary *runs, int count);

/* Phase 2, begun with the best organisms of the runs of phase 1, which are there already. */
bool coevolution_evolve(struct experiment *x, struct run_summary *summary, struct error *err);

/* Phase 3: the paper's 18 parameters on ECM. A run of the paper's size that is kept serves the
 * usual size too. */
bool search_evolve(struct experiment *x, struct run_summary *summary, struct error *err);

#endif
