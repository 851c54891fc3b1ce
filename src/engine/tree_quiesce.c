#include "tree.h"

#include "quiesce.h"
#include "see.h"

/* A node of quiescence. */
struct leaf_node {
    int32_t alpha, beta, best;
    int ply, depth, target;
    bool evasions; /* in check, with no stand-pat */
    struct move_list list;
    int32_t scores[MAX_MOVES];
};

/* Whether being in check means that all evasions are searched. */
static bool must_evade(const struct tree *t, int depth)
{
    return depth == 0 || param(t, QUIESCENCE_EVASIONS) != 0;
}

/* Adds the quiet moves that give check and lose nothing. */
static void add_checks(const struct tree *t, struct move_list *list)
{
    struct move_list quiets;
    struct check_squares checks;
    check_squares_find(&t->position, &checks);
    movegen_quiets(&t->position, &quiets);
    for (int i = 0; i < quiets.count; i++) {
        Move m = quiets.moves[i];
        if (move_gives_check(&t->position, &checks, m) && see_at_least(&t->position, m, 0))
            list->moves[list->count++] = m;
    }
}

/* Lists the moves that may be searched, with their order; SEE is asked of each when its turn comes.
 */
static void list_moves(const struct tree *t, struct leaf_node *n)
{
    if (n->evasions)
        movegen_legal(&t->position, &n->list);
    else
        movegen_captures(&t->position, &n->list);
    if (!n->evasions && n->depth < param(t, QUIESCENCE_CHECKS))
        add_checks(t, &n->list);
    for (int i = 0; i < n->list.count; i++)
        n->scores[i] = capture_order(&t->position, n->list.moves[i]);
}

/* Takes the best ordered move of those from `i` on. */
static Move take(struct leaf_node *n, int i)
{
    int best = i;
    for (int j = i + 1; j < n->list.count; j++)
        if (n->scores[j] > n->scores[best])
            best = j;
    Move m = n->list.moves[best];
    n->list.moves[best] = n->list.moves[i];
    n->scores[best] = n->scores[i];
    return m;
}

/* Whether the rule searches the move; quiet checks have been chosen before. */
static bool searched(const struct tree *t, const struct leaf_node *n, Move m)
{
    return n->evasions || is_quiet(m) || quiesce_searches(&t->position, m, n->depth, n->target);
}

/* Searches the moves; false when the search has to stop. */
static bool search_moves(struct tree *t, struct leaf_node *n)
{
    for (int i = 0; i < n->list.count && n->best < n->beta; i++) {
        struct undo undo;
        Move m = take(n, i);
        if (!searched(t, n, m))
            continue;
        int32_t alpha = n->best > n->alpha ? n->best : n->alpha;
        tree_make(t, n->ply, m, &undo);
        int32_t value = -tree_quiesce(t, -n->beta, -alpha, n->ply + 1, n->depth + 1, move_to(m));
        tree_unmake(t, m, &undo);
        if (t->stopped)
            return false;
        if (value > n->best)
            n->best = value;
    }
    return true;
}

/* The value of a position without legal moves, or one that nobody can win. */
static int32_t constant(enum quiesce_status status, int ply)
{
    return status == QUIESCE_MATED ? -MATE + ply : 0;
}

int32_t tree_quiesce(struct tree *t, int32_t alpha, int32_t beta, int ply, int depth, int target)
{
    if (tree_must_stop(t))
        return 0;
    if (ply > t->seldepth)
        t->seldepth = ply;
    enum quiesce_status status = leaf_status(&t->position);
    if (status != QUIESCE_STAND_PAT)
        return constant(status, ply);
    struct leaf_node n; /* its lists are left as they are until they are filled */
    n.alpha = alpha;
    n.beta = beta;
    n.ply = ply;
    n.depth = depth;
    n.target = target;
    n.evasions = must_evade(t, depth) && position_in_check(&t->position);
    n.best = n.evasions ? -INFINITE_SCORE : tree_evaluate(t);
    if (n.best >= beta || ply >= MAX_PLY - 1)
        return n.evasions ? tree_evaluate(t) : n.best;
    list_moves(t, &n);
    return search_moves(t, &n) ? n.best : 0;
}
