/* Futility pruning at frontier and pre-frontier nodes (Heinz 1998, extended futility pruning): near
 * the leaves, a move is left out when even a threshold above what it takes does not lift the static
 * evaluation over alpha. The threshold is its own for 1, 2 and 3 remaining plies. */
#ifndef GRAYLING_FUTILITY_H
#define GRAYLING_FUTILITY_H

#include "tree.h"

/* Whether moves may be left out at this node at all: near the leaves, not in check, no mate at
 * stake. */
bool futility_applies(const struct tree *t, const struct node *n);

/* The most that a move can be worth, by futility: when it is alpha or less the move is left out.
 * Only where futility_applies, and not for moves that give check. */
int32_t futility_bound(const struct tree *t, const struct node *n, Move m);

#endif
