/* Beal's search against quiescence written down plainly: the orders that it evaluates by, seen as the value
 * of passing, and QUIESCE-D as its iterations have it. */
#include "beal.h"

#include "position_of.h"
#include "quiescence_model.h"
#include "random_chess.h"
#include "thorough.h"

#include <criterion/criterion.h>

enum { BUDGET = 60000 };

static struct beal *new_searcher(int order, bool checkmates)
{
    const struct beal_settings settings = {
        .order = order, .weights = eval_material_weights(), .no_checkmates = !checkmates};
    struct beal *b = beal_create(&settings, 1, NULL);
    cr_assert_not_null(b);
    return b;
}

static struct position passed(struct position p)
{
    struct undo undo;
    position_make_null(&p, &undo);
    return p;
}

/* The next random position that is not in check. */
static struct position quiet_position(struct stream *s, int plies)
{
    struct position p;
    do
        p = random_position(s, (int)stream_below(s, (uint64_t)plies));
    while (position_in_check(&p));
    return p;
}

/* The value of the order below, for the side that passing leaves to move a ply from the root. */
static int32_t value_below(struct beal *b, const struct position *p)
{
    beal_clear(b);
    return -beal_test_assumption(b, p, 1).null;
}

/* Section 6: on material QUIESCE is the capture tree and a fringe. */
Test(beal_model, the_capture_tree_is_quiesce_on_material)
{
    struct stream s;
    struct beal *b = new_searcher(2, false);
    const int cases = thorough(300, 1000);
    int done = 0, tactical = 0;
    stream_init(&s, 1, STREAM_TEST, 0, 0);
    for (int i = 0; i < cases; i++) {
        const struct position p = quiet_position(&s, 160), after = passed(p);
        int64_t budget = BUDGET;
        const int32_t expected = model_quiesce(&after, INFINITE_SCORE, &budget);
        if (budget <= 0)
            continue;
        cr_assert_eq(value_below(b, &p), expected);
        tactical += expected != model_balance(&after);
        done++;
    }
    cr_assert_gt(done, cases * 3 / 4, "%d were too large", cases - done);
    cr_assert_gt(tactical, done / 5);
    beal_destroy(b);
}

/* Under-promotions and captures that promote are random games' rarities. In the last position a new
 * knight's check saves the queen that hangs, which a new queen would not. */
Test(beal_model, the_capture_tree_is_quiesce_where_pawns_promote)
{
    static const char *const fens[] = {
        "3k4/1P6/8/8/8/8/5p2/2K5 w - -",      "r1b1k3/1P4P1/8/3q4/8/8/6p1/2K2R2 w - -",
        "2q1k3/1P6/8/n7/8/8/2p5/1R2K3 b - -", "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - -",
        "8/P2k4/1q6/8/8/8/8/4K3 w - -",       "3r4/4P3/5k2/8/8/8/1p6/K1R5 w - -",
        "8/4P1k1/8/Q7/8/1n6/8/4K3 w - -"};
    struct beal *b = new_searcher(2, false);
    for (size_t i = 0; i < sizeof fens / sizeof fens[0]; i++) {
        const struct position after = position_of(fens[i]), p = passed(after);
        int64_t budget = BUDGET * 100LL;
        const int32_t expected = model_quiesce(&after, INFINITE_SCORE, &budget);
        cr_assert_gt(budget, 0);
        if (!position_in_check(&after) && !position_in_check(&p))
            cr_expect_eq(value_below(b, &p), expected, "%s", fens[i]);
    }
    beal_destroy(b);
}

/* In the last of the positions the pawn takes a rook, and the queen mates by a pawn though she may have a
 * knight: a capture that mates is never futile. */
Test(beal_model, the_capture_tree_sees_checkmates)
{
    const int cases = thorough(300, 1000);
    struct stream s;
    struct beal *b = new_searcher(2, true);
    int mates = 0, done = 0;
    stream_init(&s, 2, STREAM_TEST, 0, 0);
    for (int i = 0; i <= cases; i++) {
        const struct position p = i < cases
                                      ? quiet_position(&s, 160)
                                      : passed(position_of("b2k4/8/r5q1/1P5N/8/8/5PPP/6K1 w - -"));
        const struct position after = passed(p);
        int64_t budget = BUDGET;
        const int32_t expected = model_first_order(&after, 1, &budget);
        if (budget <= 0)
            continue;
        cr_assert_eq(value_below(b, &p), expected);
        mates += expected > EVAL_LIMIT;
        done++;
    }
    cr_assert(done > cases * 3 / 4 && mates > 2, "%d done, %d mates", done, mates);
    beal_destroy(b);
}

