/* What a piece is worth to an evaluation, for estimates of what a capture gains. */
#ifndef GRAYLING_PIECE_VALUES_H
#define GRAYLING_PIECE_VALUES_H

#include "evaluation.h"

/* By kind, in centipawns, 0 or more; the king's is 0. */
struct piece_values {
    int32_t of[NO_KIND + 1];
};

/* The paper's evaluation has a weight for each kind of piece. The modern one spreads the worth of a piece
 * over many: its squares, its mobility, products of numbers. There it is the mean of what its side loses
 * when a piece of the kind is taken off a board, in some ordinary positions. */
struct piece_values piece_values_find(const struct evaluation *e);

#endif
