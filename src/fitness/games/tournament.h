/* A list of games between entrants, and their results. */
#ifndef GRAYLING_TOURNAMENT_H
#define GRAYLING_TOURNAMENT_H

#include "coevolution.h"

/* A scheduled game, and its result once it is played. */
struct scheduled_game {
    struct game_record row;
    int entrants[2]; /* White and Black */
    bool known;
};

/* Openings in their order, over and over, each for so many games. */
struct opening_stream {
    const uint32_t *order;
    size_t count;
    int64_t games; /* that have taken theirs */
    int games_each;
};

/* The caller owns both arrays. */
struct tournament {
    struct coevolution *m;
    const struct competition *c; /* NULL for games with the opponent, which the watcher follows */
    const struct fitness_watcher *watcher;
    const volatile sig_atomic_t *stop;
    struct entrant *entrants;
    int entrant_count;
    struct opening_stream openings; /* of the games that are scheduled next */
    struct scheduled_game *games;
    int count, room;
    bool stopped; /* the observer asked to stop */
    bool refused; /* a known game is not the scheduled one; the fitness has the reason */
};

/* Adds an entrant; returns its index. */
int tournament_add_entrant(struct tournament *t, enum player_kind kind, int index,
                           const int32_t *values);

/* Schedules `games` games between two entrants, or takes their results if the competition knows them. The
 * first entrant has White in the first game. A known game with other players or another opening, or
 * without a result, is refused: the next tournament_play fails. */
void tournament_add_games(struct tournament *t, int a, int b, int games);

/* Plays the scheduled games from number `first` on that are not known. False if it was stopped, or failed
 * (the fitness has the reason). */
bool tournament_play(struct tournament *t, int first);

/* ---- a generation ---- */

/* Plays a generation; values[i] becomes the objective value of organism i. False if it was stopped, or failed
 * (the fitness has the reason). */
bool generation_compete(struct coevolution *m, const struct competition *c, int64_t *values);

/* The half points of all games that an organism can have: what values are scaled to. */
int64_t generation_points(const struct coevolution *m);

#endif
