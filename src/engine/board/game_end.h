/* The history of a game, and how it ends: repetition, the fifty-move rule, and results. */
#ifndef GRAYLING_GAME_END_H
#define GRAYLING_GAME_END_H

#include "movegen.h"
#include "position.h"

/* The keys of the positions before this one, in a ring. Only those since the last irreversible move are read. */
struct history {
    uint64_t keys[256];
    unsigned count; /* positions pushed so far, without the current one */
};

void history_init(struct history *h);

/* Push the current position before each move; pop when the move is unmade. */
void history_push(struct history *h, const struct position *p);
void history_pop(struct history *h);

/* Whether a search `ply` plies below its root treats the current position as a draw by repetition:
 * it occurred once since the root, or twice before. At the root, 0: the position is there a third time. */
bool history_draws(const struct history *h, const struct position *p, int ply);

/* Fifty moves by each side without a capture or pawn move. Mate takes precedence: test it first. */
bool history_fifty_moves(const struct position *p);

/* ---- ends and results ---- */

/* Half points for White. */
enum game_result { GAME_BLACK_WINS, GAME_DRAWN, GAME_WHITE_WINS };

/* Why a game ended. The first five are the FIDE rules, except that threefold repetition and fifty
 * moves end a game without a claim. Mate takes precedence over the fifty-move rule. */
enum game_end {
    GAME_CHECKMATE,
    GAME_STALEMATE,
    GAME_REPETITION,  /* the same position for the third time */
    GAME_FIFTY_MOVES, /* fifty moves by each side without a capture or pawn move */
    GAME_MATERIAL,    /* neither side can mate */
    GAME_TIME,        /* the side to move ran out of time (game_result_on_time) */
    GAME_RESIGNED,    /* adjudicated as won, by score */
    GAME_AGREED,      /* adjudicated as drawn, by score */
    GAME_TOO_LONG,    /* adjudicated as drawn, by length */
    GAME_ABANDONED,   /* `stop` or `cancelled` was set: no result */
    GAME_EXITED,      /* the player to move crashed: it loses */
    GAME_HUNG,        /* the player to move did not answer: it loses */
    GAME_ILLEGAL,     /* the player to move gave an illegal move, or none: it loses */
    GAME_BROKEN,      /* our engine returned no legal move: a bug; no result */
};

/* Whether the rules end the game here, and why. `history` holds the earlier positions. */
bool game_is_over(const struct position *p, const struct history *history, enum game_end *end);

/* The result when the side to move runs out of time: a loss, but a draw against a bare king. */
enum game_result game_result_on_time(const struct position *p);

/* As match runners print it: "White mates", "draw by threefold repetition". Constant. */
const char *game_end_text(enum game_end end, enum game_result result);

#endif
