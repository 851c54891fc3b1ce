/* Futility pruning at frontier and pre-frontier nodes (Heinz 1998, extended futility pruning): near
 * the leaves, a move is pruned if the static evaluation, its material gain and a threshold together
 * do not exceed alpha. There is one threshold each for 1, 2 and 3 remaining plies. */
#ifndef GRAYLING_FUTILITY_H
#define GRAYLING_FUTILITY_H

#include "tree.h"

/* Whether this node may prune moves: near the leaves, not in check, alpha not a mate score. */
bool futility_applies(const struct tree *t, const struct node *n);

/* The upper bound of a move's value by futility; the move is pruned if it does not exceed alpha.
 * Valid only where futility_applies, and for moves that do not give check. */
int32_t futility_bound(const struct tree *t, const struct node *n, Move m);

/* The same for quiet moves that do not promote: they gain nothing, and all have the same bound. */
int32_t futility_bound_of_quiets(const struct tree *t, const struct node *n);

/* Whether every quiet move that gives no check would be pruned, with that bound. Asked before the
 * quiet moves are generated, it saves much of the work at a node that fails low. */
bool futility_prunes_quiets(const struct tree *t, const struct node *n);

#endif
