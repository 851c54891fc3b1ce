/* QUIESCE (beal-1990, section 6, Figure 3) as an evaluation: what makes orders above two (section 5:
 * a value that a null-move search gives is an evaluation again).
 *
 * The value of order n is QUIESCE over the value of order n - 1. The figure has no limit of depth, and
 * within another search it needs one: after HIGHER_ORDER_PLIES plies the value is that of order n - 1.
 * The value of such a search is unreliable then (section 10). It is passed on as a point and not as a
 * range with a point in it: the search above gives it the widest range, as Figure 5 does with every
 * evaluation, so that a reliable range never rests on a depth that ran out or on a repetition, but for
 * passing, whose value LOWER and UPPER start from (quiesce_d.h). */
#ifndef GRAYLING_HIGHER_ORDER_H
#define GRAYLING_HIGHER_ORDER_H

#include "beal_tree.h"

enum { HIGHER_ORDER_PLIES = 2 };

/* The value of order `order`, 2 or more, of the tree's current position, `ply` plies from the root.
 * `depth` plies remain. Check evasions cost none. Fail-soft. Undefined once the search must stop. */
int32_t higher_order_search(struct beal_tree *t, int order, int32_t lower, int32_t upper, int depth,
                            int ply);

#endif
