#include "selective.h"

#include "see.h"
#include "sets.h"

/* ---- of the whole node ---- */

/* A reduced search may not cut in check, where beta is a mate, or where a move is excluded. */
static bool may_be_cut(const struct tree *t, const struct node *n)
{
    return !n->in_check && !is_mate_score(n->beta) &&
           tree_frame_const(t, n->ply)->excluded == NO_MOVE;
}

bool reverse_futility_cuts(const struct tree *t, const struct node *n)
{
    int plies = plies_left(n->depth);
    if (plies > param(t, REVERSE_FUTILITY_DEPTH) || n->kind == NODE_PV || !may_be_cut(t, n))
        return false;
    if (param(t, IMPROVING_USE) != 0 && n->improving)
        plies--;
    return n->bounded - param(t, REVERSE_FUTILITY_MARGIN) * plies >= n->beta;
}

/* The value of a capture in a null window: by quiescence, and if it reaches beta to `depth`. */
static int32_t try_capture(struct tree *t, const struct node *n, const struct check_squares *checks,
                           Move m, int32_t beta, int depth)
{
    struct undo undo;
    const int ply = n->ply + 1;
    tree_prefetch(t, m);
    tree_make(t, n->ply, m, move_gives_check(&t->position, checks, m), &undo);
    int32_t value = -tree_quiesce(t, -beta, -beta + 1, ply, 0, NO_SQUARE);
    if (value >= beta && depth > 0 && !t->stopped)
        value = -tree_search(t, NODE_ALL, -beta, -beta + 1, depth, ply);
    tree_unmake(t, m, &undo);
    return value;
}

bool probcut_prune(struct tree *t, const struct node *n, int32_t *value)
{
    const int plies = param(t, PROBCUT_DEPTH);
    const int32_t threshold = n->beta + param(t, PROBCUT_MARGIN);
    if (plies == 0 || n->depth < PLY * plies || n->kind == NODE_PV || !may_be_cut(t, n) ||
        is_mate_score(threshold))
        return false;
    /* The depth of the node in the reduced search, which includes the capture. */
    const int depth = n->depth - PLY * param(t, PROBCUT_REDUCTION);
    const struct tt_hit *hit = &n->hit;
    if (hit->found && (hit->bound & BOUND_UPPER) != 0 && hit->depth >= depth &&
        hit->value < threshold)
        return false; /* a search so deep stayed below the threshold */
    struct picker picker;
    struct check_squares checks;
    check_squares_find(&t->position, &checks);
    picker_init(&picker, &t->position, &t->ordering, n->context, n->ply, n->hit.move, false);
    for (Move m; (m = picker_next_good(&picker)) != NO_MOVE;) {
        if (is_quiet(m) || !see_at_least(&t->position, m, threshold - n->eval))
            continue;
        *value = try_capture(t, n, &checks, m, threshold, depth - PLY);
        if (t->stopped)
            return false;
        if (*value >= threshold) {
            const struct tt_hit found = {.bound = BOUND_LOWER,
                                         .move = m,
                                         .depth = depth > 0 ? depth : 0,
                                         .on_pv = n->on_pv,
                                         .value = *value,
                                         .eval = n->raw};
            tt_store(&t->tt, tree_key(t), n->ply, &found);
            *value -= is_mate_score(*value) ? 0 : param(t, PROBCUT_MARGIN);
            return true;
        }
    }
    return false;
}

