/* Beal's search as its callers meet it: what it finds, when it ends, and that it repeats. And against quiescence
 * written down plainly: the orders that it evaluates by, seen as the value of passing, and QUIESCE-D as its
 * iterations have it. */
#include "beal.h"

#include "position_of.h"
#include "quiescence_model.h"
#include "random_chess.h"
#include "recorder.h"
#include "thorough.h"

#include <criterion/criterion.h>

enum { BUDGET = 60000 };

static struct beal *new_searcher(int order, bool checkmates)
{
    struct error err = {""};
    const struct beal_settings settings = {
        .order = order, .weights = eval_material_weights(), .no_checkmates = !checkmates};
    struct beal *searcher = beal_create(&settings, 1, &err);
    cr_assert_not_null(searcher, "%s", err.text);
    return searcher;
}

static struct beal *b; /* of the second order, for one test */

static void begin(void)
{
    b = new_searcher(2, true);
}

static void end(void)
{
    beal_destroy(b);
}

TestSuite(beal, .init = begin, .fini = end);

static struct beal_result search_to(const struct position *p, struct search_limits limits)
{
    return beal_search(b, p, &limits, NULL);
}

/* A search of a position in which nothing is known. */
static struct beal_result searched(const char *fen, struct search_limits limits)
{
    struct position p = position_of(fen);
    beal_clear(b);
    return search_to(&p, limits);
}

static bool same(const struct beal_result *r, const struct beal_result *t)
{
    return r->best == t->best && r->root.lower == t->root.lower && r->root.value == t->root.value &&
           r->root.upper == t->root.upper && r->depth == t->depth && r->nodes == t->nodes &&
           r->decided == t->decided && r->stopped == t->stopped;
}

/* The move is decided before it is searched. */
Test(beal, the_only_answer_to_a_check_has_a_score)
{
    struct beal_result r =
        searched("7k/8/8/8/8/8/6q1/7K w - -", (struct search_limits){.nodes = 1000});
    cr_expect(r.best == move_make(7, 14, CAPTURE));
    cr_expect(r.root.value > -MATE && r.root.value < MATE, "%d", (int)r.root.value);
}

Test(beal, finds_mates)
{
    struct beal_result r = searched("6k1/5ppp/8/8/8/8/8/R3K3 w - -", (struct search_limits){0});
    cr_expect(r.best == move_make(0, 56, QUIET) && r.root.value == MATE - 1 && r.decided);
    r = searched("7k/8/5K2/8/8/8/8/6R1 w - -", (struct search_limits){.depth = 6});
    cr_expect(r.best == move_make(45, 53, QUIET) && r.root.value == MATE - 3);
    r = searched("r1b2k1r/ppp1bppp/8/1B1Q4/5q2/2P5/PPP2PPP/R3R1K1 w - -",
                 (struct search_limits){.nodes = 100000});
    cr_expect_eq(r.root.value, MATE - 3, "a queen's sacrifice on d8: %d", r.root.value);
}

/* The mate in two takes two plies where the capture tree sees the mate in one. */
Test(beal, settings_turn_checkmates_off)
{
    struct position p = position_of("7k/8/5K2/8/8/8/8/6R1 w - -");
    struct beal *off = new_searcher(2, false);
    cr_expect_eq(search_to(&p, (struct search_limits){.depth = 2}).root.value, MATE - 3);
    cr_expect_eq(beal_search(off, &p, &(struct search_limits){.depth = 2}, NULL).root.value, 500);
    beal_destroy(off);
}

/* Before the answers to any move are searched, passing is what the root is sure of. */
Test(beal, passing_bounds_the_root)
{
    struct beal_result r =
        searched("4k3/8/8/3q4/8/2N5/8/4K3 w - -", (struct search_limits){.depth = 1});
    cr_expect_eq(r.root.lower, -600, "the queen takes nothing: %d", r.root.lower);
}

