/* Writes games as PGN (Edwards 1994): the seven tags, then the others in alphabetical order, then
 * SAN in lines of less than 80 columns. Each move that was searched has a comment with its score
 * and depth: `{+0.35/8}` is in pawns, for the side that moved, and plies; `{+M5/8}` is mate in
 * five. A move without a score has no comment. The last comment says how the game ended. */
#ifndef GRAYLING_GAME_PGN_H
#define GRAYLING_GAME_PGN_H

#include "game.h"

#include <stdio.h>

/* A player: a name, and the files of its parameters with their SHA-256 (checksum.h), or another engine. */
struct game_pgn_player {
    const char *name;
    const char *evaluation, *evaluation_sha256; /* tags WhiteEvaluation, WhiteEvaluationSHA256 */
    const char *search, *search_sha256;         /* tags WhiteSearch, WhiteSearchSHA256 */
    const struct uci_settings *process; /* tags WhiteCommand, WhiteOptions; and WhiteMeanNodes with
                                           a limit of nodes */
    const char *engine;                 /* of a process: tag WhiteEngine */
};

/* Tags that the game itself does not know. A text that is NULL or "" is unknown, or left out. */
struct game_pgn_tags {
    const char *event;
    const char *date;                  /* yyyy.mm.dd */
    const char *round;                 /* "12", "12.1" */
    struct game_pgn_player players[2]; /* by colour */
    struct game_limits
        limits; /* tags NodesPerMove, DepthPerMove, TimePerMove, TimeControl, Grace */
    /* What else the game depends on. */
    struct game_adjudication adjudication;
    const char *engine, *openings, *openings_sha256;
    int hash_mib; /* 0: unknown */
    uint64_t seed;
};

/* The failure, or the loss on time, that a tag Termination stands for; GAME_CHECKMATE for others. */
enum game_end game_pgn_termination(const char *text);

/* Returns what game_pgn_write writes, which the caller frees. NULL with the reason. */
char *game_pgn_text(const struct game *g, const struct game_pgn_tags *tags, struct error *err);

/* Appends a game and a blank line. False if the stream has failed; buffered output may still fail later. */
bool game_pgn_write(FILE *out, const struct game *g, const struct game_pgn_tags *tags);

#endif
