/* Games played, written as PGN (Edwards 1994): the seven tags, then the others in the order of the
 * alphabet; SAN in lines of less than 80 columns, and after each move that was thought about what
 * its player made of it: `{+0.35/8}`, pawns for the side that moved and plies, a mate in five being
 * `{+M5/8}`. How the game ended is the last comment. */
#ifndef GRAYLING_GAME_PGN_H
#define GRAYLING_GAME_PGN_H

#include "game.h"

#include <stdio.h>

/* Who plays: a name, and the files that its parameters are from, with their SHA-256 (checksum.h).
 * Each text but the name may be NULL, and then its tag is left out. */
struct game_pgn_player {
    const char *name;
    const char *evaluation, *evaluation_sha256; /* tags WhiteEvaluation, WhiteEvaluationSHA256 */
    const char *search, *search_sha256;         /* tags WhiteSearch, WhiteSearchSHA256 */
};

/* What a game does not know of itself. NULL texts are written as unknown. */
struct game_pgn_tags {
    const char *event, *site;
    const char *date;                  /* yyyy.mm.dd */
    const char *round;                 /* "12", "12.1" */
    struct game_pgn_player players[2]; /* by colour */
    struct game_limits limits;         /* tags NodesPerMove, DepthPerMove, TimeControl */
    /* What else the game depends on; a tag that is NULL is left out. */
    const char *adjudication, *engine, *hash, *openings, *openings_sha256, *seed;
};

/* Appends a game, ended by a blank line, so that many can follow one another. False when the stream
 * has failed; what is buffered may still fail later. */
bool game_pgn_write(FILE *out, const struct game *g, const struct game_pgn_tags *tags);

#endif
