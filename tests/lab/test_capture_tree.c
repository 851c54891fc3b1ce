/* The capture tree against QUIESCE as the paper prints it, and against one without shortcuts. */
#include "beal_tree.h"

#include "bare_beal.h"
#include "quiescence_model.h"
#include "random_chess.h"
#include "thorough.h"

#include <criterion/criterion.h>

enum { BUDGET = 60000 };

static int32_t searched(const struct position *p, bool checkmates, int32_t lower, int32_t upper)
{
    struct beal_tree *t = bare_beal(p, checkmates);
    int32_t value = capture_tree_search(t, lower, upper, 1);
    cr_assert_eq(memcmp(&t->position, p, sizeof *p), 0, "the position is left as it was");
    bare_beal_destroy(t);
    return value;
}

/* Section 6: on material QUIESCE is the capture tree and a fringe. */
Test(capture_tree, is_quiesce_on_material)
{
    struct stream s;
    const int cases = thorough(300, 1000);
    int done = 0, tactical = 0;
    stream_init(&s, 1, STREAM_TEST, 0, 0);
    for (int i = 0; i < cases; i++) {
        struct position p = random_position(&s, (int)stream_below(&s, 160));
        int64_t budget = BUDGET;
        int32_t expected = model_quiesce(&p, INFINITE_SCORE, &budget);
        if (budget <= 0)
            continue;
        cr_assert_eq(searched(&p, false, -INFINITE_SCORE, INFINITE_SCORE), expected);
        tactical += expected != model_balance(&p);
        done++;
    }
    cr_assert_gt(done, cases * 3 / 4, "%d were too large", cases - done);
    cr_assert_gt(tactical, done / 5);
}

/* Under-promotions and captures that promote are random games' rarities. In the last position a new
 * knight's check saves the queen that hangs, which a new queen would not. */
Test(capture_tree, is_quiesce_where_pawns_promote)
{
    static const char *const fens[] = {
        "3k4/1P6/8/8/8/8/5p2/2K5 w - -",      "r1b1k3/1P4P1/8/3q4/8/8/6p1/2K2R2 w - -",
        "2q1k3/1P6/8/n7/8/8/2p5/1R2K3 b - -", "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - -",
        "8/P2k4/1q6/8/8/8/8/4K3 w - -",       "3r4/4P3/5k2/8/8/8/1p6/K1R5 w - -",
        "8/4P1k1/8/Q7/8/1n6/8/4K3 w - -"};
    for (size_t i = 0; i < sizeof fens / sizeof fens[0]; i++) {
        struct position p;
        int64_t budget = BUDGET * 100LL;
        cr_assert(position_from_fen(&p, fens[i], NULL, NULL));
        int32_t expected = model_quiesce(&p, INFINITE_SCORE, &budget);
        cr_assert_gt(budget, 0);
        cr_expect_eq(searched(&p, false, -INFINITE_SCORE, INFINITE_SCORE), expected, "%s", fens[i]);
    }
}

Test(capture_tree, sees_checkmates_as_its_steps_say)
{
    const int cases = thorough(300, 1000);
    struct stream s;
    int mates = 0, done = 0;
    stream_init(&s, 2, STREAM_TEST, 0, 0);
    for (int i = 0; i < cases; i++) {
        struct position p = random_position(&s, (int)stream_below(&s, 160));
        int64_t budget = BUDGET;
        int32_t expected = model_first_order(&p, 1, &budget);
        if (budget <= 0)
            continue;
        cr_assert_eq(searched(&p, true, -INFINITE_SCORE, INFINITE_SCORE), expected);
        mates += expected > EVAL_LIMIT;
        done++;
    }
    cr_assert_gt(done, cases * 3 / 4);
    cr_assert_gt(mates, 5);
}

/* The pawn takes a rook, and the queen mates by a pawn though she may have a knight; and where the
 * side to move is in check, the rook mates by the knight that a pawn can take as well. */
Test(capture_tree, a_capture_that_mates_is_never_futile)
{
    static const char *const fens[] = {"b2k4/8/r5q1/1P5N/8/8/5PPP/6K1 w - -",
                                       "6rk/6p1/8/8/8/R6n/5PP1/6K1 w - -"};
    static const int32_t expected[] = {-1000, MATE - 2};
    for (size_t i = 0; i < sizeof fens / sizeof fens[0]; i++) {
        struct position p;
        int64_t budget = BUDGET;
        cr_assert(position_from_fen(&p, fens[i], NULL, NULL));
        cr_expect_eq(model_first_order(&p, 1, &budget), expected[i], "%s", fens[i]);
        cr_expect_eq(searched(&p, true, -INFINITE_SCORE, INFINITE_SCORE), expected[i], "%s",
                     fens[i]);
    }
}

Test(capture_tree, values_outside_the_window_are_bounds)
{
    const int cases = thorough(300, 1000);
    struct stream s;
    int low = 0, high = 0;
    stream_init(&s, 3, STREAM_TEST, 0, 0);
    for (int i = 0; i < cases; i++) {
        struct position p = random_position(&s, (int)stream_below(&s, 160));
        bool checkmates = i % 2 == 0;
        int32_t exact = searched(&p, checkmates, -INFINITE_SCORE, INFINITE_SCORE);
        int32_t alpha = model_balance(&p) - 500 + 100 * (int32_t)stream_below(&s, 10);
        int32_t value = searched(&p, checkmates, alpha, alpha + 100);
        low += value <= alpha;
        high += value >= alpha + 100;
        if (value <= alpha)
            cr_assert_leq(exact, value);
        else if (value >= alpha + 100)
            cr_assert_geq(exact, value);
        else
            cr_assert_eq(exact, value);
    }
    cr_assert(low > cases / 10 && high > cases / 10);
}

Test(capture_tree, mates_count_from_the_root)
{
    struct position p;
    position_from_fen(&p, "6k1/5ppp/8/8/8/8/8/R3K3 w - -", NULL, NULL);
    struct beal_tree *t = bare_beal(&p, true);
    cr_assert_eq(capture_tree_search(t, -INFINITE_SCORE, INFINITE_SCORE, 4), MATE - 5);
    bare_beal_destroy(t);
}

Test(capture_tree, keeps_the_limit_of_nodes)
{
    struct stream s;
    stream_init(&s, 4, STREAM_TEST, 0, 0);
    for (int i = 0; i < 1000; i++) {
        struct position p = random_position(&s, (int)stream_below(&s, 100));
        struct beal_tree *t = bare_beal(&p, true);
        t->node_limit = 1 + stream_below(&s, 20);
        capture_tree_search(t, -INFINITE_SCORE, INFINITE_SCORE, 1);
        cr_assert_leq(t->nodes, t->node_limit);
        bare_beal_destroy(t);
    }
}
