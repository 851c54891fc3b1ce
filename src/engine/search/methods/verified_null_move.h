/* Verified null-move pruning (david-2002, section 3, Figure 3):
 *
 *   1. A fail-high of the null move reduces the node's depth by one ply. The search continues, with
 *      verification off in the subtree.
 *   2. In that subtree a fail-high cuts, as in the standard method.
 *   3. If no move fails high although the null move did, the position is a zugzwang. The depth is
 *      restored, and the moves are searched again with verification on.
 *   4. With one ply left nothing can be verified, so there is no null move.
 *
 * Reuse of the table is a mode of the method, off by default. The paper does not say how the table
 * and the reduced depth meet. A program whose node verifies by `search(alpha, beta, depth - 1)` does
 * both of these:
 *
 *   - VERIFIED_STORE: what is verified is stored with the depth before the reduction.
 *   - VERIFIED_PROBE, step 1a: the table is asked again after the reduction. So the entry of the
 *     iteration before, which is a ply shallower, stands for the verification.
 *
 * Both together let results of one ply less pass for results of the whole depth.
 *
 * A variant that the paper rejects (section 5, the third) reduces by two plies in the subtree
 * instead of cutting. The paper's flag `verify` is the opposite of `verifying` here. */
#ifndef GRAYLING_VERIFIED_NULL_MOVE_H
#define GRAYLING_VERIFIED_NULL_MOVE_H

#include "tree.h"

/* Step 4: whether a fail-high can be verified, or needs no verification. */
bool verification_is_possible(const struct tree *t, const struct node *n);

/* Steps 1 and 2: handles a fail-high of the null move, at `*value`. True if the node is cut. */
bool verified_null_move_fail_high(struct tree *t, struct node *n, int32_t *value);

/* The depth with which the table stores the node. */
int verified_null_move_stored_depth(const struct tree *t, const struct node *n);

/* Step 3: whether no move failed high although the null move did. */
bool verification_fails(const struct tree *t, const struct node *n);

/* Step 3: restores the depth and resets the node for a second search of its moves. */
void verification_restart(struct node *n);

#endif
