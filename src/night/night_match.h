/* A match of a night: a round robin of all players. It closes the night, or makes games to learn from. */
#ifndef GRAYLING_NIGHT_MATCH_H
#define GRAYLING_NIGHT_MATCH_H

#include "elo.h"
#include "night_stages.h"
#include "run.h"

/* Plays the missing games of the stage's store, which is created if it does not exist. Pairings
 * take turns, a few games each, so that an interrupted match has about the same number of games of
 * each. A match that goes on replays its first game, and is refused if this program plays it
 * differently. If the observer wants one generation alone, plays until each pairing has its first games. */
enum run_end night_match_play(const char *night_path, const struct night_recipe *recipe,
                              const struct night_run *run, int threads,
                              const struct run_observer *observer, struct error *err);

/* Checks that night_match_play would not refuse a match that has begun, and plays none of its missing
 * games. RUN_COMPLETE: it would not. RUN_STOPPED: the flag `stop` (may be NULL) was set before that was
 * known. */
enum run_end night_match_check(const char *night_path, const struct night_recipe *recipe,
                               const struct night_run *run, int threads,
                               const volatile sig_atomic_t *stop, struct error *err);

/* True if each pairing of a match has its first games: a pair or more, and together as many as a stage
 * needs that learns from them. */
bool night_match_has_first_games(const struct night_run *run);

/* One pairing of a match: players by index, and the counts of its games, seen from player a. */
struct night_pairing {
    int a, b;
    struct match_counts counts;
};

/* Reads the pairings of a match that has begun. Returns a malloc'ed array of *count pairings; NULL
 * with the reason on failure. */
struct night_pairing *night_match_read(const struct night_run *run, int *count, struct error *err);

#endif
