/* Null-move pruning (Beal 1989; Donninger 1993; Heinz 1999 for adaptivity; david-2008, section 2,
 * Figure 1): if passing still fails high in a search reduced by R, so will the best move.
 *
 * R is NULL_MOVE_REDUCTION where more than NULL_MOVE_ADAPTIVITY_DEPTH plies remain, and one less
 * elsewhere; without adaptivity it is the same everywhere. The modern search adds a ply for every
 * NULL_MOVE_GAIN by which the evaluation is above beta, three at most.
 *
 * It is tried where the evaluation is at least beta, as others seldom fail high; the papers'
 * pseudo-code asks for no such thing, and with NULL_MOVE_BELOW_BETA it is tried everywhere.
 *
 * What a fail-high leads to is the mode: the standard method cuts the node; others are
 * verified_null_move.h and null_move_reductions.h. A side with king and pawns alone does not pass,
 * as zugzwang is too likely, unless NULL_MOVE_PAWN_ENDINGS lets it. */
#ifndef GRAYLING_NULL_MOVE_H
#define GRAYLING_NULL_MOVE_H

#include "tree.h"

enum null_move_mode {
    NULL_MOVE_STANDARD,
    NULL_MOVE_VERIFIED,
    NULL_MOVE_VERIFIED_REDUCING, /* a variant of it */
    NULL_MOVE_REDUCTIONS,
};

/* Searches the null move, where it is allowed. True when that cuts the node, at `*value`. Otherwise
 * the node's depth may be reduced, and its moves may have to verify a fail-high; a mate threat is
 * noted on the node. */
bool null_move_prune(struct tree *t, struct node *n, int32_t *value);

#endif
