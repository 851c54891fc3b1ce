/* An experiment of games: two engines at several limits, with Elo, its interval, and whether one is
 * stronger than the other. */
#ifndef GRAYLING_MATCH_TABLE_H
#define GRAYLING_MATCH_TABLE_H

#include "reproduction.h"

enum { MATCH_LIMITS = 6 };

/* The paper's figures for the first engine. */
struct match_published {
    const char *games, *result, *score, *elo;
};

struct match_plan {
    struct match_published published;
    struct {
        const char *label;
        struct game_limits limits;
        int64_t games[EXPERIMENT_SIZES]; /* even; 0: not at this size */
    } rows[MATCH_LIMITS];                /* up to the first without a label */
    const char *proviso;                 /* part of each verdict: "with another ...", or NULL */
    const char *differs;
};

/* Plays the plan's matches between the two engines and shows the results. `who` is a sentence about
 * the engines, or NULL. Reads only the names, weights and players of `engines`. */
bool match_table_run(struct experiment *x, const struct reproduction *r,
                     const struct match_plan *plan, const struct experiment_match *engines,
                     const char *who, struct error *err);

/* ---- parts, for tables of more than two engines ---- */

/* Begins a table with the row of what was published. */
void match_table_begin(struct grid *g, const char *title, const struct match_published *published);

/* Plays a match and writes its row. Returns false with an error, or without one if stopped. */
bool match_table_play(struct experiment *x, const char *label, const struct experiment_match *match,
                      struct grid *g, struct match_counts *counts, struct error *err);

/* Writes a row of counts. */
void match_table_row(struct grid *g, const char *label, const struct match_counts *counts);

/* Notes whether the first engine is stronger by these games. `proviso` may be NULL. */
void match_table_verdict(struct grid *g, const char *const names[2], const char *where,
                         const char *proviso, const struct match_counts *counts);

#endif
