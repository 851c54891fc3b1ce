/* What there is to tell of a night: everything that its report shows, read from its store. */
#ifndef GRAYLING_NIGHT_REPORT_H
#define GRAYLING_NIGHT_REPORT_H

#include "night.h"
#include "night_match.h"
#include "report.h"

/* A stage and what has come of it so far. */
struct night_report_stage {
    const struct night_stage *stage;
    const struct night_run_summary *runs; /* in the night's summary */
    int run_count;
    /* Of a stage that evolves: */
    struct run_summary *summaries; /* owned, one a run; generation -1 where it has none */
    int taken;                     /* the best run so far (night_run_better), or -1 */
    struct report report;          /* of that run */
    /* Of a match that has begun: */
    struct night_pairing *pairings; /* owned; NULL before */
    int pairing_count;
};

/* Owned by the caller between read and free. */
struct night_report {
    struct night_summary night;
    char *recipe, *version, *created;  /* as the store has them; "" where it has none */
    struct night_report_stage *stages; /* owned: night.recipe.stage_count */
};

/* Reads a night, also one that is going on or has hardly begun. */
bool night_report_read(const char *path, struct night_report *r, struct error *err);
void night_report_free(struct night_report *r); /* accepts a zeroed one */

/* Whether all runs of a stage have ended, each complete or by its time. */
bool night_stage_ended(const struct night_report_stage *s);

/* ---- what a stage was worth */

/* What two players tell of a stage, since they differ in nothing else: the one has its evaluation
 * or its search from that stage, the other from an earlier one, from a file, random or plain. */
struct night_ablation {
    const struct night_stage *stage;
    bool is_search;
    int with, without; /* players */
    struct match_counts counts;
};

enum { NIGHT_PAIRINGS = NIGHT_PLAYERS * (NIGHT_PLAYERS - 1) / 2 };

/* The pairings of a match that tell of a stage, at most one stage each; returns how many. */
int night_ablations(const struct night_recipe *recipe, const struct night_report_stage *match,
                    struct night_ablation ablations[NIGHT_PAIRINGS]);

/* A pairing's counts as the other player sees them. */
struct match_counts match_counts_reversed(const struct match_counts *c);

#endif
