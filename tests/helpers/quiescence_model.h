/* Null-move quiescence written down as plainly as it can be: no table, no order of moves, and for
 * fat values no window. What the search must find. */
#ifndef GRAYLING_QUIESCENCE_MODEL_H
#define GRAYLING_QUIESCENCE_MODEL_H

#include "beal.h"
#include "movegen.h"

/* Counted square by square. */
static inline int32_t model_balance(const struct position *p)
{
    static const int32_t worth[] = {100, 300, 300, 500, 900, 0};
    int32_t sum = 0;
    for (int square = 0; square < 64; square++)
        if (p->board[square] != NO_KIND)
            sum += (p->by_color[p->side] & bit(square)) != 0 ? worth[p->board[square]]
                                                             : -worth[p->board[square]];
    return sum;
}

static inline struct position model_after(const struct position *p, Move m)
{
    struct position after = *p;
    struct undo undo;
    position_make(&after, m, &undo);
    return after;
}

/* QUIESCE as beal-1990 prints it (Figure 3), over material: all moves, and the value of passing,
 * which is the evaluation, in check too. (Of the figure's window it is `upper` alone that matters.)
 * `*budget` counts down the moves. */
static inline int32_t model_quiesce(const struct position *p, int32_t upper, int64_t *budget)
{
    struct move_list list;
    int32_t bestv = model_balance(p);
    movegen_legal(p, &list);
    for (int i = 0; i<list.count && * budget> 0; i++) {
        if (bestv >= upper)
            return bestv;
        struct position after = model_after(p, list.moves[i]);
        --*budget;
        int32_t v = -model_quiesce(&after, -bestv, budget);
        bestv = v > bestv ? v : bestv;
    }
    return bestv;
}

static inline bool model_mated(const struct position *p)
{
    return position_in_check(p) && !movegen_any(p);
}

static inline bool model_mates(const struct position *p)
{
    struct move_list list;
    movegen_legal(p, &list);
    for (int i = 0; i < list.count; i++) {
        struct position after = model_after(p, list.moves[i]);
        if (model_mated(&after))
            return true;
    }
    return false;
}

/* The capture tree, with checkmates if they are wanted: a mate in one at its first ply, and whoever
 * is mated. Alpha-beta, fail-hard. */
static inline int32_t model_captures(const struct position *p, int32_t lower, int32_t upper,
                                     int ply, bool first, bool checkmates, int64_t *budget)
{
    struct move_list list;
    int32_t best = model_balance(p);
    if (checkmates && model_mated(p))
        return -MATE + ply;
    if (checkmates && first && best < upper && model_mates(p))
        return MATE - ply - 1;
    best = best > lower ? best : lower;
    movegen_legal(p, &list);
    for (int i = 0; i<list.count && * budget> 0 && best < upper; i++) {
        if (!move_is_capture(list.moves[i]) && !move_is_promotion(list.moves[i]))
            continue;
        struct position after = model_after(p, list.moves[i]);
        --*budget;
        int32_t v = -model_captures(&after, -upper, -best, ply + 1, false, checkmates, budget);
        best = v > best ? v : best;
    }
    return best;
}

static inline int32_t model_first_order(const struct position *p, int ply, int64_t *budget)
{
    return model_captures(p, -INFINITE_SCORE, INFINITE_SCORE, ply, true, true, budget);
}

static inline struct fat_value model_point(int32_t value)
{
    return (struct fat_value){value, value, value};
}

/* QUIESCE-D (Figure 5) of the second order, every move of every node. */
static inline struct fat_value model_quiesce_d(const struct position *p, int depth, int ply,
                                               int64_t *budget)
{
    struct move_list list;
    bool in_check = position_in_check(p);
    struct fat_value f = model_point(-INFINITE_SCORE);
    movegen_legal(p, &list);
    if (depth == 0 && !in_check)
        return (struct fat_value){-INFINITE_SCORE, model_first_order(p, ply, budget),
                                  INFINITE_SCORE};
    if (list.count == 0)
        return model_point(in_check ? -MATE + ply : 0);
    if (!in_check) {
        struct position passed = *p;
        struct undo undo;
        position_make_null(&passed, &undo);
        f = model_point(-model_first_order(&passed, ply + 1, budget));
    }
    for (int i = 0; i<list.count && * budget> 0; i++) {
        struct position after = model_after(p, list.moves[i]);
        --*budget;
        int left = in_check ? depth : depth - 1;
        const struct fat_value g = model_quiesce_d(&after, left, ply + 1, budget);
        f.lower = -g.upper > f.lower ? -g.upper : f.lower;
        f.value = -g.value > f.value ? -g.value : f.value;
        f.upper = -g.lower > f.upper ? -g.lower : f.upper;
    }
    return f;
}

#endif
