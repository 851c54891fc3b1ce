/* Reverse futility pruning (static null move): near the leaves, a node fails high without a search
 * if its evaluation exceeds beta by a margin for each remaining ply. Part of the modern search. */
#ifndef GRAYLING_REVERSE_FUTILITY_H
#define GRAYLING_REVERSE_FUTILITY_H

#include "tree.h"

/* Whether the node is cut; its value is its evaluation. */
bool reverse_futility_cuts(const struct tree *t, const struct node *n);

#endif
