/* The 1-ply search over quiescence (quiesce.h), with either evaluation.
 *
 * It compares exact scores (evaluation.h), so that it chooses the same move as a compiled set
 * (src/moves/compiled.h), which multiplies the same weights and counts. */
#ifndef GRAYLING_ONE_PLY_H
#define GRAYLING_ONE_PLY_H

#include "evaluation.h"
#include "quiesce.h"

/* The value of a leaf for the side to move, an exact score within (alpha, beta), fail-hard. Mates count
 * from the root, one ply above the leaf. Adds the moves made to `*nodes`. Leaves `p` unchanged on
 * return. */
int32_t leaf_search(struct position *p, const struct evaluation *e, enum leaf leaf, int32_t alpha,
                    int32_t beta, uint64_t *nodes);

/* The 1-ply search of david-2014 (section III, Figure 1): makes each legal move in canonical order
 * and searches its leaf; the first best move wins. NO_MOVE if there is none. */
Move one_ply_search(struct position *p, const struct evaluation *e, enum leaf leaf,
                    uint64_t *nodes);

#endif
