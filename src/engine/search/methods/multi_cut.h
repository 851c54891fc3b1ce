/* Multi-cut pruning (Bjornsson and Marsland 1998, 2001): where a cutoff is expected, the first M
 * moves are tried with a search reduced by R; if C of them fail high, so does the node. */
#ifndef GRAYLING_MULTI_CUT_H
#define GRAYLING_MULTI_CUT_H

#include "tree.h"

/* Tries the first moves of a node that is expected to fail high. True when it is cut, at beta. */
bool multi_cut_prune(struct tree *t, const struct node *n);

#endif
