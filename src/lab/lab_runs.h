/* The runs behind the tables of david-2014, an entry each of `runs` in the data: a recipe of the project's,
 * with settings, for one or more seeds. Each run is kept in the experiment's directory of runs, and resumed
 * if it is there. */
#ifndef GRAYLING_LAB_RUNS_H
#define GRAYLING_LAB_RUNS_H

#include "evaluate.h"
#include "lab_table.h"
#include "run_summary.h"

enum { LAB_RUNS = 10 };

/* The summaries of the runs of an entry, one for each seed from 1 on. */
struct lab_runs {
    struct run_summary of[LAB_RUNS];
    int count;
    struct lab_runs *next; /* in the list of the table */
};

/* Runs an entry with all its seeds, and adds it to the table's list. Its texts may use {seed}, {seeds}, {draw} (the
 * seed's of the project's five draws of positions), {recipes}, {suites}, {runs}, and the words of `t`. Resumes a run
 * that exists; refuses it if it is of another recipe or other data. NULL with an error, or without one if stopped. */
const struct lab_runs *lab_runs_evolve(struct lab_table *t, const char *name, struct error *err);
void lab_runs_free(struct lab_runs *runs); /* a list; accepts NULL */

/* The values of a run's best organism as an evaluation. */
struct eval_weights evolved_weights(const struct run_summary *run);

/* The engines from the three phases, and the paper's values. EVOL* has the evaluation of coevolution and the
 * evolved search; EVOL0 that search, and the winner of phase 1 that matches most of the held-out moves. */
enum { EVOL_STAR, EVOL_0, PUBLISHED, EVOLVED_ENGINES };

struct evolved_engine {
    const char *name;
    struct eval_weights weights;
    struct search_params params;
};

/* Evolves them, EVOL* by the `coevolution` of the table; without one it has no evaluation. Sets the words
 * for their size. */
bool evolved_engines(struct lab_table *t, struct evolved_engine of[EVOLVED_ENGINES],
                     struct error *err);

#endif
