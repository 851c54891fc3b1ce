/* How a game of chess ends, and what its result is. */
#ifndef GRAYLING_GAME_END_H
#define GRAYLING_GAME_END_H

#include "history.h"
#include "movegen.h"

/* Half points for White. */
enum game_result { GAME_BLACK_WINS, GAME_DRAWN, GAME_WHITE_WINS };

/* Why it ended. The rules first, as FIDE has them, but that threefold repetition and fifty moves
 * end a game without a claim; a mate precedes the fifty moves. */
enum game_end {
    GAME_CHECKMATE,
    GAME_STALEMATE,
    GAME_REPETITION,  /* the position stands on the board for the third time */
    GAME_FIFTY_MOVES, /* by each side without a capture or pawn move */
    GAME_MATERIAL,    /* nobody can mate */
    GAME_TIME,        /* the clock of the side to move has run out (game_result_on_time) */
    GAME_RESIGNED,    /* adjudicated as won, by score */
    GAME_AGREED,      /* adjudicated as drawn, by score */
    GAME_TOO_LONG,    /* adjudicated as drawn, by length */
    GAME_ABANDONED,   /* `stop` or `cancelled` was set: no result */
    GAME_BROKEN,      /* an engine returned no legal move: a bug; no result */
};

/* Whether a position ends the game by the rules, and by which; `history` has those before it. */
bool game_is_over(const struct position *p, const struct history *history, enum game_end *end);

/* The result when the side to move has run out of time: it loses, or draws where the other side has
 * a bare king. */
enum game_result game_result_on_time(const struct position *p);

/* "White mates", "draw by threefold repetition": as match runners say it. Constant text. */
const char *game_end_text(enum game_end end, enum game_result result);

#endif
