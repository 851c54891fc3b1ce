/* SEE pruning: near the leaves, moves that lose material by static exchange are left out when the
 * loss is above a margin for each ply that remains. Part of the modern search. */
#ifndef GRAYLING_SEE_PRUNING_H
#define GRAYLING_SEE_PRUNING_H

#include "tree.h"

/* Whether the move is left out. */
bool see_prunes(const struct tree *t, const struct node *n, Move m);

#endif
