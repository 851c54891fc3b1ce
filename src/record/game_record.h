/* The record of a game that contributed to fitness, as the store keeps it. */
#ifndef GRAYLING_GAME_RECORD_H
#define GRAYLING_GAME_RECORD_H

#include <stdbool.h>
#include <stdint.h>

/* The kind of a player, which gives its index a meaning. The store keeps these numbers. */
enum player_kind {
    PLAYER_ORGANISM, /* organism `index` of the generation */
    PLAYER_SEED,     /* seed `index` */
    PLAYER_CHAMPION, /* the best organism of generation `index` */
    PLAYER_OPPONENT, /* the fixed opponent; its games are not stored */
};

struct player_ref {
    enum player_kind kind;
    int index; /* from 0; -1: none or unknown */
};

static inline bool player_ref_equal(struct player_ref a, struct player_ref b)
{
    return a.kind == b.kind && a.index == b.index;
}

struct game_record {
    int number; /* in its generation, from 0 */
    struct player_ref white, black;
    int opening; /* its index in the opening book */
    int result;  /* half points for White */
    int plies;
    int64_t nodes; /* of both players */
    char *text;    /* the game as PGN until it is stored, owned by the run; NULL: it is not kept */
};

#endif
