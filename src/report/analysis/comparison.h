/* A comparison: a night whose stages have the same fitness on the same data, but different
 * optimisers or settings. Compares the results of the stages after equally many evaluations, run by
 * run; run i of every stage has the same seed.
 *
 * Each organism of each generation counts as an evaluation, whether it was measured anew or not. */
#ifndef GRAYLING_COMPARISON_H
#define GRAYLING_COMPARISON_H

#include "night_report.h"
#include "statistics.h"

/* True if the stages of a night can be compared: there are two or more, each evolves, none reads another, and all
 * have the same fitness and data. Fitness by games does not qualify, since it is not comparable across generations. */
bool comparison_applies(const struct night_recipe *recipe);

/* True if runs of different stages with the same seed have the same generation 0. The stages of a
 * comparison may differ in its size, its seeds and how the rest is made. */
bool comparison_same_start(const struct night_recipe *recipe);

/* The word for the recipe: "comparison" or "night". */
const char *comparison_or_night(const struct night_recipe *recipe);

/* The result of a stage. */
struct comparison_entry {
    const struct night_report_stage *stage; /* borrowed */
    int runs;                 /* the first runs of the stage, as many as have all evaluations */
    int64_t best[NIGHT_RUNS]; /* the best objective value of each */
    int64_t top;              /* the best of all */
    struct spread spread;     /* of `best`; NaN without a run */
    double held_out;          /* mean held-out value of those organisms; NaN if there is none */
    double rank;              /* mean rank among the stages, seed by seed; NaN unless all have
                               * runs */
};

struct comparison {
    const struct run_summary
        *summary;      /* of any run, for its value and sizes; NULL if there is none */
    int evaluations;   /* of each run */
    bool has_held_out; /* any stage has held-out values */
    int count;
    struct comparison_entry entries[NIGHT_STAGES];
    const struct comparison_entry
        *order[NIGHT_STAGES]; /* by their means, the best first, those without a run last */
    /* The p-value of the difference between two stages (statistics.h), adjusted for the number of pairs. */
    double chance[NIGHT_STAGES][NIGHT_STAGES];
};

/* A difference with a p-value below this level is significant. */
#define COMPARISON_LEVEL 0.05

/* Compares the stages of a night that comparison_applies to; borrows from the report. */
void comparison_make(struct comparison *c, const struct night_report *report);

/* The spread over a stage's runs of the best so far at a generation, in the unit of an axis (objective_axis). */
struct spread comparison_spread_at(const struct comparison *c, const struct comparison_entry *e,
                                   int generation);

#endif
