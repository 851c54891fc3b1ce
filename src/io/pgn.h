/* Reads PGN games (Edwards 1994) one at a time. Accepts what is found in practice: Lichess comments with [%eval] and
 * [%clk], NAGs, nested variations, "1. ... d5", 0-0, null moves, Latin-1 and UTF-8, BOM, CRLF, Ctrl-Z, no-break
 * spaces, SetUp/FEN, tag names in any case, and a missing final newline.
 *
 * No position is read that may not have occurred: a game is broken if there is a line among its tags that is none, if
 * FEN or Variant is given twice or FEN is missing where SetUp is 1, or if those of the tags above, which have no
 * moves of their own, may be its. */
#ifndef GRAYLING_PGN_H
#define GRAYLING_PGN_H

#include "notation.h"

#include <stddef.h>
#include <stdint.h>

enum pgn_result { PGN_UNKNOWN, PGN_WHITE_WINS, PGN_BLACK_WINS, PGN_DRAW };

/* The result of a text: 1-0, 0-1, 1/2-1/2; PGN_UNKNOWN for any other. */
enum pgn_result pgn_result_named(const char *text);

/* What a player played with, from our own tags (WhiteEvaluationSHA256, WhiteCommand and so on). */
struct pgn_sets {
    const char *evaluation, *search;        /* SHA-256 of the parameter sets of our engine */
    const char *command, *engine, *options; /* of another engine */
};

/* A game. The reader owns everything in it until the next call. Absent tags are "" and 0. Texts are
 * UTF-8 and clean (foreign_text.h); invalid UTF-8 is read as Latin-1. */
struct pgn_game {
    long number; /* in the file, from 1; broken games count */
    long line;   /* of its first tag or move */
    const char *white, *black;
    struct pgn_sets white_sets, black_sets;
    int white_elo, black_elo; /* 0 when absent or not a number */
    int year, month, day;     /* from Date; 0 where unknown */
    /* From the tag, or from the movetext if the tag has none. Unknown if the two disagree. */
    enum pgn_result result;
    struct position start;
    const Move *moves; /* NO_MOVE for a null move */
    /* What the mover's search said of each move, in centipawns for it, from comments such as {+0.56/12}; PGN_UNSCORED
     * for none. A mate is PGN_MATE. */
    const int32_t *scores;
    size_t plies;
};

enum { PGN_MATE = 100000, PGN_UNSCORED = INT32_MIN };

struct pgn_reader;
struct input; /* input.h */

/* PGN_BROKEN: the game is skipped and reading can go on; the reason names file, line and game. One
 * illegal move makes the whole game broken. */
enum pgn_status { PGN_GAME, PGN_BROKEN, PGN_END, PGN_FAILED };

/* Opens a file of games ("-": standard input), or reads games from the beginning of `in`, which it takes over and
 * closes, at once on failure. */
struct pgn_reader *pgn_open(const char *path, struct error *err);
struct pgn_reader *pgn_open_input(struct input *in, const char *path, struct error *err);
enum pgn_status pgn_next(struct pgn_reader *r, struct pgn_game *game, struct error *err);
/* From now on a file that turns out to be damaged ends there, after one PGN_BROKEN with the reason. */
void pgn_keep_damaged(struct pgn_reader *r);
void pgn_close(struct pgn_reader *r); /* accepts NULL */

/* Selects games. A zeroed filter accepts all. */
struct pgn_filter {
    int min_elo; /* both players */
    int min_plies;
    int from_date, to_date; /* yyyymmdd, inclusive; 0: no bound. Unknown parts of a date count as 0.
                               With a bound, a game of unknown year is rejected. */
    bool keep_damaged;      /* for those who open readers: call pgn_keep_damaged */
};

bool pgn_wanted(const struct pgn_filter *f, const struct pgn_game *game);

#endif
