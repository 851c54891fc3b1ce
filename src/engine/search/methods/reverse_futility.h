/* Reverse futility (static null move): near the leaves, a node whose evaluation is above beta by a
 * margin for each ply that remains fails high unsearched. Part of the modern search. */
#ifndef GRAYLING_REVERSE_FUTILITY_H
#define GRAYLING_REVERSE_FUTILITY_H

#include "tree.h"

/* Whether the node is cut; its value is then its evaluation. */
bool reverse_futility_cuts(const struct tree *t, const struct node *n);

#endif