/* The second order to its plies has the value of QUIESCE-D (Figure 5). */
Test(beal_model, the_third_order_evaluates_by_the_second)
{
    struct stream s;
    struct beal *b = new_searcher(3, true);
    int done = 0, beyond = 0;
    stream_init(&s, 1, STREAM_TEST, 0, 0);
    for (int i = 0; i < 60; i++) {
        const struct position p = quiet_position(&s, 220), after = passed(p);
        int64_t budget = BUDGET;
        const int32_t expected = model_quiesce_d(&after, HIGHER_ORDER_PLIES, 1, &budget).value;
        if (budget <= 0)
            continue;
        cr_assert_eq(value_below(b, &p), expected);
        beyond += expected != model_first_order(&after, 1, &budget);
        done++;
    }
    cr_assert(done > 10 && beyond > 3, "%d done, %d beyond the first order", done, beyond);
    beal_destroy(b);
}

/* The value of the first iteration is that of all moves; and a range must hold the true value, of which the
 * model knows a range too: they cannot be apart. Nor can those of iterations be, with all that earlier ones
 * have left behind. */
Test(beal_model, quiesce_d_finds_what_all_moves_find)
{
    struct stream s;
    struct beal *b = new_searcher(2, true);
    const int cases = thorough(200, 600);
    int done = 0, half = 0, narrowed = 0;
    stream_init(&s, 1, STREAM_TEST, 0, 0);
    for (int i = 0; i < cases; i++) {
        const struct position p = random_position(&s, (int)stream_below(&s, 160));
        struct fat_value all = {-INFINITE_SCORE, 0, INFINITE_SCORE};
        int64_t budget = BUDGET;
        const struct fat_value model = model_quiesce_d(&p, 1, 0, &budget);
        beal_clear(b);
        for (int depth = 1; depth <= 4; depth++) {
            const struct search_limits limits = {.depth = depth, .nodes = 100000};
            const struct beal_result r = beal_search(b, &p, &limits, NULL);
            const struct fat_value f = r.root;
            if (r.stopped)
                break;
            cr_assert(f.lower <= f.value && f.value <= f.upper);
            if (depth == 1 && budget > 0 && !r.decided) {
                cr_assert_eq(f.value, model.value);
                cr_assert(f.lower <= model.upper && model.lower <= f.upper);
                half += model.lower > -INFINITE_SCORE && model.upper == INFINITE_SCORE;
                done++;
            }
            cr_assert(f.lower <= all.upper && all.lower <= f.upper, "no value in common");
            narrowed += depth > 1 && (f.lower > all.lower || f.upper < all.upper);
            all.lower = f.lower > all.lower ? f.lower : all.lower;
            all.upper = f.upper < all.upper ? f.upper : all.upper;
        }
    }
    cr_assert(done > cases / 2 && half > cases / 4, "%d done, %d half open", done, half);
    cr_assert_gt(narrowed, cases / 10, "%d", narrowed);
    beal_destroy(b);
}

/* Passing would keep the queen behind the king; no legal move does. */
Test(beal_model, quiesce_d_does_not_pass_in_check)
{
    struct beal *b = new_searcher(2, true);
    const struct position p = position_of("4k3/8/8/8/8/8/8/r3K2Q w - -");
    const struct beal_result r = beal_search(b, &p, &(struct search_limits){.depth = 1}, NULL);
    cr_expect(position_in_check(&p) && r.root.value == -500, "%d", r.root.value);
    beal_destroy(b);
}

/* A pawn that was taken in passing is not on the board: what is known of the same squares otherwise must not
 * be taken for a refutation. */
Test(beal_model, en_passant_makes_another_position)
{
    struct beal *b = new_searcher(2, true);
    struct position p = position_of("4k3/8/3n4/3pP3/8/8/8/4K3 w - -");
    beal_search(b, &p, &(struct search_limits){.depth = 2}, NULL);
    p = position_of("4k3/8/8/3pP3/8/8/8/4K3 w - d6");
    const struct beal_result r = beal_search(b, &p, &(struct search_limits){.depth = 1}, NULL);
    cr_expect_eq(r.root.value, 100, "taking is not the same as stepping there: %d", r.root.value);
    beal_destroy(b);
}
