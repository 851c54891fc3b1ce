/* QUIESCE-D (beal-1990, section 10, Figure 5): null-move quiescence to a depth, with fat values.
 *
 *   1. A repeated position is worth 0, unreliably: a reliable range depends on the position alone.
 *   2. A stored reliable range may settle the node; so may the value of a search at least as deep.
 *   3. At depth 0: the value of the lower order, unreliable.
 *   4. Without a legal move: mate or stalemate, reliable.
 *   5. bestv and LOWER start with the value of passing. There is no passing in check, because one
 *      cannot assume there that some move is as good.
 *   6. Each move is searched one ply less deep. LOWER, bestv and UPPER are the maxima of the
 *      results. The node ends when bestv reaches `upper`, and UPPER is then unknown. A move is not
 *      made if its position is known to be no better.
 *   7. The range, the value and the best move are stored.
 *
 * Two differences from the figure. The figure ignores the option of passing when it sets UPPER, so
 * that UPPER can fall below LOWER; here UPPER is at least the value of passing, and the range
 * bounds the value that QUIESCE without a limit would have, if it has one. Check evasions cost no
 * ply, even at depth 0, because an evaluation in check says little. */
#ifndef GRAYLING_QUIESCE_D_H
#define GRAYLING_QUIESCE_D_H

#include "beal_tree.h"

/* The fat value of the tree's current position, `ply` plies from the root, searched to `depth`
 * plies. The value is fail-soft; the range is valid for any window. Undefined once the search must
 * stop. */
struct fat_value quiesce_d(struct beal_tree *t, int32_t lower, int32_t upper, int depth, int ply);

/* Remaining depth after a move from a position searched to `depth` plies. */
static inline int quiesce_d_child_depth(int depth, bool in_check)
{
    return in_check ? depth : depth - 1;
}

#endif
