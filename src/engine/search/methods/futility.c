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
    return worth[position_captured(&t->position, m)] +
           (move_is_promotion(m) ? worth[move_promotion(m)] : 0);
}

int32_t futility_bound_of_quiets(const struct tree *t, const struct node *n)
{
    return n->eval + param(t, FUTILITY_THRESHOLD_1 + plies_left(n->depth) - 1);
}

int32_t futility_bound(const struct tree *t, const struct node *n, Move m)
{
    return futility_bound_of_quiets(t, n) + gain(t, m);
}

/* An underpromotion gains material, so that its bound is another. On the principal variation, alpha
 * may rise to a mate score meanwhile, and futility pruning end. */
bool futility_prunes_quiets(const struct tree *t, const struct node *n)
{
    const struct position *p = &t->position;
    const enum color us = (enum color)p->side;
    Bitboard seventh = rank_bits(us == WHITE ? 6 : 1);
    return n->kind != NODE_PV && tree_frame_const(t, n->ply)->excluded == NO_MOVE &&
           futility_applies(t, n) && futility_bound_of_quiets(t, n) <= n->alpha &&
           (position_pieces(p, us, PAWN) & seventh) == 0;
}
