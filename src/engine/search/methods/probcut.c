#include "probcut.h"

#include "see.h"

/* The value that a capture must reach. */
static int32_t threshold(const struct tree *t, const struct node *n)
{
    return n->beta + param(t, PROBCUT_MARGIN);
}

/* The depth of the node in the reduced search, which includes the capture. */
static int reduced_depth(const struct tree *t, const struct node *n)
{
    return n->depth - PLY * param(t, PROBCUT_REDUCTION);
}

/* Whether the table already tells that a search so deep stays below the threshold. */
static bool is_refuted(const struct tree *t, const struct node *n)
{
    const struct tt_hit *hit = &n->hit;
    return hit->found && (hit->bound & BOUND_UPPER) != 0 && hit->depth >= reduced_depth(t, n) &&
           hit->value < threshold(t, n);
}

/* Not on the principal variation, in check, at mate scores, or without a capture that is excluded. */
static bool allowed(const struct tree *t, const struct node *n)
{
    return n->kind != NODE_PV && !n->in_check && !is_mate_score(n->beta) &&
           !is_mate_score(threshold(t, n)) && tree_frame_const(t, n->ply)->excluded == NO_MOVE &&
           !is_refuted(t, n);
}

/* The value of a capture in a null window at the threshold: by quiescence, and where that reaches the
 * threshold by the reduced search. */
static int32_t try_capture(struct tree *t, const struct node *n, const struct check_squares *checks,
                           Move m)
{
    struct undo undo;
    const int32_t beta = threshold(t, n);
    const int depth = reduced_depth(t, n) - PLY, ply = n->ply + 1;
    tree_prefetch(t, m);
    tree_make(t, n->ply, m, move_gives_check(&t->position, checks, m), &undo);
    int32_t value = -tree_quiesce(t, -beta, -beta + 1, ply, 0, NO_SQUARE);
    if (value >= beta && depth > 0 && !t->stopped)
        value = -tree_search(t, NODE_ALL, -beta, -beta + 1, depth, ply);
    tree_unmake(t, m, &undo);
    return value;
}

/* Stores a capture that cuts, with the depth that was searched. */
static void store(struct tree *t, const struct node *n, Move m, int32_t value)
{
    const int depth = reduced_depth(t, n);
    const struct tt_hit found = {.bound = BOUND_LOWER,
                                 .move = m,
                                 .depth = depth > 0 ? depth : 0,
                                 .value = value,
                                 .eval = n->raw};
    tt_store(&t->tt, tree_key(t), n->ply, &found);
}

bool probcut_search(struct tree *t, const struct node *n, int32_t *value)
{
    struct picker picker;
    struct check_squares checks;
    if (!allowed(t, n))
        return false;
    const int32_t missing = threshold(t, n) - n->eval;
    check_squares_find(&t->position, &checks);
    picker_init(&picker, &t->position, &t->ordering, &n->context, n->ply, n->hit.move, false);
    for (Move m; (m = picker_next_good(&picker)) != NO_MOVE;) {
        if (is_quiet(m) || !see_at_least(&t->position, m, missing))
            continue;
        *value = try_capture(t, n, &checks, m);
        if (t->stopped)
            return false;
        if (*value >= threshold(t, n)) {
            store(t, n, m, *value);
            *value -= is_mate_score(*value) ? 0 : param(t, PROBCUT_MARGIN);
            return true;
        }
    }
    return false;
}
