#include "futility.h"

#include "see.h"

bool futility_applies(const struct tree *t, const struct node *n)
{
    return n->depth <= PLY * param(t, FUTILITY_DEPTH) && !n->in_check && !is_mate_score(n->alpha);
}

/* The material gain of a move by capture and promotion. */
static int32_t gain(const struct tree *t, Move m)
{
    const int32_t *worth = t->worth.of;
    enum kind taken = move_flag(m) == EN_PASSANT ? PAWN : t->position.board[move_to(m)];
    return worth[taken] + (move_is_promotion(m) ? worth[move_promotion(m)] : 0);
}

int32_t futility_bound(const struct tree *t, const struct node *n, Move m)
{
    int32_t threshold = param(t, FUTILITY_THRESHOLD_1 + plies_left(n->depth) - 1);
    return n->eval + gain(t, m) + threshold;
}
