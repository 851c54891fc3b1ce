/* Who beat whom in files of games: what ratings (ratings.h) are made from. */
#ifndef GRAYLING_RATED_GAMES_H
#define GRAYLING_RATED_GAMES_H

#include "checksum.h"
#include "ratings.h"

/* What a player played with: the checksum of the parameter sets, or command and options, of its first
 * game, and whether a later game has others. */
struct rated_sets {
    char first[CHECKSUM_MAX];
    bool mixed;
};

/* All-zero: no games yet. */
struct rated_games {
    struct rated_pair *pairs; /* one for each two players and their colours */
    size_t pair_count;
    char **names;            /* of the players, by the order in which they appear */
    struct rated_sets *sets; /* of each */
    int players;
    int64_t games;      /* that count */
    int64_t unfinished; /* without a result: they do not */
    int64_t broken;     /* that could not be read */
    struct error first_broken;
};

/* Adds the games of a PGN file, which may be compressed. Players are told apart by their names;
 * `sets` says of whom there is more than one under a name. Fails with
 * the reason if the file cannot be read, or a game lacks a player's name; what was added stays. */
bool rated_games_read(struct rated_games *g, const char *path, struct error *err);

void rated_games_free(struct rated_games *g);

#endif