Test(beal, knows_when_there_is_no_move)
{
    struct beal_result r = searched("R5k1/5ppp/8/8/8/8/8/4K3 b - -", (struct search_limits){0});
    cr_expect(r.best == NO_MOVE && r.root.lower == -MATE && r.root.upper == -MATE && r.nodes <= 1);
    r = searched("7k/5Q2/6K1/8/8/8/8/8 b - -", (struct search_limits){0});
    cr_expect(r.best == NO_MOVE && r.root.lower == 0 && r.root.upper == 0);
}

/* The smallest tree (Figure 4): each move's answer passes, and that closes the range. White's king has
 * eight moves: passing at the root, the moves at their first look, and each with its answer. What is
 * closed is not searched again, so nine plies take no more. */
Test(beal, opposing_null_moves_close_the_smallest_tree)
{
    struct position p = position_of("8/8/4k3/8/8/2K5/8/8 w - -");
    struct beal *first = new_searcher(1, true);
    struct beal_result r = beal_search(first, &p, &(struct search_limits){.depth = 9}, NULL);
    cr_expect(r.root.lower == 0 && r.root.value == 0 && r.root.upper == 0, "%d %d %d", r.root.lower,
              r.root.value, r.root.upper);
    cr_expect_eq(r.depth, 9);
    cr_expect_eq(r.nodes, 1u + 8 + 2 * 8, "%d nodes", (int)r.nodes);
    beal_destroy(first);
}

/* A move that is ahead of all others ends the search, whatever it is worth (Figure 6). */
Test(beal, a_decided_move_ends_the_search)
{
    struct beal_result r =
        searched("4k3/8/8/3q4/8/2N5/8/4K3 w - -", (struct search_limits){.nodes = 1000000});
    cr_expect(r.decided && !r.stopped && r.depth < MAX_DEPTH && r.nodes < 1000);
    cr_expect_eq(move_to(r.best), 35);
    r = searched("7k/8/8/8/8/8/r7/2r4K w - -", (struct search_limits){.nodes = 1000000});
    cr_expect(r.decided && r.depth <= 1, "the only move");
}

/* After four plies no move's value is above what the first is sure of, but any may be worth more:
 * the fifth finds the rooks' ladder. */
Test(beal, a_value_that_is_no_bound_decides_nothing)
{
    struct beal_result r =
        searched("8/8/8/8/7k/1Rp5/R7/2K5 w - -", (struct search_limits){.depth = 5});
    cr_expect(r.depth == 5 && !r.decided && r.root.value == MATE - 9, "%d plies: %d", r.depth,
              r.root.value);
}

/* A search of what is answered to a decided move never puts it below what was promised. Some moves
 * are decided before their value is known. */
Test(beal, decisions_stand)
{
    struct stream s = seeded(1);
    int decided = 0, unknown = 0;
    for (int i = 0; i < 300; i++) {
        struct position p = random_position(&s, (int)stream_below(&s, 120));
        beal_clear(b);
        struct beal_result r = search_to(&p, (struct search_limits){.nodes = 10000});
        if (!r.decided)
            continue;
        decided++;
        unknown += r.root.lower < r.root.upper;
        struct position after = p;
        struct undo undo;
        position_make(&after, r.best, &undo);
        beal_clear(b);
        struct beal_result reply = search_to(&after, (struct search_limits){.nodes = 20000});
        cr_assert_geq(-reply.root.lower, r.root.lower, "the range of its answers agrees");
    }
    cr_assert(decided > 5 && unknown > 2, "%d decided, %d of unknown value", decided, unknown);
}

Test(beal, keeps_the_limit_of_nodes)
{
    struct stream s = seeded(2);
    for (int order = 1; order <= BEAL_ORDERS; order++) {
        struct beal *used = new_searcher(order, true);
        for (int i = 0; i < 300; i++) {
            struct position p = random_position(&s, (int)stream_below(&s, 120));
            const struct search_limits limits = {.nodes = 1 + stream_below(&s, 3000)};
            struct beal_result r = beal_search(used, &p, &limits, NULL);
            cr_assert_leq(r.nodes, limits.nodes);
            cr_assert(movegen_is_legal(&p, r.best));
            cr_assert(r.root.lower <= r.root.value && r.root.value <= r.root.upper);
            cr_assert(r.stopped || r.decided || r.depth == MAX_DEPTH);
        }
        beal_destroy(used);
    }
}

