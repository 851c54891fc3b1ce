/* The value of a leaf of the 1-ply search, by its rule alone: no window. */
#ifndef GRAYLING_LEAF_MODEL_H
#define GRAYLING_LEAF_MODEL_H

#include "quiesce.h"

/* The exact value `ply` plies into quiescence. */
static inline int32_t quiescence_model(const struct position *p, const struct evaluation *e,
                                       int ply, int target)
{
    struct move_list list;
    const enum quiesce_status status = quiesce_moves(p, ply, target, &list);
    if (status == QUIESCE_MATED || status == QUIESCE_DRAWN)
        return status == QUIESCE_MATED ? ply + 1 - EXACT_MATE : 0;
    int32_t best = status == QUIESCE_STAND_PAT ? evaluation_exact(e, p) : -EXACT_INFINITE;
    for (int i = 0; i < list.count; i++) {
        struct position after = *p;
        struct undo undo;
        position_make(&after, list.moves[i], &undo);
        const int32_t value = -quiescence_model(&after, e, ply + 1, move_to(list.moves[i]));
        best = value > best ? value : best;
    }
    return best;
}

static inline int32_t leaf_model(const struct position *p, const struct evaluation *e)
{
    return quiescence_model(p, e, 0, NO_SQUARE);
}

#endif
