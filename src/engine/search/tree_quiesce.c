#include "quiesce.h"
#include "see.h"
#include "selective.h"

/* A quiescence node. */
struct leaf_node {
    int32_t alpha, beta, best;
    int ply, depth, target;
    bool all;          /* searches all listed moves: the evasions, without stand-pat, or captures */
    bool wide;         /* searches all captures that lose nothing, at any ply */
    bool stored;       /* uses the table: a first node, or a wide one without a check */
    int32_t eval, raw; /* corrected, and as the table stores it */
    struct tt_hit hit; /* only where the value does not depend on the moves before */
    Move best_move;
    struct move_list list;
    int32_t scores[MAX_MOVES];
};

/* Whether the side to move is in check and must search all evasions. */
static bool must_evade(const struct tree *t, int ply, int depth)
{
    return depth == 0 ? tree_in_check(t, ply)
                      : param(t, QUIESCENCE_EVASIONS) != 0 && position_in_check(&t->position);
}

/* Adds quiet checks that lose no material. */
static void add_checks(const struct tree *t, struct move_list *list)
{
    struct move_list quiet;
    struct check_squares checks;
    check_squares_find(&t->position, &checks);
    movegen_quiet_checks(&t->position, &checks, &quiet);
    for (int i = 0; i < quiet.count; i++)
        if (see_at_least(&t->position, quiet.moves[i], 0))
            list->moves[list->count++] = quiet.moves[i];
}

/* The ordering score: the hash move, captures by MVV/LVA, quiet moves by history. */
static int32_t order(const struct tree *t, const struct leaf_node *n, Move m)
{
    if (m == n->hit.move)
        return INT32_MAX;
    if (is_quiet(m))
        return t->ordering.history[t->position.side][0][m & 4095] - 4 * HISTORY_LIMIT;
    return capture_score(&t->ordering, &t->position, m);
}

/* Lists and scores the candidate moves; SEE is computed when a move's turn comes. */
static void list_moves(const struct tree *t, struct leaf_node *n)
{
    if (n->all)
        movegen_legal(&t->position, &n->list);
    else
        movegen_captures(&t->position, &n->list);
    if (!n->all && n->depth < param(t, QUIESCENCE_CHECKS))
        add_checks(t, &n->list);
    if (param(t, QUIESCENCE_ALL_CAPTURES) != 0)
        n->all = true;
    for (int i = 0; i < n->list.count; i++)
        n->scores[i] = order(t, n, n->list.moves[i]);
}

/* Whether the rule searches the move; quiet checks are already filtered. */
static bool is_searched(const struct tree *t, const struct leaf_node *n, Move m)
{
    return n->all || is_quiet(m) ||
           (n->wide ? see_at_least(&t->position, m, 0)
                    : quiesce_searches(&t->position, m, n->depth, n->target));
}

/* Delta pruning: whether a capture cannot reach alpha, by a margin. Raises the node's value to the bound. */
static bool misses_alpha(const struct tree *t, struct leaf_node *n, Move m, int32_t alpha)
{
    if (param(t, QUIESCENCE_MARGIN) == 0 || n->all || is_quiet(m))
        return false;
    const int32_t *worth = t->worth.of;
    const int32_t bound = n->eval + param(t, QUIESCENCE_MARGIN) +
                          worth[position_captured(&t->position, m)] +
                          (move_is_promotion(m) ? worth[move_promotion(m)] : 0);
    if (bound > alpha)
        return false;
    n->best = bound > n->best ? bound : n->best;
    return true;
}

/* Searches the moves until one fails high. False if the search must stop. */
static bool search_moves(struct tree *t, struct leaf_node *n)
{
    for (int i = 0; i < n->list.count && n->best < n->beta; i++) {
        struct undo undo;
        Move m = pick_best(&n->list, n->scores, i);
        int32_t alpha = n->best > n->alpha ? n->best : n->alpha;
        if (misses_alpha(t, n, m, alpha) || !is_searched(t, n, m))
            continue;
        if (n->wide)
            tree_prefetch(t, m);
        tree_make(t, n->ply, m, false, &undo);
        int32_t value = -tree_quiesce(t, -n->beta, -alpha, n->ply + 1, n->depth + 1, move_to(m));
        tree_unmake(t, m, &undo);
        if (t->stopped)
            return false;
        if (value > n->best) {
            n->best = value;
            if (value > n->alpha)
                n->best_move = m;
        }
    }
    return true;
}

