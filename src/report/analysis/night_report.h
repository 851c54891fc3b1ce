/* The content of a night's report, read from the night's store. */
#ifndef GRAYLING_NIGHT_REPORT_H
#define GRAYLING_NIGHT_REPORT_H

#include "night.h"
#include "night_match.h"
#include "report.h"

/* A stage and its results so far. */
struct night_report_stage {
    const struct night_stage *stage;
    const struct night_run_summary *runs; /* in the night's summary */
    int run_count;
    bool ended; /* all of its runs, complete or by their time */
    /* For a stage that evolves: */
    struct run_summary *summaries; /* owned, one per run; generation -1 if it has none */
    int taken;                     /* the best run so far (night_run_better), or -1 */
    struct report *report;         /* owned: of that run; NULL before */
    /* For a match that has started: */
    struct night_pairing *pairings; /* owned; NULL before */
    int pairing_count;
};

/* Owned by the caller between read and free. */
struct night_report {
    struct report_origin from;
    struct night_summary night;
    struct night_report_stage *stages; /* owned: night.recipe.stage_count */
};

/* Reads a night, which may go on. What had ended is taken from `before`, an earlier reading of it or NULL, which can
 * then only be freed: to read all organisms takes time. */
bool night_report_read(const char *path, struct night_report *before, struct night_report *r,
                       struct error *err);
void night_report_free(struct night_report *r); /* accepts a zeroed one */

/* The number of runs that have ended, complete or by their time; *timed: one by its time. */
int night_count_ended(const struct night_summary *n, bool *timed);

/* ---- the players of a match */

/* The player that the night leads to: the one whose evaluation and search come from the latest
 * stages. Of equal ones, the first. */
int night_final_player(const struct night_recipe *recipe, const struct night_stage *match);

/* A pairing of that player, from its side. Names are borrowed. */
struct night_result {
    const char *player, *opponent;
    struct match_counts counts;
    struct elo_estimate estimate;
};

/* Gets its results, the opponents in the order in which they matter: first those made of nothing but files, which are
 * what the night is measured against; then those with a half from a stage; random ones last. Leaves out those without
 * a pair of games. Returns their number. */
int night_results(const struct night_recipe *recipe, const struct night_report_stage *match,
                  struct night_result results[NIGHT_PLAYERS]);

/* ---- ablations */

/* An ablation: two players that differ only in one stage, of which one takes its evaluation or its search. The other
 * takes it from an earlier stage or a file, or has a random or plain one. */
struct night_ablation {
    const struct night_stage *stage;
    bool is_search;
    int with, without; /* players */
    struct match_counts counts;
};

enum { NIGHT_PAIRINGS = NIGHT_PLAYERS * (NIGHT_PLAYERS - 1) / 2 };

/* Finds the pairings of a match that are ablations; returns their number. */
int night_ablations(const struct night_recipe *recipe, const struct night_report_stage *match,
                    struct night_ablation ablations[NIGHT_PAIRINGS]);

/* A pairing's counts from the side of one of its players. */
struct match_counts night_counts_of(const struct night_pairing *p, int player);

#endif
