#include "reverse_futility.h"

bool reverse_futility_cuts(const struct tree *t, const struct node *n)
{
    int plies = plies_left(n->depth);
    if (plies > param(t, REVERSE_FUTILITY_DEPTH) || n->kind == NODE_PV || n->in_check ||
        is_mate_score(n->beta) || tree_frame_const(t, n->ply)->excluded != NO_MOVE)
        return false;
    if (param(t, IMPROVING_USE) != 0 && n->improving)
        plies--;
    return n->eval - param(t, REVERSE_FUTILITY_MARGIN) * plies >= n->beta;
}
