/* SEE pruning: near the leaves, a move is pruned if it loses more material by static exchange than
 * a margin for each remaining ply. Part of the modern search. */
#ifndef GRAYLING_SEE_PRUNING_H
#define GRAYLING_SEE_PRUNING_H

#include "tree.h"

/* Whether to prune the move. */
bool see_prunes(const struct tree *t, const struct node *n, Move m);

#endif
