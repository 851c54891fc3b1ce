#include "selective.h"

/* A node of DEEPEST plies moves the mean by DEEPEST / LEARNING. */
enum { LEARNING = 256, DEEPEST = 16, SIXTEENTHS = 16 };

static int32_t clamp(int32_t value, int32_t limit)
{
    return value > limit ? limit : value < -limit ? -limit : value;
}

int32_t correction_added(const struct tree *t, int32_t raw)
{
    const struct position *p = &t->position;
    const int32_t mean = t->corrections[p->side][pawns_index(p, CORRECTION_BITS)];
    const int32_t share = mean * param(t, CORRECTION_SHARE) / (CORRECTION_GRAIN * SIXTEENTHS);
    return clamp(raw + clamp(share, param(t, CORRECTION_LIMIT)), EVAL_LIMIT);
}

/* Whether the value tells more than the evaluation does. */
static bool is_telling(const struct tree *t, const struct node *n)
{
    if (n->in_check || is_mate_score(n->best) || tree_frame_const(t, n->ply)->excluded != NO_MOVE ||
        (n->best_move != NO_MOVE && !is_quiet(n->best_move)))
        return false;
    const bool lower = n->best >= n->beta, upper = !lower && n->best_move == NO_MOVE;
    return !(lower && n->best <= n->eval) && !(upper && n->best >= n->eval);
}

void correction_learn(struct tree *t, const struct node *n)
{
    if (param(t, CORRECTION_SHARE) == 0 || !is_telling(t, n))
        return;
    const struct position *p = &t->position;
    const int32_t limit = CORRECTION_MOST * CORRECTION_GRAIN, plies = plies_left(n->depth) + 1;
    const int32_t weight = plies < DEEPEST ? plies : DEEPEST;
    int16_t *mean = &t->corrections[p->side][pawns_index(p, CORRECTION_BITS)];
    const int32_t error = clamp(n->best - n->raw, CORRECTION_MOST) * CORRECTION_GRAIN;
    *mean = (int16_t)clamp(*mean + (error - *mean) * weight / LEARNING, limit);
}
