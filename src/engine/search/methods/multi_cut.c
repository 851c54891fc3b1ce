#include "multi_cut.h"

/* Whether multi-cut applies: at an expected cut node that is deep enough, not in check, beta not a
 * mate score. Never if C exceeds M. */
static bool allowed(const struct tree *t, const struct node *n)
{
    return param(t, MULTI_CUT_USE) != 0 && n->kind == NODE_CUT && !n->in_check &&
           n->depth >= PLY * param(t, MULTI_CUT_DEPTH) && param(t, MULTI_CUT_CUTS) > 0 &&
           param(t, MULTI_CUT_CUTS) <= param(t, MULTI_CUT_MOVES) && !is_mate_score(n->beta) &&
           tree_frame_const(t, n->ply)->excluded == NO_MOVE;
}

/* Searches a move to the reduced depth. True if it fails high. */
static bool try_move(struct tree *t, const struct node *n, const struct check_squares *checks,
                     Move m)
{
    struct undo undo;
    int depth = n->depth - PLY - PLY * param(t, MULTI_CUT_REDUCTION);
    tree_prefetch(t, m);
    tree_make(t, n->ply, m, move_gives_check(&t->position, checks, m), &undo);
    int32_t value = -tree_search(t, NODE_ALL, -n->beta, -n->beta + 1, depth, n->ply + 1);
    tree_unmake(t, m, &undo);
    return value >= n->beta;
}

bool multi_cut_prune(struct tree *t, const struct node *n)
{
    if (!allowed(t, n))
        return false;
    struct picker picker;
    struct check_squares checks;
    check_squares_find(&t->position, &checks);
    picker_init(&picker, &t->position, &t->ordering, &n->context, n->ply, n->hit.move, false);
    int cuts = 0;
    for (int tried = 0; tried < param(t, MULTI_CUT_MOVES); tried++) {
        Move m = picker_next(&picker);
        if (m == NO_MOVE)
            return false;
        cuts += try_move(t, n, &checks, m);
        if (t->stopped)
            return false;
        if (cuts == param(t, MULTI_CUT_CUTS))
            return true;
    }
    return false;
}
