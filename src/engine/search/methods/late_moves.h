/* Late-move reductions and late-move pruning (Romstad 2006): with good ordering, a quiet move that
 * comes late seldom fails high, and is searched less deeply, or near the leaves not at all. Part of
 * the modern search. */
#ifndef GRAYLING_LATE_MOVES_H
#define GRAYLING_LATE_MOVES_H

#include "tree.h"

/* The quarter plies by which the move's first search is reduced; asked before the move is made. */
int late_move_reduction(const struct tree *t, const struct node *n, Move m, bool gives_check);

/* Whether the move, which gives no check, is left out. */
bool late_move_prunes(const struct tree *t, const struct node *n, Move m);

#endif
