/* Beal's search as its callers meet it: what it finds, when it ends, and that it repeats. */
#include "beal.h"

#include "mirrored.h"
#include "position_of.h"
#include "random_chess.h"
#include "random_evaluation.h"
#include "recorder.h"

#include <criterion/criterion.h>

static struct beal *new_searcher(int order)
{
    struct error err = {""};
    const struct beal_settings settings = {.order = order, .weights = eval_material_weights()};
    struct beal *b = beal_create(&settings, 1, &err);
    cr_assert_not_null(b, "%s", err.text);
    return b;
}

/* A search by a new searcher. */
static struct beal_result searched(const char *fen, struct search_limits limits)
{
    struct position p = position_of(fen);
    struct beal *b = new_searcher(2);
    struct beal_result r = beal_search(b, &p, &limits, NULL);
    beal_destroy(b);
    return r;
}

static bool same(const struct beal_result *a, const struct beal_result *b)
{
    return a->best == b->best && a->root.lower == b->root.lower && a->root.value == b->root.value &&
           a->root.upper == b->root.upper && a->depth == b->depth && a->nodes == b->nodes &&
           a->decided == b->decided && a->stopped == b->stopped;
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
    for (int off = 0; off <= 1; off++) {
        const struct beal_settings settings = {
            .order = 2, .weights = eval_material_weights(), .no_checkmates = off};
        struct beal *b = beal_create(&settings, 1, NULL);
        struct beal_result r = beal_search(b, &p, &(struct search_limits){.depth = 2}, NULL);
        cr_expect_eq(r.root.value, off ? 500 : MATE - 3, "%d", r.root.value);
        beal_destroy(b);
    }
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
    struct beal *b = new_searcher(1);
    struct beal_result r = beal_search(b, &p, &(struct search_limits){.depth = 9}, NULL);
    cr_expect(r.root.lower == 0 && r.root.value == 0 && r.root.upper == 0, "%d %d %d", r.root.lower,
              r.root.value, r.root.upper);
    cr_expect_eq(r.depth, 9);
    cr_expect_eq(r.nodes, 1u + 8 + 2 * 8, "%d nodes", (int)r.nodes);
    beal_destroy(b);
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
    struct stream s;
    int decided = 0, unknown = 0;
    struct beal *b = new_searcher(2);
    stream_init(&s, 1, STREAM_TEST, 0, 0);
    for (int i = 0; i < 300; i++) {
        struct position p = random_position(&s, (int)stream_below(&s, 120));
        beal_clear(b);
        struct beal_result r = beal_search(b, &p, &(struct search_limits){.nodes = 10000}, NULL);
        if (!r.decided)
            continue;
        decided++;
        unknown += r.root.lower < r.root.upper;
        struct position after = p;
        struct undo undo;
        position_make(&after, r.best, &undo);
        beal_clear(b);
        struct beal_result reply =
            beal_search(b, &after, &(struct search_limits){.nodes = 20000}, NULL);
        cr_assert_geq(-reply.root.lower, r.root.lower, "the range of its answers agrees");
    }
    beal_destroy(b);
    cr_assert(decided > 5 && unknown > 2, "%d decided, %d of unknown value", decided, unknown);
}

Test(beal, keeps_the_limit_of_nodes)
{
    struct stream s;
    stream_init(&s, 2, STREAM_TEST, 0, 0);
    for (int order = 1; order <= BEAL_ORDERS; order++) {
        struct beal *b = new_searcher(order);
        for (int i = 0; i < 300; i++) {
            struct position p = random_position(&s, (int)stream_below(&s, 120));
            const struct search_limits limits = {.nodes = 1 + stream_below(&s, 3000)};
            struct beal_result r = beal_search(b, &p, &limits, NULL);
            cr_assert_leq(r.nodes, limits.nodes);
            cr_assert(movegen_is_legal(&p, r.best));
            cr_assert(r.root.lower <= r.root.value && r.root.value <= r.root.upper);
            cr_assert(r.stopped || r.decided || r.depth == MAX_DEPTH);
        }
        beal_destroy(b);
    }
}

