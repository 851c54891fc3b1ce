/* Null-move pruning (Beal 1989; Donninger 1993; Heinz 1999 for adaptivity; david-2008, section 2,
 * Figure 1): if passing fails high in a search reduced by R, the best move will too.
 *
 * R is NULL_MOVE_REDUCTION where more than NULL_MOVE_ADAPTIVITY_DEPTH plies remain, and one less
 * elsewhere; without adaptivity it is constant. The modern search adds one ply for every
 * NULL_MOVE_GAIN by which the evaluation exceeds beta, at most three.
 *
 * The null move is tried where the evaluation is at least beta, since it seldom fails high
 * elsewhere. The papers' pseudo-code has no such condition; NULL_MOVE_BELOW_BETA removes it.
 *
 * NULL_MOVE_MODE selects what follows a fail-high: the standard method cuts the node;
 * verified_null_move.h and null_move_reductions.h are the others. A side with only king and pawns
 * does not pass, because of zugzwang, unless NULL_MOVE_PAWN_ENDINGS allows it. */
#ifndef GRAYLING_NULL_MOVE_H
#define GRAYLING_NULL_MOVE_H

#include "tree.h"

enum null_move_mode {
    NULL_MOVE_STANDARD,
    NULL_MOVE_VERIFIED,
    NULL_MOVE_VERIFIED_REDUCING, /* variant rejected by the paper */
    NULL_MOVE_REDUCTIONS,
};

/* Searches the null move, where it is allowed. True if the node is cut, at `*value`. Otherwise the
 * node's depth may be reduced, and its moves may have to verify a fail-high. Records a mate threat
 * in the node. */
bool null_move_prune(struct tree *t, struct node *n, int32_t *value);

#endif
