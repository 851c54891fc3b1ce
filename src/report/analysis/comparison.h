/* A night whose stages ask one question in different ways: the same fitness on the same data, but
 * another optimiser, or other settings of one. Its stages are compared by what each has found with
 * equally many evaluations, run by run: run i of every stage has the same seed.
 *
 * An evaluation is an organism of a generation, measured anew or not. */
#ifndef GRAYLING_COMPARISON_H
#define GRAYLING_COMPARISON_H

#include "night_report.h"

/* Whether the stages of a night can be compared: two or more, each of which evolves, reads no other
 * one, and has the fitness and the data of the first. Games measure nothing across generations. */
bool comparison_applies(const struct night_recipe *recipe);

/* What people call it: "comparison" where that applies, else "night". */
const char *comparison_or_night(const struct night_recipe *recipe);

/* What a stage came to. */
struct comparison_entry {
    const struct night_report_stage *stage; /* borrowed */
    int runs;                 /* that have made all the evaluations, the first of the stage */
    int64_t best[NIGHT_RUNS]; /* the best measure of each */
    int64_t top;              /* the best of all */
    double mean, deviation;   /* over the runs; the deviation is the sample's, 0 of one run */
    double held_out;          /* the mean of what those organisms made held out; NaN without any */
    double rank;              /* the mean place among the stages, seed by seed; NaN unless all have
                               * runs */
};

struct comparison {
    const struct run_summary
        *summary;    /* of some run: its value and sizes; NULL while there is none */
    int evaluations; /* of each run */
    int count;
    struct comparison_entry entries[NIGHT_STAGES];
    /* The probability of a difference as large between two stages by chance (rank_sum.h), adjusted
     * for the number of pairs. */
    double chance[NIGHT_STAGES][NIGHT_STAGES];
};

/* Differences less likely than this are called significant. */
#define COMPARISON_LEVEL 0.05

/* Compares the stages of a night that comparison_applies to; borrows from the report. */
void comparison_make(struct comparison *c, const struct night_report *report);

/* Puts the entries in the order of their means, the best first, those without a run last. */
void comparison_order(const struct comparison *c,
                      const struct comparison_entry *order[NIGHT_STAGES]);

/* How many evaluations a run has made after generation g. */
int comparison_evaluations(const struct run_summary *run, int generation);

/* The generation, up to this one, that has the best measure. */
int comparison_best(const struct run_summary *run, int generation);

#endif
