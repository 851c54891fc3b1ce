/* What weights cannot express: endings that are drawn or nearly so whatever is on the board, and the
 * fifty-move rule. The search with the modern evaluation applies it to each score. The 1-ply searches
 * of moves matched do not: their scores stay linear in the weights. */
#ifndef GRAYLING_ENDGAMES_H
#define GRAYLING_ENDGAMES_H

#include "position.h"

/* A score is multiplied by n / ENDGAME_WHOLE. */
enum { ENDGAME_WHOLE = 16 };

/* Plies without a capture or pawn move up to which no score fades. */
enum { ENDGAME_SAFE = 40 };

/* The part of its advantage that a side keeps:
 *
 *     0    king and pawn against king where it is drawn; two knights; a single minor piece; pawns on
 *          a rook's file whose corner the king holds, alone or with bishops of the other colour
 *     4    no pawns, and at most a minor piece more
 *     8    bishops of opposite colours, and nothing else but pawns */
int endgame_part(const struct position *p, enum color strong);

/* Returns the scaled score for the side to move. It also fades with the plies since a capture or pawn
 * move, from ENDGAME_SAFE to the hundredth, where a half is left. */
int32_t endgame_score(const struct position *p, int32_t score);

#endif
