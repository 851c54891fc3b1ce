/* Correction history: the static evaluation of a position is corrected by what searches found in
 * positions with the same pawns, because the errors of an evaluation that structure explains are
 * much the same in all of them. Part of the modern search.
 *
 * An entry, for a side to move and a hash of the pawns, is the mean of (value - evaluation) over
 * earlier nodes, deeper searches with more weight, in 1/CORRECTION_GRAIN centipawns. A node counts
 * if its value says something of a quiet position: not in check, no capture best, no mate, and no
 * bound on the side where the evaluation already is. CORRECTION_SHARE sixteenths of the mean, at
 * most CORRECTION_LIMIT centipawns, are added to the evaluation; 0 is off, and the table unused. */
#ifndef GRAYLING_CORRECTION_H
#define GRAYLING_CORRECTION_H

#include "tree.h"

/* The evaluation `raw` of the current position with the correction added, if there is one; within
 * EVAL_LIMIT. */
int32_t correction_added(const struct tree *t, int32_t raw);

/* Learns from the value of a node, whose moves are searched. */
void correction_learn(struct tree *t, const struct node *n);

/* The same as correction_added; the method costs a branch where it is off. */
static inline int32_t tree_corrected(const struct tree *t, int32_t raw)
{
    return param(t, CORRECTION_SHARE) == 0 ? raw : correction_added(t, raw);
}

#endif