/* What was searched before changes nothing after beal_clear, node for node. */
Test(beal, repeats_itself)
{
    struct stream s = seeded(3);
    for (int i = 0; i < 60; i++) {
        struct position p = random_position(&s, (int)stream_below(&s, 120));
        const struct search_limits limits = {.nodes = 5000};
        struct recorder one = {.root = NULL}, two = {.root = NULL};
        const struct search_observer first = recorder_observer(&one),
                                     second = recorder_observer(&two);
        struct beal *fresh = new_searcher(2, true);
        beal_clear(b);
        struct beal_result r = beal_search(b, &p, &limits, &first);
        struct beal_result t = beal_search(fresh, &p, &limits, &second);
        cr_assert(same(&r, &t));
        cr_assert(one.sum == two.sum && one.count == two.count && one.count > 0);
        cr_assert_eq(one.told[one.count - 1].move, r.best);
        beal_destroy(fresh);
    }
}

/* Colours exchanged, the value is the same. Moves come in another order, so the depth is small
 * enough for no table to matter. */
Test(beal, colours_are_alike)
{
    struct stream s = seeded(4);
    for (int i = 0; i < 300; i++) {
        const struct position p = random_position(&s, (int)stream_below(&s, 120)),
                              m = position_mirrored(&p);
        beal_clear(b);
        const int32_t value = search_to(&p, (struct search_limits){.depth = 1}).root.value;
        beal_clear(b);
        cr_assert_eq(search_to(&m, (struct search_limits){.depth = 1}).root.value, value);
    }
}

Test(beal, the_observer_ends_it)
{
    struct position p = position_of("r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq -");
    struct recorder r = {.stop_at = 5};
    struct search_observer observer = recorder_observer(&r);
    struct beal_result found = beal_search(b, &p, &(struct search_limits){0}, &observer);
    cr_expect(found.stopped && found.nodes < 10000 && found.nodes > 1000);
    r = (struct recorder){.end_after = 1};
    found = beal_search(b, &p, &(struct search_limits){0}, &observer);
    cr_expect(found.stopped && r.count == 1);
}

/* The first order by iterations: on material it has the captures' value at the first ply too. */
Test(beal, the_first_order_takes_what_hangs)
{
    struct position p = position_of("4k3/8/8/3q4/8/2N5/8/4K3 w - -");
    struct beal *first = new_searcher(1, true);
    struct beal_result r = beal_search(first, &p, &(struct search_limits){.depth = 4}, NULL);
    cr_expect(r.best == move_make(18, 35, CAPTURE) && r.root.value == 300);
    beal_destroy(first);
}

/* An evaluation of more than material: another search, which repeats as well. */
Test(beal, takes_any_evaluation)
{
    struct position p = position_of("r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq -");
    const struct beal_settings settings = {.order = 2, .weights = eval_initial_weights()};
    struct beal *other = beal_create(&settings, 1, NULL);
    const struct search_limits limits = {.nodes = 20000};
    struct beal_result r = beal_search(other, &p, &limits, NULL), m = search_to(&p, limits);
    cr_expect(movegen_is_legal(&p, r.best) && r.nodes <= limits.nodes);
    cr_expect_neq(r.root.value, m.root.value);
    beal_clear(other);
    struct beal_result again = beal_search(other, &p, &limits, NULL);
    cr_expect(same(&r, &again));
    beal_destroy(other);
}

