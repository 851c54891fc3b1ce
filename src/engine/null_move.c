#include "null_move.h"

/* The reduction at this node, in plies. */
static int reduction(const struct tree *t, const struct node *n)
{
    int r = param(t, NULL_MOVE_REDUCTION);
    if (param(t, NULL_MOVE_ADAPTIVITY_USE) != 0 &&
        n->depth <= PLY * param(t, NULL_MOVE_ADAPTIVITY_DEPTH))
        r--;
    if (param(t, NULL_MOVE_GAIN) != 0 && n->eval > n->beta) {
        int more = (n->eval - n->beta) / param(t, NULL_MOVE_GAIN);
        r += more < 3 ? more : 3;
    }
    return r > 0 ? r : 0;
}

/* Something to move besides king and pawns: else zugzwang is too likely. */
static bool has_pieces(const struct position *p)
{
    return (p->by_color[p->side] & ~p->by_kind[PAWN] & ~p->by_kind[KING]) != 0;
}

/* Not in check, not after another null move, not where a mate is at stake. */
static bool allowed(struct tree *t, const struct node *n)
{
    return param(t, NULL_MOVE_USE) != 0 && n->kind != NODE_PV && !n->in_check &&
           tree_frame(t, n->ply)->excluded == NO_MOVE &&
           tree_frame(t, n->ply - 1)->move != NO_MOVE && n->eval >= n->beta &&
           !is_mate_score(n->beta) && has_pieces(&t->position);
}

bool null_move_cuts(struct tree *t, struct node *n, int32_t *value)
{
    if (!allowed(t, n))
        return false;
    struct undo undo;
    int depth = n->depth - PLY - PLY * reduction(t, n);
    tree_make_null(t, n->ply, &undo);
    tt_prefetch(&t->tt, t->position.key);
    *value = -tree_search(t, NODE_CUT, -n->beta, -n->beta + 1, depth, n->ply + 1);
    tree_unmake_null(t, &undo);
    n->mate_threat = *value < -EVAL_LIMIT;
    if (*value > EVAL_LIMIT)
        *value = n->beta;
    return *value >= n->beta;
}
