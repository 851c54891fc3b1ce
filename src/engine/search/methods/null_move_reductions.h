/* Extended null-move reductions (david-2008, section 3, Figure 2): a fail-high of the null move
 * never cuts the node. It reduces the depth of the node's moves by DR plies
 * (NULL_MOVE_DEPTH_REDUCTION). With R = 3~4 and DR = 4 this is the paper's NMR. */
#ifndef GRAYLING_NULL_MOVE_REDUCTIONS_H
#define GRAYLING_NULL_MOVE_REDUCTIONS_H

#include "tree.h"

/* Reduces the depth of a node after a null-move fail-high by `plies`. True if no depth remains;
 * `*value` is then the value of quiescence. */
bool null_move_reduce(struct tree *t, struct node *n, int plies, int32_t *value);

#endif
