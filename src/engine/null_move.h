/* Null-move pruning (Beal 1989; Donninger 1993; Heinz 1999 for adaptivity; david-2008, section 2,
 * Figure 1): if passing still fails high in a search reduced by R, so will the best move.
 *
 * R is NULL_MOVE_REDUCTION where more than NULL_MOVE_ADAPTIVITY_DEPTH plies remain, and one less
 * elsewhere; without adaptivity it is the same everywhere. The modern search adds a ply for every
 * NULL_MOVE_GAIN by which the evaluation is above beta, three at most. */
#ifndef GRAYLING_NULL_MOVE_H
#define GRAYLING_NULL_MOVE_H

#include "tree.h"

/* Whether the node may be cut by a null move: `*value` is then at least beta. Notes on the node
 * when passing would be mated. */
bool null_move_cuts(struct tree *t, struct node *n, int32_t *value);

#endif
