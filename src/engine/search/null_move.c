#include "selective.h"

enum { REDUCTION_BELOW = 2 }; /* in plies, of the rejected variant */

static bool verifies(const struct tree *t)
{
    int mode = param(t, NULL_MOVE_MODE);
    return mode == NULL_MOVE_VERIFIED || mode == NULL_MOVE_VERIFIED_REDUCING;
}

/* Whether the null move is allowed: not in check, after another, or if beta is a mate score. */
static bool allowed(const struct tree *t, const struct node *n)
{
    const struct position *p = &t->position;
    return param(t, NULL_MOVE_USE) != 0 && n->kind != NODE_PV && !n->in_check &&
           tree_frame_const(t, n->ply)->excluded == NO_MOVE &&
           tree_frame_const(t, n->ply - 1)->move != NO_MOVE &&
           (n->bounded >= n->beta || param(t, NULL_MOVE_BELOW_BETA) != 0) &&
           (param(t, NULL_MOVE_MARGIN) == 0 ||
            n->eval >= n->beta + 100 - param(t, NULL_MOVE_MARGIN) * plies_left(n->depth)) &&
           !is_mate_score(n->beta) &&
           /* zugzwang: the side has a piece besides king and pawns, or needs none */
           ((p->by_color[p->side] & ~p->by_kind[PAWN] & ~p->by_kind[KING]) != 0 ||
            param(t, NULL_MOVE_PAWN_ENDINGS) != 0) &&
           /* step 4: a fail-high can be verified, or needs no verification */
           (!verifies(t) || n->verifying || n->depth > PLY);
}

/* The reduction at this node, in quarter plies. */
static int reduction(const struct tree *t, const struct node *n)
{
    int r = param(t, NULL_MOVE_REDUCTION);
    if (param(t, NULL_MOVE_ADAPTIVITY_USE) != 0 &&
        n->depth <= PLY * param(t, NULL_MOVE_ADAPTIVITY_DEPTH))
        r--;
    if (param(t, NULL_MOVE_GAIN) != 0 && n->bounded > n->beta) {
        int more = (n->bounded - n->beta) / param(t, NULL_MOVE_GAIN);
        r += more < 3 ? more : 3;
    }
    return (r > 0 ? PLY * r : 0) + param(t, NULL_MOVE_SLOPE) * n->depth / 16;
}

/* The value of passing, in a null window at beta. */
static int32_t pass(struct tree *t, struct node *n)
{
    struct undo undo;
    int depth = n->depth - PLY - reduction(t, n);
    tree_make_null(t, n->ply, &undo);
    int32_t value = -tree_search(t, NODE_CUT, -n->beta, -n->beta + 1, depth, n->ply + 1);
    tree_unmake_null(t, &undo);
    n->mate_threat = value < -EVAL_LIMIT;
    return value > EVAL_LIMIT ? n->beta : value;
}

/* Reduces the depth by `plies`. True if none remains; `*value` is then that of quiescence. */
static bool reduce(struct tree *t, struct node *n, int plies, int32_t *value)
{
    n->depth -= PLY * plies;
    if (n->depth > 0)
        return false;
    *value = tree_quiesce(t, n->alpha, n->beta, n->ply, 0, NO_SQUARE);
    return true;
}

/* Step 1a. An upper bound below beta refutes the null move: the node keeps its whole depth. */
static bool table_decides(const struct tree *t, struct node *n, int32_t *value)
{
    if (param(t, VERIFIED_PROBE) == 0 || !node_table_cuts(t, n))
        return false;
    *value = n->hit.value;
    if (*value < n->beta)
        n->depth += PLY;
    return true;
}

bool null_move_prune(struct tree *t, struct node *n, int32_t *value)
{
    if (!allowed(t, n))
        return false;
    *value = pass(t, n);
    if (*value < n->beta)
        return false;
    if (param(t, NULL_MOVE_MODE) == NULL_MOVE_REDUCTIONS)
        return reduce(t, n, param(t, NULL_MOVE_DEPTH_REDUCTION), value);
    if (!verifies(t))
        return true;
    /* Step 2. */
    if (n->verifying)
        return param(t, NULL_MOVE_MODE) == NULL_MOVE_VERIFIED ||
               reduce(t, n, REDUCTION_BELOW, value);
    /* Step 1. */
    n->depth -= PLY;
    if (table_decides(t, n, value))
        return *value >= n->beta;
    n->verifying = n->fail_high = tree_frame(t, n->ply)->verifying = true;
    return false;
}

int verified_null_move_stored_depth(const struct tree *t, const struct node *n)
{
    return n->fail_high && param(t, VERIFIED_STORE) != 0 ? n->depth + PLY : n->depth;
}

/* Step 3. */
bool verification_fails(const struct tree *t, const struct node *n)
{
    return n->fail_high && n->best < n->beta && !t->stopped;
}

void verification_restart(struct node *n)
{
    n->depth += PLY;
    n->verifying = n->fail_high = false;
    n->best = -INFINITE_SCORE;
    n->best_move = NO_MOVE;
    n->searched = n->quiet_count = n->capture_count = 0;
}