/* What was searched before changes nothing after beal_clear, node for node. */
Test(beal, repeats_itself)
{
    struct stream s;
    struct beal *used = new_searcher(2);
    stream_init(&s, 3, STREAM_TEST, 0, 0);
    for (int i = 0; i < 60; i++) {
        struct position p = random_position(&s, (int)stream_below(&s, 120));
        const struct search_limits limits = {.nodes = 5000};
        struct recorder one = {.root = NULL}, two = {.root = NULL};
        const struct search_observer a = recorder_observer(&one), b = recorder_observer(&two);
        struct beal *fresh = new_searcher(2);
        beal_clear(used);
        struct beal_result r = beal_search(used, &p, &limits, &a);
        struct beal_result t = beal_search(fresh, &p, &limits, &b);
        cr_assert(same(&r, &t));
        cr_assert(one.sum == two.sum && one.count == two.count && one.count > 0);
        cr_assert_eq(one.told[one.count - 1].move, r.best);
        beal_destroy(fresh);
    }
    beal_destroy(used);
}

/* Colours exchanged, the value is the same. Moves come in another order, so the depth is small
 * enough for no table to matter. */
Test(beal, colours_are_alike)
{
    struct stream s;
    stream_init(&s, 4, STREAM_TEST, 0, 0);
    for (int i = 0; i < 300; i++) {
        struct position p = random_position(&s, (int)stream_below(&s, 120));
        struct position m = position_mirrored(&p);
        struct beal *a = new_searcher(2), *b = new_searcher(2);
        const struct search_limits limits = {.depth = 1};
        struct beal_result r = beal_search(a, &p, &limits, NULL);
        struct beal_result t = beal_search(b, &m, &limits, NULL);
        cr_assert_eq(r.root.value, t.root.value);
        beal_destroy(a);
        beal_destroy(b);
    }
}

Test(beal, the_observer_ends_it)
{
    struct position p = position_of("r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq -");
    struct beal *b = new_searcher(2);
    struct recorder r = {.stop_at = 5};
    struct search_observer observer = recorder_observer(&r);
    struct beal_result found = beal_search(b, &p, &(struct search_limits){0}, &observer);
    cr_expect(found.stopped && found.nodes < 10000 && found.nodes > 1000);
    r = (struct recorder){.end_after = 1};
    found = beal_search(b, &p, &(struct search_limits){0}, &observer);
    cr_expect(found.stopped && r.count == 1);
    beal_destroy(b);
}

/* The first order by iterations: on material it has the captures' value at the first ply too. */
Test(beal, the_first_order_takes_what_hangs)
{
    struct position p = position_of("4k3/8/8/3q4/8/2N5/8/4K3 w - -");
    struct beal *b = new_searcher(1);
    struct beal_result r = beal_search(b, &p, &(struct search_limits){.depth = 4}, NULL);
    cr_expect(r.best == move_make(18, 35, CAPTURE) && r.root.value == 300);
    beal_destroy(b);
}

/* An evaluation of more than material: another search, which repeats as well. */
Test(beal, takes_any_evaluation)
{
    struct position p = position_of("r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq -");
    const struct beal_settings settings = {.order = 2, .weights = eval_initial_weights()};
    struct beal *b = beal_create(&settings, 1, NULL), *material = new_searcher(2);
    const struct search_limits limits = {.nodes = 20000};
    struct beal_result r = beal_search(b, &p, &limits, NULL);
    struct beal_result m = beal_search(material, &p, &limits, NULL);
    cr_expect(movegen_is_legal(&p, r.best) && r.nodes <= limits.nodes);
    cr_expect_neq(r.root.value, m.root.value);
    beal_clear(b);
    struct beal_result again = beal_search(b, &p, &limits, NULL);
    cr_expect(same(&r, &again));
    beal_destroy(b);
    beal_destroy(material);
}

Test(beal, tests_the_assumption_of_the_null_move)
{
    struct beal *b = new_searcher(2);
    /* Mutual zugzwang: whoever moves loses the pawn or lets it through. */
    struct position p = position_of("8/8/8/2k5/1pP5/1K6/8/8 w - -");
    struct beal_assumption a = beal_test_assumption(b, &p, 1);
    cr_expect_eq(a.null, 0, "passing keeps the balance: %d", a.null);
    p = position_of("4k3/8/8/3q4/8/2N5/8/4K3 w - -");
    a = beal_test_assumption(b, &p, 1);
    cr_expect(a.null < a.best && a.best == 300, "%d and %d", a.null, a.best);
    beal_destroy(b);
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
    struct stream s;
    struct error err = {""};
    stream_init(&s, 1, STREAM_TEST, 0, 0);
    const struct evaluation modern = random_evaluation(&s, EVALUATION_MODERN);
    cr_expect_null(beal_methods[1].create(&beal_methods[1], &modern, 1, &err));
    cr_expect_str_eq(err.text,
                     "beal2 needs an evaluation of kind evaluation, not evaluation-modern");
}
