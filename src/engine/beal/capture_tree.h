/* The evaluation of the second order (beal-1990, sections 5 to 7): a capture tree with checkmates.
 *
 * On material, QUIESCE examines all moves, but only captures and promotions get past the null move.
 * The other moves form a fringe of one ply (section 6), which this search omits. The value does not
 * change: without checkmates it equals that of QUIESCE as in Figure 3, where the null move counts
 * in check too because it stands for the evaluation. With other evaluations than material the value
 * is still that of the capture tree.
 *
 *   1. A side in check without a legal move is mated.
 *   2. The evaluation is the value of passing; it may fail high.
 *   3. At the first ply: a check that mates.
 *   4. Captures and promotions, largest gain first. On material, skip a capture whose gain does not
 *      reach the window: the opponent can pass after it, so it cannot be worth more. A mate is
 *      never skipped.
 *
 * Steps 1 and 3 make checkmates visible (section 7); settings can turn them off. */
#ifndef GRAYLING_CAPTURE_TREE_H
#define GRAYLING_CAPTURE_TREE_H

#include "beal_tree.h"

/* The value of the tree's current position, `ply` plies from the root; fail-soft. */
int32_t capture_tree_search(struct beal_tree *t, int32_t lower, int32_t upper, int ply);

#endif
