#include "see_pruning.h"

#include "see.h"

bool see_prunes(const struct tree *t, const struct node *n, Move m)
{
    int plies = plies_left(n->depth);
    if (plies > param(t, SEE_PRUNING_DEPTH) || n->in_check)
        return false;
    int margin = param(t, is_quiet(m) ? SEE_PRUNING_QUIET : SEE_PRUNING_CAPTURE);
    return !see_at_least(&t->position, m, -margin * plies);
}
