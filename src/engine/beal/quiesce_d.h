/* QUIESCE-D (beal-1990, section 10, Figure 5): null-move quiescence to a depth, with fat values.
 *
 *   1. A position that stood on the board before is worth 0, unreliably: what the position alone
 *      does not say must not get into a reliable range.
 *   2. A reliable range that was found before may settle the node; so may the value of a search
 *      that was as deep.
 *   3. At depth 0: the order below, unreliable.
 *   4. Without a legal move: mate or stalemate, and reliable.
 *   5. bestv and LOWER begin with the value of passing. In check there is no passing, since that is
 *      where no move can be assumed to be as good.
 *   6. Each move is made and searched one ply less deep, and LOWER, bestv and UPPER are the
 *      greatest of what comes back; bestv at `upper` or more ends it, and UPPER is then unknown. A
 *      move whose position is known to be no better is not made at all.
 *   7. Range, value and best move are kept.
 *
 * It departs from the figure in two things. The figure forgets that passing is an option when it
 * sets UPPER, so that UPPER may come out below LOWER; here UPPER is at least the value of passing,
 * and the range is one of the value that QUIESCE without a limit would have, if it has one. And the
 * evasions of a check cost no ply, in check at depth 0 too, as evaluating there says little. */
#ifndef GRAYLING_QUIESCE_D_H
#define GRAYLING_QUIESCE_D_H

#include "beal_tree.h"

/* The fat value of the position that stands in the tree, `ply` plies from the root, searched
 * `depth` plies: value is fail-soft, the range holds whatever the window was. Means nothing once
 * the search must stop. */
struct fat_value quiesce_d(struct beal_tree *t, int32_t lower, int32_t upper, int depth, int ply);

/* The plies that remain after a move of a position with `depth` plies. */
static inline int quiesce_d_below(int depth, bool in_check)
{
    return in_check ? depth : depth - 1;
}

#endif
