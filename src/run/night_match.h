/* The closing match of a night: all players meet. */
#ifndef GRAYLING_NIGHT_MATCH_H
#define GRAYLING_NIGHT_MATCH_H

#include "elo.h"
#include "night_stages.h"
#include "run.h"

/* Plays what the stage's store has not got yet; every pairing gets its games a few at a time, so
 * that a match that is cut says as much of one as of another. The store is made if it is not
 * there. */
enum run_end night_match_play(const char *night_path, const struct night_recipe *recipe,
                              const struct night_run *run, int threads,
                              const struct run_observer *observer, struct error *err);

/* One pairing of a match: players by index, and the counts of its games, seen from player a. */
struct night_pairing {
    int a, b;
    struct match_counts counts;
};

/* Reads the pairings of a match that has begun. Returns a malloc'ed array of *count pairings; NULL
 * with the reason on failure. */
struct night_pairing *night_match_read(const struct night_run *run, int *count, struct error *err);

#endif
