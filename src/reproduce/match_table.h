/* An experiment of games: two engines at several limits, with Elo, its interval, and whether one is
 * stronger than the other. */
#ifndef GRAYLING_MATCH_TABLE_H
#define GRAYLING_MATCH_TABLE_H

#include "reproduction.h"

enum { MATCH_LIMITS = 6 };

struct match_plan {
    struct {
        const char *games, *result, *score, *elo; /* the paper's figures for the first engine */
    } published;
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

#endif
