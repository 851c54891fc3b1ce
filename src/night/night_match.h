/* A match of a night: a round robin of all players. It closes the night, or makes games to learn from. */
#ifndef GRAYLING_NIGHT_MATCH_H
#define GRAYLING_NIGHT_MATCH_H

#include "elo.h"
#include "night_summary.h"
#include "run.h"

/* Plays the missing games of the stage's store, perhaps a new one. Pairings take turns, a few games each. A
 * match that goes on replays its first game, and is refused if this program plays it differently. If the
 * observer wants one generation alone, plays until each pairing has its first games; with `check` none. */
enum run_end night_match_play(const char *night_path, const struct night_recipe *recipe,
                              const struct night_run *run, bool check, int threads,
                              const struct run_observer *observer, struct error *err);

/* True if each pairing has its first games, a pair or more, together enough to learn from. */
bool night_match_has_first_games(const struct night_run *run);

/* One pairing of a match: players by index, and the counts of its games, seen from player a. */
struct night_pairing {
    int a, b;
    struct match_counts counts;
};

/* Reads the *count pairings of a match that has begun. The caller frees them. NULL with the reason on failure. */
struct night_pairing *night_match_read(const struct night_run *run, int *count, struct error *err);

#endif
