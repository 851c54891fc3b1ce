/* The material balance, the evaluation of beal-1990: pawn 1, knight and bishop 3, rook 5, queen
 * 9. */
#ifndef GRAYLING_BALANCE_H
#define GRAYLING_BALANCE_H

#include "see.h"

/* In centipawns, for the side to move. */
static inline int32_t balance(const struct position *p)
{
    int32_t sum = 0;
    for (enum kind kind = PAWN; kind <= QUEEN; kind++)
        sum += see_values[kind] * (bits_count(position_pieces(p, p->side, kind)) -
                                   bits_count(position_pieces(p, color_other(p->side), kind)));
    return sum;
}

/* The immediate material gain of a move: the captured piece, and what a pawn promotes to. */
static inline int32_t balance_gain(const struct position *p, Move m)
{
    int32_t gain = see_values[position_captured(p, m)];
    if (move_is_promotion(m))
        gain += see_values[move_promotion(m)] - see_values[PAWN];
    return gain;
}

#endif
