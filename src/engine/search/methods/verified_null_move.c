#include "verified_null_move.h"

#include "null_move.h"
#include "null_move_reductions.h"

enum { REDUCTION_BELOW = 2 }; /* in plies, in the variant */

static bool verifies(const struct tree *t)
{
    int mode = param(t, NULL_MOVE_MODE);
    return mode == NULL_MOVE_VERIFIED || mode == NULL_MOVE_VERIFIED_REDUCING;
}

bool verification_is_possible(const struct tree *t, const struct node *n)
{
    return !verifies(t) || n->verifying || n->depth > PLY;
}

/* Step 1a. An upper bound below beta refutes the null move, so that the node is searched at once to
 * its whole depth. */
static bool table_decides(const struct tree *t, struct node *n, int32_t *value)
{
    if (param(t, VERIFIED_PROBE) == 0 || !node_table_cuts(t, n))
        return false;
    *value = n->hit.value;
    if (*value < n->beta)
        n->depth += PLY;
    return true;
}

bool verified_null_move_fail_high(struct tree *t, struct node *n, int32_t *value)
{
    /* Step 2. */
    if (n->verifying)
        return param(t, NULL_MOVE_MODE) == NULL_MOVE_VERIFIED ||
               null_move_reduce(t, n, REDUCTION_BELOW, value);
    /* Step 1. */
    n->depth -= PLY;
    if (table_decides(t, n, value))
        return *value >= n->beta;
    n->verifying = n->fail_high = tree_frame(t, n->ply)->verifying = true;
    return false;
}

int verified_null_move_stored_depth(const struct tree *t, const struct node *n)
{
    return n->fail_high && param(t, VERIFIED_STORE) != 0 ? n->depth + PLY : n->depth;
}

/* Step 3. */
bool verification_fails(const struct tree *t, const struct node *n)
{
    return n->fail_high && n->best < n->beta && !t->stopped;
}

void verification_restart(struct node *n)
{
    n->depth += PLY;
    n->verifying = n->fail_high = false;
    n->best = -INFINITE_SCORE;
    n->best_move = NO_MOVE;
    n->searched = n->quiet_count = 0;
}
