/* What weights cannot express: endings that are drawn or nearly so whatever is on the board, and the
 * fifty-move rule. The search with the modern evaluation applies it to each score. The 1-ply searches
 * of moves matched do not: their scores stay linear in the weights. */
#ifndef GRAYLING_ENDGAMES_H
#define GRAYLING_ENDGAMES_H

#include "position.h"

/* Plies without a capture or pawn move up to which no score fades. */
enum { ENDGAME_SAFE = 40 };

/* Returns the scaled score for the side to move: of its advantage a side keeps
 *
 *     nothing    with king and pawn against king where it is drawn; two knights; a single minor piece; pawns
 *                on a rook's file whose corner the king holds, alone or with bishops of the other colour
 *     a quarter  without pawns, and with at most a minor piece more
 *     a part     by its pawns, with bishops of opposite colours, or a rook each, and nothing else but pawns
 *     13/16      with other pieces, if all pawns stand on one wing
 *     3/2        with pawns alone, from two on
 *
 * and else all of it. It also fades with the plies since a capture or pawn
 * move, from ENDGAME_SAFE to the hundredth, where a half is left. */
int32_t endgame_score(const struct position *p, int32_t score);

#endif
