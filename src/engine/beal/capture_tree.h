/* The order below the second (beal-1990, sections 5 to 7): the capture tree, with checkmates.
 *
 * On material, QUIESCE looks at all moves but gets beyond the null move after captures and
 * promotions alone; the rest is a fringe of one ply (section 6), and here it is left out. That is
 * an equality: without checkmates the value is that of QUIESCE as Figure 3 has it, the null move
 * counting in check too, since it stands for the evaluation. Where the evaluation is not material
 * alone, the value is still that of the capture tree.
 *
 *   1. In check without a legal move the side to move is mated.
 *   2. The evaluation is the value of passing; it may be enough.
 *   3. At the first ply: a check that mates.
 *   4. Captures and promotions, the greatest gains first. On material one is passed over when even
 *      its gain does not reach the window: the opponent may pass after it, so that it cannot be
 *      worth more. This does not hold of a mate.
 *
 * Steps 1 and 3 are the ability to see checkmates (section 7), which settings can turn off. */
#ifndef GRAYLING_CAPTURE_TREE_H
#define GRAYLING_CAPTURE_TREE_H

#include "beal_tree.h"

/* The value of the position that stands in the tree, `ply` plies from the root; fail-soft. */
int32_t capture_tree_search(struct beal_tree *t, int32_t lower, int32_t upper, int ply);

#endif
