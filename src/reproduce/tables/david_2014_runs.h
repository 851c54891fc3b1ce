/* The runs behind the tables of david-2014: ten of phase 1, the coevolution of their winners, and
 * the search. Each is kept in the experiment's directory of runs and resumed if it exists.
 * Functions return false with an error, or without one if stopped. */
#ifndef GRAYLING_DAVID_2014_RUNS_H
#define GRAYLING_DAVID_2014_RUNS_H

#include "experiment.h"

enum { PHASE_1_RUNS = 10, UNFITTED_RUNS = 5, GENETIC_COEVOLUTIONS = 3, SEARCH_CONTROL_SEEDS = 3 };

/* The number of runs of phase 1 at the experiment's size, at most PHASE_1_RUNS. */
int phase_1_runs(const struct experiment *x);

/* Runs all of phase 1, seeds 1, 2, ..., each on one of the project's five draws of training
 * positions. The caller frees the summaries with phase_1_free(). */
bool phase_1_evolve(struct experiment *x, struct run_summary runs[PHASE_1_RUNS], struct error *err);
void phase_1_free(struct run_summary *runs, int count);

/* The control of phase 1: the same runs in the space without fitted tables. Their number is
 * unfitted_runs(), which is UNFITTED_RUNS at most. Freed with phase_1_free(). */
int unfitted_runs(const struct experiment *x);
bool unfitted_evolve(struct experiment *x, struct run_summary runs[UNFITTED_RUNS],
                     struct error *err);

/* The values of a run's best organism in the paper's space of the evaluation. */
struct eval_weights evolved_weights(const struct run_summary *run);

/* The evaluation of EVOL0: the winner of phase 1 that matches most of the held-out moves. */
bool phase_1_winner(struct experiment *x, struct eval_weights *weights, struct error *err);

/* Phase 2, by an evolution strategy: its initial population has the best organisms of phase 1, whose
 * runs must exist. */
bool coevolution_evolve(struct experiment *x, struct run_summary *summary, struct error *err);

/* Phase 2 with the paper's genetic algorithm, from the same organisms. `seed` is 1 to
 * GENETIC_COEVOLUTIONS. */
bool genetic_coevolution_evolve(struct experiment *x, int seed, struct run_summary *summary,
                                struct error *err);

/* Phase 3: the paper's 18 parameters on ECM. A complete run of the paper's size serves the usual
 * size too. */
bool search_evolve(struct experiment *x, struct run_summary *summary, struct error *err);

/* Phase 3 by OPTIMISER_GENETIC, and its control by OPTIMISER_RANDOM, which measures as many
 * chromosomes. `seed` is 1 to search_control_seeds(), which is SEARCH_CONTROL_SEEDS at most. */
int search_control_seeds(const struct experiment *x);
bool search_control_evolve(struct experiment *x, enum optimiser_kind kind, int seed,
                           struct run_summary *summary, struct error *err);

#endif
