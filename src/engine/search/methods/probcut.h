/* ProbCut (Buro 1995), in the form that chess engines use: where a capture that wins material is, by
 * quiescence and then by a reduced search, worth beta and a margin more, a search to the whole depth
 * would most probably fail high too, and the node is cut. Part of the modern search. */
#ifndef GRAYLING_PROBCUT_H
#define GRAYLING_PROBCUT_H

#include "tree.h"

/* The same as probcut_prune, where the method is on and the node deep enough. */
bool probcut_search(struct tree *t, const struct node *n, int32_t *value);

/* Tries the captures of a node off the principal variation. True if the node is cut, at `*value`,
 * which is at least beta: what the capture is worth, less the margin. The table then holds the
 * capture and its worth, with the depth of the reduced search. */
static inline bool probcut_prune(struct tree *t, const struct node *n, int32_t *value)
{
    const int plies = param(t, PROBCUT_DEPTH);
    return plies != 0 && n->depth >= PLY * plies && probcut_search(t, n, value);
}

#endif
