/* Finds the moves that give check without making them.
 *
 * A move gives check in two ways. The piece reaches a square from which its kind attacks the enemy
 * king, or it leaves a line between the king and an own slider. Both sets of squares are computed
 * once for a position; only castling, en passant and promotion need an extra test. */
#ifndef GRAYLING_CHECKS_H
#define GRAYLING_CHECKS_H

#include "position.h"

/* Squares and pieces that can give check to the king of the side not to move. */
struct check_squares {
    Bitboard by_kind[6];  /* squares from which a piece of this kind would attack the king */
    Bitboard discoverers; /* own pieces that alone block an own slider from the king */
    int king;             /* the enemy king's square */
};

/* Computes `c` for the side to move. */
void check_squares_find(const struct position *p, struct check_squares *c);

/* Whether the legal move `m` gives check. `c` was computed for this position. */
bool move_gives_check(const struct position *p, const struct check_squares *c, Move m);

#endif
