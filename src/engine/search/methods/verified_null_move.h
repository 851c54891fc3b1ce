/* Verified null-move pruning (david-2002, section 3, Figure 3):
 *
 *   1. a fail-high of the null move reduces the node's depth by one ply and the search goes on, its
 *      verification turned off for the subtree;
 *   2. there a fail-high cuts, as in the standard method;
 *   3. where no move fails high although the null move did, the position is a zugzwang: the depth
 *      is restored, and the moves are searched again with verification on;
 *   4. with one ply left nothing could be verified: there is no null move then.
 *
 * A variant that the paper rejects (section 5, the third) reduces by two plies in the subtree
 * instead of cutting. The paper's flag `verify` is here the opposite of `verifying`. */
#ifndef GRAYLING_VERIFIED_NULL_MOVE_H
#define GRAYLING_VERIFIED_NULL_MOVE_H

#include "tree.h"

/* 4: whether a fail-high could be verified, or need not be. */
bool verification_is_possible(const struct tree *t, const struct node *n);

/* 1 and 2: takes a fail-high of the null move, at `*value`, into the node; true when it is cut. */
bool verified_null_move_fail_high(struct tree *t, struct node *n, int32_t *value);

/* 3: whether no move failed high although the null move did. */
bool verification_fails(const struct tree *t, const struct node *n);

/* 3: restores the depth, and readies the node to search its moves again. */
void verification_restart(struct node *n);

#endif