Test(beal, tests_the_assumption_of_the_null_move)
{
    /* Mutual zugzwang: whoever moves loses the pawn or lets it through. */
    struct position p = position_of("8/8/8/2k5/1pP5/1K6/8/8 w - -");
    struct beal_assumption a = beal_test_assumption(b, &p, 1);
    cr_expect_eq(a.null, 0, "passing keeps the balance: %d", a.null);
    p = position_of("4k3/8/8/3q4/8/2N5/8/4K3 w - -");
    a = beal_test_assumption(b, &p, 1);
    cr_expect(a.null < a.best && a.best == 300, "%d and %d", a.null, a.best);
}

/* A sacrifice on d8 that mates: each order is a search of its own, counted by the rules of solve.h. */
Test(beal, solves_as_a_method)
{
    struct epd epd;
    struct solved found[BEAL_ORDERS];
    const struct solve_limits limits = {.nodes = 20000};
    const struct evaluation evaluation = material_evaluation();
    struct error err = {""};
    cr_assert(
        epd_parse("r1b2k1r/ppp1bppp/8/1B1Q4/5q2/2P5/PPP2PPP/R3R1K1 w - - bm Qd8;", &epd, NULL));
    for (int i = 0; i < BEAL_ORDERS; i++) {
        const struct search_method *m = &beal_methods[i];
        void *s = m->create(m, &evaluation, 1, &err);
        cr_assert_not_null(s, "%s", err.text);
        found[i] = solve_by_method(m, s, NULL, &epd, &limits);
        struct solved again = solve_by_method(m, s, NULL, &epd, &limits);
        cr_expect(found[i].nodes == again.nodes && found[i].stable.nodes == again.stable.nodes);
        m->destroy(s);
        for (int other = 0; other < i; other++)
            cr_expect_neq(found[i].nodes, found[other].nodes, "%s", m->name);
    }
    const struct solved *s = &found[1];
    cr_expect(solve_is_right(&epd, s->best));
    cr_expect(s->first.nodes > 0 && s->first.nodes <= s->stable.nodes &&
              s->stable.nodes <= s->nodes && s->nodes <= limits.nodes);
}

Test(beal, refuses_the_modern_evaluation)
{
    struct stream s = seeded(1);
    struct error err = {""};
    const struct evaluation modern = random_evaluation(&s, EVALUATION_MODERN);
    cr_expect_null(beal_methods[1].create(&beal_methods[1], &modern, 1, &err));
    cr_expect_str_eq(err.text,
                     "beal2 needs an evaluation of kind evaluation, not evaluation-modern");
}

/* ---- beside the model ---- */

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
static int32_t value_below(struct beal *above, const struct position *p)
{
    beal_clear(above);
    return -beal_test_assumption(above, p, 1).null;
}

/* Section 6: on material QUIESCE is the capture tree and a fringe. */
Test(beal, the_capture_tree_is_quiesce_on_material)
{
    struct stream s = seeded(1);
    struct beal *other = new_searcher(2, false);
    const int cases = thorough(300, 1000);
    int done = 0, tactical = 0;
    for (int i = 0; i < cases; i++) {
        const struct position p = quiet_position(&s, 160), after = passed(p);
        int64_t budget = BUDGET;
        const int32_t expected = model_quiesce(&after, INFINITE_SCORE, &budget);
        if (budget <= 0)
            continue;
        cr_assert_eq(value_below(other, &p), expected);
        tactical += expected != model_balance(&after);
        done++;
    }
    cr_assert_gt(done, cases * 3 / 4, "%d were too large", cases - done);
    cr_assert_gt(tactical, done / 5);
    beal_destroy(other);
}

/* Under-promotions and captures that promote are random games' rarities. In the last position a new
 * knight's check saves the queen that hangs, which a new queen would not. */
