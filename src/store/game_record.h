/* A game that counted for a fitness, in a row. */
#ifndef GRAYLING_GAME_RECORD_H
#define GRAYLING_GAME_RECORD_H

#include <stdbool.h>
#include <stdint.h>

/* What a player is, and so what its index means. Stored as these numbers. */
enum player_kind {
    PLAYER_ORGANISM, /* of the generation, by its index */
    PLAYER_SEED,     /* by its index among the seeds */
    PLAYER_CHAMPION, /* the best organism of generation `index` */
    PLAYER_OPPONENT, /* the fixed opponent, whose games are not stored */
};

struct player_ref {
    enum player_kind kind;
    int index; /* from 0; -1: none, or not known */
};

static inline bool player_ref_equal(struct player_ref a, struct player_ref b)
{
    return a.kind == b.kind && a.index == b.index;
}

struct game_record {
    int number; /* in its generation, from 0 */
    struct player_ref white, black;
    int opening; /* its place in the book, from 0 */
    int result;  /* half points for White */
    int plies;
    int64_t nodes; /* of both */
};

#endif
