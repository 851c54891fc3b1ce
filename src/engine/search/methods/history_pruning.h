/* History pruning (continuation history pruning): near the leaves, a late quiet move is pruned if its
 * history is worse than a limit for each remaining ply, since moves that failed so often in like
 * positions seldom fail high here. Part of the modern search. The history that also shortens or
 * lengthens reductions is that of late_moves.h (LMR_HISTORY). */
#ifndef GRAYLING_HISTORY_PRUNING_H
#define GRAYLING_HISTORY_PRUNING_H

#include "tree.h"

/* The unit of HISTORY_PRUNING_LIMIT; the worst history is some -192 units. */
enum { HISTORY_PRUNING_UNIT = HISTORY_LIMIT / 64 };

/* The same as history_prunes, where the method is on and near enough to the leaves. */
bool history_prunes_move(const struct tree *t, const struct node *n, Move m);

/* Whether to prune the move, which is not the first and gives no check. */
static inline bool history_prunes(const struct tree *t, const struct node *n, Move m)
{
    return plies_left(n->depth) <= param(t, HISTORY_PRUNING_DEPTH) && history_prunes_move(t, n, m);
}

#endif