Test(beal, the_capture_tree_is_quiesce_where_pawns_promote)
{
    static const char *const fens[] = {
        "3k4/1P6/8/8/8/8/5p2/2K5 w - -",      "r1b1k3/1P4P1/8/3q4/8/8/6p1/2K2R2 w - -",
        "2q1k3/1P6/8/n7/8/8/2p5/1R2K3 b - -", "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - -",
        "8/P2k4/1q6/8/8/8/8/4K3 w - -",       "3r4/4P3/5k2/8/8/8/1p6/K1R5 w - -",
        "8/4P1k1/8/Q7/8/1n6/8/4K3 w - -"};
    struct beal *other = new_searcher(2, false);
    for (size_t i = 0; i < sizeof fens / sizeof fens[0]; i++) {
        const struct position after = position_of(fens[i]), p = passed(after);
        int64_t budget = BUDGET * 100LL;
        const int32_t expected = model_quiesce(&after, INFINITE_SCORE, &budget);
        cr_assert_gt(budget, 0);
        if (!position_in_check(&after) && !position_in_check(&p))
            cr_expect_eq(value_below(other, &p), expected, "%s", fens[i]);
    }
    beal_destroy(other);
}

/* In the last of the positions the pawn takes a rook, and the queen mates by a pawn though she may have a
 * knight: a capture that mates is never futile. */
Test(beal, the_capture_tree_sees_checkmates)
{
    const int cases = thorough(300, 1000);
    struct stream s = seeded(2);
    int mates = 0, done = 0;
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
}

/* The second order to its plies has the value of QUIESCE-D (Figure 5). */
Test(beal, the_third_order_evaluates_by_the_second)
{
    struct stream s = seeded(1);
    struct beal *other = new_searcher(3, true);
    int done = 0, beyond = 0;
    for (int i = 0; i < 60; i++) {
        const struct position p = quiet_position(&s, 220), after = passed(p);
        int64_t budget = BUDGET;
        const int32_t expected = model_quiesce_d(&after, HIGHER_ORDER_PLIES, 1, &budget).value;
        if (budget <= 0)
            continue;
        cr_assert_eq(value_below(other, &p), expected);
        beyond += expected != model_first_order(&after, 1, &budget);
        done++;
    }
    cr_assert(done > 10 && beyond > 3, "%d done, %d beyond the first order", done, beyond);
    beal_destroy(other);
}

/* The value of the first iteration is that of all moves; and a range must hold the true value, of which the
 * model knows a range too: they cannot be apart. Nor can those of iterations be, with all that earlier ones
 * have left behind. */
Test(beal, quiesce_d_finds_what_all_moves_find)
{
    struct stream s = seeded(1);
    const int cases = thorough(200, 600);
    int done = 0, half = 0, narrowed = 0;
    for (int i = 0; i < cases; i++) {
        const struct position p = random_position(&s, (int)stream_below(&s, 160));
        struct fat_value all = {-INFINITE_SCORE, 0, INFINITE_SCORE};
        int64_t budget = BUDGET;
        const struct fat_value model = model_quiesce_d(&p, 1, 0, &budget);
        beal_clear(b);
        for (int depth = 1; depth <= 4; depth++) {
            const struct search_limits limits = {.depth = depth, .nodes = 100000};
            const struct beal_result r = search_to(&p, limits);
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
}

/* Passing would keep the queen behind the king; no legal move does. */
Test(beal, quiesce_d_does_not_pass_in_check)
{
    const struct position p = position_of("4k3/8/8/8/8/8/8/r3K2Q w - -");
    const struct beal_result r = search_to(&p, (struct search_limits){.depth = 1});
    cr_expect(position_in_check(&p) && r.root.value == -500, "%d", r.root.value);
}

/* A pawn that was taken in passing is not on the board: what is known of the same squares otherwise must not
 * be taken for a refutation. */
Test(beal, en_passant_makes_another_position)
{
    struct position p = position_of("4k3/8/3n4/3pP3/8/8/8/4K3 w - -");
    search_to(&p, (struct search_limits){.depth = 2});
    p = position_of("4k3/8/8/3pP3/8/8/8/4K3 w - d6");
    const struct beal_result r = search_to(&p, (struct search_limits){.depth = 1});
    cr_expect_eq(r.root.value, 100, "taking is not the same as stepping there: %d", r.root.value);
}
