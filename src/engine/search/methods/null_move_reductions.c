#include "null_move_reductions.h"

bool null_move_reduce(struct tree *t, struct node *n, int plies, int32_t *value)
{
    n->depth -= PLY * plies;
    if (n->depth > 0)
        return false;
    *value = tree_quiesce(t, n->alpha, n->beta, n->ply, 0, NO_SQUARE);
    return true;
}
