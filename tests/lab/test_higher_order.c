/* Orders above the first as evaluations, against QUIESCE written down plainly (Figure 3). */
#include "beal_tree.h"

#include "bare_beal.h"
#include "quiescence_model.h"
#include "random_chess.h"

#include <criterion/criterion.h>

/* QUIESCE of an order to a depth, over the order below: every move of every node, without a window. */
static int32_t model(const struct position *p, int order, int depth, int ply, int64_t *budget)
{
    struct move_list list;
    const bool in_check = position_in_check(p);
    if (order == 1)
        return model_first_order(p, ply, budget);
    if (depth == 0 && !in_check)
        return model(p, order - 1, HIGHER_ORDER_PLIES, ply, budget);
    movegen_legal(p, &list);
    if (list.count == 0)
        return in_check ? -MATE + ply : 0;
    int32_t bestv = -INFINITE_SCORE;
    if (!in_check) {
        struct position passed = *p;
        struct undo undo;
        position_make_null(&passed, &undo);
        bestv = -model(&passed, order - 1, HIGHER_ORDER_PLIES, ply + 1, budget);
    }
    for (int i = 0; i<list.count && * budget> 0; i++) {
        struct position after = model_after(p, list.moves[i]);
        --*budget;
        int32_t v = -model(&after, order, in_check ? depth : depth - 1, ply + 1, budget);
        bestv = v > bestv ? v : bestv;
    }
    return bestv;
}

static int32_t searched(const struct position *p, int order, int depth, int32_t lower,
                        int32_t upper)
{
    struct beal_tree *t = bare_beal(p, true);
    int32_t value = higher_order_search(t, order, lower, upper, depth, 1);
    cr_assert_eq(memcmp(&t->position, p, sizeof *p), 0, "the position is left as it was");
    bare_beal_destroy(t);
    return value;
}

/* The second order to two plies has the value of QUIESCE-D (Figure 5), whose model is another one. */
Test(higher_order, the_second_is_quiesce_over_the_capture_tree)
{
    struct stream s;
    int done = 0, beyond = 0;
    stream_init(&s, 1, STREAM_TEST, 0, 0);
    for (int i = 0; i < 60; i++) {
        struct position p = random_position(&s, 60 + (int)stream_below(&s, 160));
        int64_t budget = 100000, again = budget;
        int32_t expected = model(&p, 2, 2, 1, &budget);
        if (budget <= 0)
            continue;
        cr_assert_eq(searched(&p, 2, 2, -INFINITE_SCORE, INFINITE_SCORE), expected);
        cr_assert_eq(model_quiesce_d(&p, 2, 1, &again).value, expected);
        beyond += expected != model_first_order(&p, 1, &again);
        done++;
    }
    cr_assert(done > 15 && beyond > 5, "%d done, %d beyond the first order", done, beyond);
}

/* Few pieces: QUIESCE over QUIESCE over QUIESCE without a window is large. */
Test(higher_order, the_third_is_quiesce_over_the_second)
{
    static const char *const fens[] = {
        "8/8/8/2k5/1pP5/1K6/8/8 w - -",   "7k/8/5K2/8/8/8/7P/8 w - -",
        "8/8/1p6/k1p5/2P5/1K6/8/8 b - -", "k7/P7/1K6/8/8/8/8/8 w - -",
        "8/1k6/8/8/8/6p1/5p2/5K2 w - -",  "7k/5K2/8/6P1/8/8/8/8 w - -",
    };
    int beyond = 0;
    for (size_t i = 0; i < sizeof fens / sizeof *fens; i++) {
        struct position p;
        int64_t budget = 3000000;
        cr_assert(position_from_fen(&p, fens[i], NULL, NULL));
        int32_t expected = model(&p, 3, 1, 1, &budget);
        cr_assert_gt(budget, 0, "%s", fens[i]);
        cr_expect_eq(searched(&p, 3, 1, -INFINITE_SCORE, INFINITE_SCORE), expected, "%s", fens[i]);
        beyond += expected != model(&p, 2, 1, 1, &budget);
    }
    cr_expect_gt(beyond, 0);
}

Test(higher_order, values_outside_the_window_are_bounds)
{
    struct stream s;
    int low = 0, high = 0;
    stream_init(&s, 2, STREAM_TEST, 0, 0);
    for (int i = 0; i < 200; i++) {
        struct position p = random_position(&s, 60 + (int)stream_below(&s, 160));
        int32_t exact = searched(&p, 2, 2, -INFINITE_SCORE, INFINITE_SCORE);
        int32_t alpha = model_balance(&p) - 500 + 100 * (int32_t)stream_below(&s, 10);
        int32_t value = searched(&p, 2, 2, alpha, alpha + 100);
        low += value <= alpha;
        high += value >= alpha + 100;
        cr_assert(value <= alpha         ? exact <= value
                  : value >= alpha + 100 ? exact >= value
                                         : exact == value);
    }
    cr_assert(low > 20 && high > 20, "%d low, %d high", low, high);
}
