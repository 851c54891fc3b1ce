#include "null_move_reductions.h"

bool null_move_reduces(struct tree *t, struct node *n, int plies, int32_t *value)
{
    n->depth -= PLY * plies;
    if (n->depth > 0)
        return false;
    *value = tree_quiesce(t, n->alpha, n->beta, n->ply, 0, NO_SQUARE);
    return true;
}

bool null_move_reductions_cut(struct tree *t, struct node *n, int32_t *value)
{
    return null_move_reduces(t, n, param(t, NULL_MOVE_DEPTH_REDUCTION), value);
}
