#include "quiesce.h"

#include "see.h"

/* The plies of quiescence at which captures on any square are searched. */
enum { CAPTURE_PLIES = 3 };

bool quiesce_searches(const struct position *p, Move m, int ply, int target)
{
    if (move_is_promotion(m) && move_promotion(m) != QUEEN)
        return false;
    if (ply == 0 || move_to(m) == target)
        return see_at_least(p, m, 0);
    return ply < CAPTURE_PLIES && see_at_least(p, m, 1);
}

enum quiesce_status quiesce_moves(const struct position *p, int ply, int target,
                                  struct move_list *list)
{
    list->count = 0;
    enum quiesce_status status = leaf_status(p);
    if (status != QUIESCE_STAND_PAT)
        return status;
    if (ply == 0 && position_in_check(p)) {
        movegen_legal(p, list);
        return QUIESCE_MUST_MOVE;
    }
    int kept = 0;
    movegen_captures(p, list);
    for (int i = 0; i < list->count; i++)
        if (quiesce_searches(p, list->moves[i], ply, target))
            list->moves[kept++] = list->moves[i];
    list->count = kept;
    return QUIESCE_STAND_PAT;
}

enum quiesce_status leaf_status(const struct position *p)
{
    if (position_insufficient_material(p))
        return QUIESCE_DRAWN;
    if (movegen_any(p))
        return QUIESCE_STAND_PAT;
    return position_in_check(p) ? QUIESCE_MATED : QUIESCE_DRAWN;
}

int32_t leaf_constant(enum quiesce_status status, int ply)
{
    return status == QUIESCE_MATED ? -MATE + ply + 1 : 0;
}

/* ---- the 1-ply search ---- */

static int32_t within(int32_t value, int32_t alpha, int32_t beta)
{
    return value < alpha ? alpha : value > beta ? beta : value;
}

/* The value of a constant node, in exact scores. */
static int32_t constant(enum quiesce_status status, int ply)
{
    return status == QUIESCE_MATED ? MATE - EXACT_MATE + leaf_constant(status, ply) : 0;
}

/* Alpha-beta over the quiescence tree; fail-hard. */
static int32_t quiesce(struct position *p, const struct evaluation *e, int32_t alpha, int32_t beta,
                       int ply, int target, uint64_t *nodes)
{
    struct move_list list;
    enum quiesce_status status = quiesce_moves(p, ply, target, &list);
    if (status == QUIESCE_MATED || status == QUIESCE_DRAWN)
        return within(constant(status, ply), alpha, beta);
    if (status == QUIESCE_STAND_PAT) {
        alpha = within(evaluation_exact(e, p), alpha, beta);
        if (alpha >= beta)
            return beta;
    }
    for (int i = 0; i < list.count && alpha < beta; i++) {
        struct undo undo;
        Move m = list.moves[i];
        position_make(p, m, &undo);
        ++*nodes;
        int32_t value = -quiesce(p, e, -beta, -alpha, ply + 1, move_to(m), nodes);
        position_unmake(p, m, &undo);
        if (value > alpha)
            alpha = value;
    }
    return alpha;
}

/* The value of a leaf for the side to move, an exact score within (alpha, beta), fail-hard. Mates count
 * from the root, one ply above the leaf. */
static int32_t leaf_search(struct position *p, const struct evaluation *e, enum leaf leaf,
                           int32_t alpha, int32_t beta, uint64_t *nodes)
{
    if (leaf == LEAF_QUIESCENCE)
        return quiesce(p, e, alpha, beta, 0, NO_SQUARE, nodes);
    enum quiesce_status status = leaf_status(p);
    int32_t value = status == QUIESCE_STAND_PAT ? evaluation_exact(e, p) : constant(status, 0);
    return within(value, alpha, beta);
}

Move one_ply_search(struct position *p, const struct evaluation *e, enum leaf leaf, uint64_t *nodes)
{
    struct move_list list;
    movegen_legal(p, &list);
    movegen_sort(&list);
    Move best = NO_MOVE;
    int32_t alpha = -EXACT_INFINITE;
    for (int i = 0; i < list.count; i++) {
        struct undo undo;
        position_make(p, list.moves[i], &undo);
        ++*nodes;
        int32_t value = -leaf_search(p, e, leaf, -EXACT_INFINITE, -alpha, nodes);
        position_unmake(p, list.moves[i], &undo);
        if (value > alpha) {
            alpha = value;
            best = list.moves[i];
        }
    }
    return best;
}
