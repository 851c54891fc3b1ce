#include "tree.h"

#include "quiesce.h"
#include "see.h"

/* A node of quiescence. */
struct leaf_node {
    int32_t alpha, beta, best;
    int ply, depth, target;
    bool evasions; /* in check, with no stand-pat */
    int32_t eval;
    struct tt_hit hit; /* of the first node alone, where the value depends on the position alone */
    Move best_move;
    struct move_list list;
    int32_t scores[MAX_MOVES];
};

/* Whether the side to move is in check where that means that all evasions are searched. */
static bool must_evade(const struct tree *t, int depth)
{
    return (depth == 0 || param(t, QUIESCENCE_EVASIONS) != 0) && position_in_check(&t->position);
}

/* Adds the quiet moves that give check and lose nothing. */
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

/* The hash move, captures by what they take and with what, quiet moves by history. */
static int32_t order(const struct tree *t, const struct leaf_node *n, Move m)
{
    if (m == n->hit.move)
        return INT32_MAX;
    if (is_quiet(m))
        return t->ordering.history[t->position.side][m & 4095] - 4 * HISTORY_LIMIT;
    return capture_order(&t->position, m);
}

/* Lists the moves that may be searched, with their order; SEE is asked when a move's turn comes. */
static void list_moves(const struct tree *t, struct leaf_node *n)
{
    if (n->evasions)
        movegen_legal(&t->position, &n->list);
    else
        movegen_captures(&t->position, &n->list);
    if (!n->evasions && n->depth < param(t, QUIESCENCE_CHECKS))
        add_checks(t, &n->list);
    for (int i = 0; i < n->list.count; i++)
        n->scores[i] = order(t, n, n->list.moves[i]);
}

/* Whether the rule searches the move; quiet checks have been chosen before. */
static bool searched(const struct tree *t, const struct leaf_node *n, Move m)
{
    return n->evasions || is_quiet(m) || quiesce_searches(&t->position, m, n->depth, n->target);
}

/* Searches the moves until one fails high; false when the search has to stop. */
static bool search_moves(struct tree *t, struct leaf_node *n)
{
    for (int i = 0; i < n->list.count && n->best < n->beta; i++) {
        struct undo undo;
        Move m = scored_take(&n->list, n->scores, i);
        if (!searched(t, n, m))
            continue;
        int32_t alpha = n->best > n->alpha ? n->best : n->alpha;
        tree_make(t, n->ply, m, &undo);
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

/* The value of a position without legal moves, or one that nobody can win. */
static int32_t constant(enum quiesce_status status, int ply)
{
    return status == QUIESCE_MATED ? -MATE + ply : 0;
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
    n->hit = depth == 0 ? tt_probe(&t->tt, t->position.key, ply)
                        : (struct tt_hit){.move = NO_MOVE, .eval = NO_EVAL};
}

/* Whether the table settles the node; on the principal variation the line is wanted. */
static bool table_cuts(const struct tree *t, const struct leaf_node *n)
{
    return n->beta - n->alpha == 1 && t->position.halfmove < TABLE_HALFMOVES &&
           (n->hit.bound & (n->hit.value >= n->beta ? BOUND_LOWER : BOUND_UPPER)) != 0;
}

/* The value to begin with: the evaluation, or nothing where the check must be answered. */
static void stand_pat(struct tree *t, struct leaf_node *n)
{
    n->evasions = must_evade(t, n->depth);
    n->eval = n->hit.eval != NO_EVAL ? n->hit.eval : tree_evaluate(t);
    n->best = n->evasions ? -INFINITE_SCORE : n->eval;
}

/* Keeps the value of a first node in the table, as one of depth 0. */
static void keep(struct tree *t, const struct leaf_node *n)
{
    const struct tt_hit found = {
        .bound = n->best >= n->beta   ? BOUND_LOWER
                 : n->best > n->alpha ? BOUND_EXACT
                                      : BOUND_UPPER,
        .move = n->best_move,
        .depth = 0,
        .value = n->best,
        .eval = n->evasions ? NO_EVAL : n->eval,
    };
    if (n->depth == 0)
        tt_store(&t->tt, t->position.key, n->ply, &found);
}

int32_t tree_quiesce(struct tree *t, int32_t alpha, int32_t beta, int ply, int depth, int target)
{
    struct leaf_node n; /* its lists are left as they are until they are filled */
    if (tree_poll(t))
        return 0;
    if (ply > t->seldepth)
        t->seldepth = ply;
    enum quiesce_status status = leaf_status(&t->position); /* while the table's line is fetched */
    if (status != QUIESCE_STAND_PAT)
        return constant(status, ply);
    leaf_init(t, &n, alpha, beta, ply, depth, target);
    if (table_cuts(t, &n))
        return n.hit.value;
    stand_pat(t, &n);
    if (ply >= MAX_PLY - 1)
        return n.eval;
    if (n.best < beta) {
        list_moves(t, &n);
        if (!search_moves(t, &n))
            return 0;
    }
    keep(t, &n);
    return n.best;
}
