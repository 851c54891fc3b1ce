/* Games from PGN (Edwards 1994), streamed one at a time, as the world writes it: Lichess comments
 * with [%eval] and [%clk], NAGs, nested variations, "1. ... d5", 0-0, null moves, Latin-1 and
 * UTF-8, BOM, CRLF, SetUp/FEN, no final newline. */
#ifndef GRAYLING_PGN_H
#define GRAYLING_PGN_H

#include "notation.h"

#include <stddef.h>

enum pgn_result { PGN_UNKNOWN, PGN_WHITE_WINS, PGN_BLACK_WINS, PGN_DRAW };

/* The result that a text names (1-0, 0-1, 1/2-1/2), PGN_UNKNOWN for any other text; and its text,
 * "*" where it is unknown. */
enum pgn_result pgn_result_named(const char *text);
const char *pgn_result_text(enum pgn_result result);

/* One played move. `comment` is the text after it (NULL when none), joined if there are several. */
struct pgn_move {
    Move move; /* NO_MOVE is a null move */
    uint8_t nag;
    const char *comment;
};

/* A game; everything in it is owned by the reader and lives until the next call. Tags that are
 * absent are "" and 0; texts are UTF-8 (bytes that are not, are taken for Latin-1). */
struct pgn_game {
    long number; /* from 1, in the file, broken games counted */
    long line;   /* where its first tag or move stands */
    const char *event, *site, *date, *round, *white, *black, *time_control;
    int white_elo, black_elo; /* 0 when absent or not a number */
    int year, month, day;     /* from Date; 0 where unknown */
    /* The tag's, or the movetext's where the tag says none; unknown where the two disagree. */
    enum pgn_result result;
    struct position start;
    const struct pgn_move *moves;
    size_t plies;
};

struct pgn_reader;
struct input; /* input.h */

/* PGN_BROKEN: this game is skipped, the reason naming file, line and game; reading goes on. A game
 * with an illegal move is broken as a whole: no move after it is ever invented. */
enum pgn_status { PGN_GAME, PGN_BROKEN, PGN_END, PGN_FAILED };

struct pgn_reader *pgn_open(const char *path, struct error *err);
/* Reads games from where `in` stands; closes it in the end, and at once when it fails. */
struct pgn_reader *pgn_open_input(struct input *in, const char *path, struct error *err);
enum pgn_status pgn_next(struct pgn_reader *r, struct pgn_game *game, struct error *err);
void pgn_close(struct pgn_reader *r); /* accepts NULL */

/* Which games are wanted. A zeroed filter takes all. */
struct pgn_filter {
    int min_elo; /* both players */
    int min_plies;
    int from_date, to_date; /* yyyymmdd, inclusive; unknown parts of a date count as 0; 0: no bound.
                               A game of an unknown year is not wanted where there is a bound. */
    bool decisive;
};

bool pgn_wanted(const struct pgn_filter *f, const struct pgn_game *game);

#endif
