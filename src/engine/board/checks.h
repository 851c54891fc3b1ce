/* Which moves give check, without playing them.
 *
 * A move gives check when the piece comes to a square from which its kind attacks the enemy king,
 * or when it leaves the line between the king and an own slider. Both are found once for a
 * position; only castling, en passant and promotion need a further look. */
#ifndef GRAYLING_CHECKS_H
#define GRAYLING_CHECKS_H

#include "position.h"

/* What gives check to the king of the side not to move. */
struct check_squares {
    Bitboard by_kind[6];  /* squares from which a piece of this kind would attack the king */
    Bitboard discoverers; /* own pieces that alone stand between an own slider and the king */
    int king;             /* the enemy king's square */
};

/* Finds them for the side to move. */
void check_squares_find(const struct position *p, struct check_squares *c);

/* Whether the legal move `m` gives check. `c` was found for this very position. */
bool move_gives_check(const struct position *p, const struct check_squares *c, Move m);

#endif
