#include "higher_order.h"

#include "ordering.h"
#include "quiesce_d.h"

/* The best of passing and the moves. The side to move has a move. */
static int32_t search_moves(struct beal_tree *t, int order, int32_t lower, int32_t upper, int depth,
                            int ply)
{
    const bool in_check = position_in_check(&t->position);
    const struct context context = {{t->played[ply + 1], t->played[ply]}};
    int32_t best = in_check ? -INFINITE_SCORE : beal_null_value(t, order - 1, lower, upper, ply);
    struct picker k;
    Move m;
    picker_init(&k, &t->position, &t->ordering, &context, ply, NO_MOVE, in_check);
    while (best < upper && (m = picker_next(&k)) != NO_MOVE && !beal_poll(t)) {
        const int32_t alpha = best > lower ? best : lower;
        const int left = quiesce_d_child_depth(depth, in_check);
        struct undo undo;
        beal_make(t, ply, m, &undo);
        const int32_t value = -higher_order_search(t, order, -upper, -alpha, left, ply + 1);
        beal_unmake(t, m, &undo);
        best = value > best ? value : best;
    }
    return best;
}

int32_t higher_order_search(struct beal_tree *t, int order, int32_t lower, int32_t upper, int depth,
                            int ply)
{
    const struct position *p = &t->position;
    if (beal_poll(t) || history_draws(&t->history, p, ply))
        return 0;
    if ((depth == 0 && !position_in_check(p)) || ply >= MAX_PLY - 1)
        return beal_value(t, order - 1, lower, upper, ply);
    if (!movegen_any(p))
        return position_in_check(p) ? -MATE + ply : 0;
    return search_moves(t, order, lower, upper, depth, ply);
}