/* ---- the node ---- */

/* The kind of the node; for a first node without check, mostly by a glance at the pawns. */
static enum quiesce_status status_of(const struct tree *t, int ply, int depth)
{
    if (depth == 0 && !tree_in_check(t, ply) && movegen_pawn_steps(&t->position))
        return QUIESCE_STAND_PAT;
    return leaf_status(&t->position);
}

static void leaf_init(struct tree *t, struct leaf_node *n, int32_t alpha, int32_t beta, int ply,
                      int depth, int target)
{
    n->alpha = alpha;
    n->beta = beta;
    n->ply = ply;
    n->depth = depth;
    n->target = target;
    n->best_move = NO_MOVE;
    n->wide = param(t, QUIESCENCE_WIDE) != 0;
    n->stored = (depth == 0 || (n->wide && !position_in_check(&t->position))) &&
                param(t, QUIESCENCE_TABLE_OFF) == 0;
    n->hit = n->stored ? tt_probe(&t->tt, tree_key(t), ply)
                       : (struct tt_hit){.move = NO_MOVE, .eval = NO_EVAL};
}

/* Whether the table cuts the node; never on the principal variation. */
static bool table_cuts(const struct tree *t, const struct leaf_node *n)
{
    return n->beta - n->alpha == 1 && t->position.halfmove < TABLE_HALFMOVES &&
           (n->hit.bound & (n->hit.value >= n->beta ? BOUND_LOWER : BOUND_UPPER)) != 0;
}

/* Sets the initial value: the evaluation, or none if a check must be answered: then only the last ply needs one. */
static void stand_pat(struct tree *t, struct leaf_node *n)
{
    n->all = must_evade(t, n->ply, n->depth);
    n->raw = n->hit.eval;
    if (n->raw == NO_EVAL && (!n->all || n->ply >= MAX_PLY - 1))
        n->raw = tree_evaluate_node(t, n->ply);
    n->eval = n->raw == NO_EVAL ? NO_EVAL : tree_corrected(t, n->raw);
    n->best = n->all ? -INFINITE_SCORE : tree_bounded(t, &n->hit, n->eval);
}

/* Stores the value of a first node in the table, with depth 0. */
static void store(struct tree *t, const struct leaf_node *n)
{
    const struct tt_hit found = {
        .bound = bound_within(n->alpha, n->beta, n->best),
        .move = n->best_move,
        .depth = 0,
        .on_pv = n->hit.on_pv,
        .value = n->best,
        .eval = n->raw, /* none in check */
    };
    if (n->stored)
        tt_store(&t->tt, tree_key(t), n->ply, &found);
}

/* Whether a check at a leaf is searched a ply deeper instead. */
static bool is_extended(const struct tree *t, const struct leaf_node *n)
{
    return n->all && n->depth == 0 && param(t, LEAF_CHECK_EXTENSION) != 0;
}

int32_t tree_quiesce(struct tree *t, int32_t alpha, int32_t beta, int ply, int depth, int target)
{
    struct leaf_node n; /* the move lists stay uninitialised until filled */
    if (tree_enter(t, ply))
        return 0;
    enum quiesce_status status = status_of(t, ply, depth); /* hides the fetch of the table */
    if (status != QUIESCE_STAND_PAT)
        return leaf_constant(status, ply - 1); /* whose plies begin at the first leaf */
    leaf_init(t, &n, alpha, beta, ply, depth, target);
    if (table_cuts(t, &n))
        return n.hit.value;
    stand_pat(t, &n);
    if (ply >= MAX_PLY - 1)
        return n.eval;
    if (n.best < beta) {
        if (is_extended(t, &n))
            return tree_search(t, beta - alpha > 1 ? NODE_PV : NODE_CUT, alpha, beta, PLY, ply);
        list_moves(t, &n);
        if (!search_moves(t, &n))
            return 0;
    }
    store(t, &n);
    return n.best;
}