bool multi_cut_prune(struct tree *t, const struct node *n)
{
    const int moves = param(t, MULTI_CUT_MOVES), wanted = param(t, MULTI_CUT_CUTS);
    const int depth = n->depth - PLY - PLY * param(t, MULTI_CUT_REDUCTION);
    if (param(t, MULTI_CUT_USE) == 0 || n->kind != NODE_CUT ||
        n->depth < PLY * param(t, MULTI_CUT_DEPTH) || wanted == 0 || wanted > moves ||
        !may_be_cut(t, n))
        return false;
    struct picker picker;
    struct check_squares checks;
    check_squares_find(&t->position, &checks);
    picker_init(&picker, &t->position, &t->ordering, n->context, n->ply, n->hit.move, false);
    int cuts = 0;
    for (int tried = 0; tried < moves; tried++) {
        struct undo undo;
        const Move m = picker_next(&picker);
        if (m == NO_MOVE)
            return false;
        tree_prefetch(t, m);
        tree_make(t, n->ply, m, move_gives_check(&t->position, &checks, m), &undo);
        cuts += -tree_search(t, NODE_ALL, -n->beta, -n->beta + 1, depth, n->ply + 1) >= n->beta;
        tree_unmake(t, m, &undo);
        if (t->stopped)
            return false;
        if (cuts == wanted)
            return true;
    }
    return false;
}

/* ---- of a move ---- */

bool futility_applies(const struct tree *t, const struct node *n)
{
    return n->depth <= PLY * param(t, FUTILITY_DEPTH) && !n->in_check && !is_mate_score(n->alpha);
}

int32_t futility_bound_of_quiets(const struct tree *t, const struct node *n)
{
    return n->eval + param(t, FUTILITY_THRESHOLD_1 + plies_left(n->depth) - 1);
}

int32_t futility_bound(const struct tree *t, const struct node *n, Move m)
{
    const int32_t *worth = t->worth.of;
    return futility_bound_of_quiets(t, n) + worth[position_captured(&t->position, m)] +
           (move_is_promotion(m) ? worth[move_promotion(m)] : 0);
}

/* An underpromotion gains material, so that its bound is another. On the principal variation, alpha
 * may rise to a mate score meanwhile, and futility pruning end. */
bool futility_prunes_quiets(const struct tree *t, const struct node *n)
{
    const struct position *p = &t->position;
    const enum color us = (enum color)p->side;
    return n->kind != NODE_PV && tree_frame_const(t, n->ply)->excluded == NO_MOVE &&
           futility_applies(t, n) && futility_bound_of_quiets(t, n) <= n->alpha &&
           (position_pieces(p, us, PAWN) & rank_relative(us, 6)) == 0;
}

bool late_move_prunes(const struct tree *t, const struct node *n, Move m)
{
    int plies = plies_left(n->depth);
    if (plies > param(t, LMP_DEPTH) || !is_quiet(m) || n->in_check)
        return false;
    int moves = param(t, LMP_MOVES) + plies * plies;
    if (param(t, IMPROVING_USE) != 0 && !n->improving)
        moves = moves / 2 + 1;
    return n->searched >= moves;
}

bool late_futility_prunes(const struct tree *t, const struct node *n, Move m)
{
    if (param(t, FUTILITY_LATE) == 0 || n->in_check || !is_quiet(m) || is_mate_score(n->alpha))
        return false;
    const int plies = plies_left(n->depth - n->reduction);
    return n->reduction > 0 && plies <= LATE_FUTILITY_PLIES &&
           n->eval + param(t, FUTILITY_LATE) * plies <= n->alpha;
}

bool history_prunes(const struct tree *t, const struct node *n, Move m)
{
    const int plies = plies_left(n->depth);
    if (plies > param(t, HISTORY_PRUNING_DEPTH) || n->in_check || n->searched == 0 || !is_quiet(m))
        return false;
    return n->history < -HISTORY_PRUNING_UNIT * param(t, HISTORY_PRUNING_LIMIT) * plies;
}

bool see_prunes(const struct tree *t, const struct node *n, Move m)
{
    const bool late = is_quiet(m) && param(t, SEE_PRUNING_LATE) != 0;
    const int left = plies_left(n->depth - (late ? n->reduction : 0));
    const int plies = left > 1 ? left : 1;
    if (plies > param(t, SEE_PRUNING_DEPTH) || n->in_check)
        return false;
    const int margin = late          ? param(t, SEE_PRUNING_LATE) * plies
                       : is_quiet(m) ? param(t, SEE_PRUNING_QUIET)
                                     : param(t, SEE_PRUNING_CAPTURE);
    return !see_at_least(&t->position, m, -margin * plies);
}
