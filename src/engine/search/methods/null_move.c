#include "null_move.h"

#include "null_move_reductions.h"
#include "verified_null_move.h"

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

/* Whether the side has a piece besides king and pawns, or needs none. */
static bool is_safe_from_zugzwang(const struct tree *t)
{
    const struct position *p = &t->position;
    return (p->by_color[p->side] & ~p->by_kind[PAWN] & ~p->by_kind[KING]) != 0 ||
           param(t, NULL_MOVE_PAWN_ENDINGS) != 0;
}

/* Whether the evaluation is at least beta, or is not required to be. */
static bool may_fail_high(const struct tree *t, const struct node *n)
{
    return n->eval >= n->beta || param(t, NULL_MOVE_BELOW_BETA) != 0;
}

/* Whether the null move is allowed here: never in check, after another null move, or if beta is a
 * mate score. */
static bool allowed(const struct tree *t, const struct node *n)
{
    return param(t, NULL_MOVE_USE) != 0 && n->kind != NODE_PV && !n->in_check &&
           tree_frame_const(t, n->ply)->excluded == NO_MOVE &&
           tree_frame_const(t, n->ply - 1)->move != NO_MOVE && may_fail_high(t, n) &&
           !is_mate_score(n->beta) && is_safe_from_zugzwang(t) && verification_is_possible(t, n);
}

/* The value of passing, in a null window at beta. */
static int32_t pass(struct tree *t, struct node *n)
{
    struct undo undo;
    int depth = n->depth - PLY - PLY * reduction(t, n);
    tree_make_null(t, n->ply, &undo);
    int32_t value = -tree_search(t, NODE_CUT, -n->beta, -n->beta + 1, depth, n->ply + 1);
    tree_unmake_null(t, &undo);
    n->mate_threat = value < -EVAL_LIMIT;
    return value > EVAL_LIMIT ? n->beta : value;
}

bool null_move_prune(struct tree *t, struct node *n, int32_t *value)
{
    if (!allowed(t, n))
        return false;
    *value = pass(t, n);
    if (*value < n->beta)
        return false;
    switch ((enum null_move_mode)param(t, NULL_MOVE_MODE)) {
    case NULL_MOVE_VERIFIED:
    case NULL_MOVE_VERIFIED_REDUCING:
        return verified_null_move_fail_high(t, n, value);
    case NULL_MOVE_REDUCTIONS:
        return null_move_reduce(t, n, param(t, NULL_MOVE_DEPTH_REDUCTION), value);
    case NULL_MOVE_STANDARD:
        break;
    }
    return true;
}
