#include "singular.h"

/* The depth of the search without the hash move. */
static int search_depth(const struct node *n)
{
    return (n->depth - PLY) / 2;
}

/* Whether the node is deep enough for a search without the hash move, and a search nearly as deep failed high
 * with that move. */
static bool applies(const struct tree *t, const struct node *n)
{
    const struct tt_hit *hit = &n->hit;
    return param(t, SINGULAR_DEPTH) != 0 && n->depth >= PLY * param(t, SINGULAR_DEPTH) &&
           search_depth(n) > 0 && hit->move != NO_MOVE && (hit->bound & BOUND_LOWER) != 0 &&
           hit->depth >= n->depth - 3 * PLY && !is_mate_score(hit->value) &&
           tree_frame_const(t, n->ply)->excluded == NO_MOVE &&
           movegen_is_legal(&t->position, hit->move);
}

bool singular_extend(struct tree *t, struct node *n, int32_t *value)
{
    if (!applies(t, n))
        return false;
    struct frame *f = tree_frame(t, n->ply);
    int32_t beta = n->hit.value - param(t, SINGULAR_MARGIN) * plies_left(n->depth) / 4;
    f->excluded = n->hit.move;
    enum node_kind kind = n->kind == NODE_ALL ? NODE_ALL : NODE_CUT;
    *value = tree_search(t, kind, beta - 1, beta, search_depth(n), n->ply);
    f->excluded = NO_MOVE;
    if (*value < beta)
        n->singular = PLY;
    else if (n->kind != NODE_PV && n->hit.value >= n->beta)
        n->singular = -param(t, SINGULAR_REDUCTION);
    *value = beta;
    return *value >= n->beta && n->singular <= 0 && n->kind != NODE_PV;
}
