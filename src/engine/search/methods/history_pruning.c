#include "history_pruning.h"

bool history_prunes_move(const struct tree *t, const struct node *n, Move m)
{
    if (n->in_check || n->searched == 0 || !is_quiet(m))
        return false;
    const int limit = HISTORY_PRUNING_UNIT * param(t, HISTORY_PRUNING_LIMIT);
    return ordering_score(&t->ordering, &t->position, &n->context, m) <
           -limit * plies_left(n->depth);
}
