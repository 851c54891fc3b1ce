/* Multi-cut pruning (Bjornsson and Marsland 1998, 2001): at an expected cut node, the first M moves
 * are searched with depth reduced by R; if C of them fail high, the node is cut. */
#ifndef GRAYLING_MULTI_CUT_H
#define GRAYLING_MULTI_CUT_H

#include "tree.h"

/* Tries the first moves of an expected cut node. True if the node is cut, at beta. */
bool multi_cut_prune(struct tree *t, const struct node *n);

#endif
