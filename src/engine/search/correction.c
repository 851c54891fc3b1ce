#include "selective.h"

/* A node of DEEPEST plies moves the mean by DEEPEST / LEARNING. */
enum { LEARNING = 256, DEEPEST = 16, SIXTEENTHS = 16 };

/* The entry of a position in a table. */
static unsigned index_in(const struct position *p, int table)
{
    if (table == 0)
        return pawns_index(p, CORRECTION_BITS);
    const enum color side = (enum color)(table - 1);
    const uint64_t minors = sets_hash(position_pieces(p, side, KNIGHT),
                                      position_pieces(p, side, BISHOP)),
                   majors =
                       sets_hash(position_pieces(p, side, ROOK), position_pieces(p, side, QUEEN));
    return (unsigned)(sets_hash(minors, majors ^ position_pieces(p, side, KING)) >>
                      (64 - CORRECTION_BITS));
}

/* The sixteenths of a table's entries that are added. */
static int32_t share_of(const struct tree *t, int table)
{
    return param(t, table == 0 ? CORRECTION_SHARE : CORRECTION_PIECES);
}

void correction_prefetch(const struct tree *t)
{
    for (int i = 0; i < CORRECTIONS; i++)
        __builtin_prefetch(&t->corrections[i][t->position.side][index_in(&t->position, i)]);
}

int32_t correction_added(const struct tree *t, int32_t raw)
{
    const struct position *p = &t->position;
    int32_t sum = 0;
    for (int i = 0; i < CORRECTIONS; i++)
        if (share_of(t, i) != 0)
            sum += share_of(t, i) * t->corrections[i][p->side][index_in(p, i)];
    sum /= CORRECTION_GRAIN * SIXTEENTHS;
    return limited(raw + limited(sum, param(t, CORRECTION_LIMIT)), EVAL_LIMIT);
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
    for (int i = 0; i < CORRECTIONS; i++) {
        int16_t *entry = &t->corrections[i][p->side][index_in(p, i)];
        const int32_t error =
            limited(n->best - (i == 0 ? n->raw : n->eval), CORRECTION_MOST) * CORRECTION_GRAIN;
        if (i == 0)
            *entry = (int16_t)limited(*entry + (error - *entry) * weight / LEARNING, limit);
        else if (share_of(t, i) != 0)
            *entry = (int16_t)limited(*entry + error * weight / LEARNING / 2, limit / 4);
    }
}
