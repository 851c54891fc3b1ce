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

bool verified_null_move_fail_high(struct tree *t, struct node *n, int32_t *value)
{
    /* Step 2. */
    if (n->verifying)
        return param(t, NULL_MOVE_MODE) == NULL_MOVE_VERIFIED ||
               null_move_reduce(t, n, REDUCTION_BELOW, value);
    /* Step 1. */
    n->depth -= PLY;
    n->verifying = n->fail_high = tree_frame(t, n->ply)->verifying = true;
    return false;
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
