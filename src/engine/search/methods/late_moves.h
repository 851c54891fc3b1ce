/* Late-move reductions and late-move pruning (Romstad 2006): with good ordering, a late quiet move
 * seldom fails high. It is searched to a reduced depth, or pruned near the leaves. Part of the
 * modern search. */
#ifndef GRAYLING_LATE_MOVES_H
#define GRAYLING_LATE_MOVES_H

#include "tree.h"

/* The reduction of the move's first search in quarter plies; call before the move is made. */
int late_move_reduction(const struct tree *t, const struct node *n, Move m, bool gives_check);

/* Whether to prune the move, which does not give check. */
bool late_move_prunes(const struct tree *t, const struct node *n, Move m);

#endif
