/* QUIESCE-D against every move of every node: values where no table can help, ranges always. */
#include "beal_tree.h"

#include "bare_beal.h"
#include "quiescence_model.h"
#include "random_chess.h"
#include "thorough.h"

#include <criterion/criterion.h>

enum { BUDGET = 60000 };

static struct fat_value searched(const struct position *p, int32_t lower, int32_t upper, int depth)
{
    struct beal_tree *t = bare_beal(p, true);
    struct fat_value f = quiesce_d(t, lower, upper, depth, 0);
    cr_assert_eq(memcmp(&t->position, p, sizeof *p), 0);
    bare_beal_destroy(t);
    return f;
}

/* A range must hold the true value, of which the model knows a range too: they cannot be apart. */
static void expect_touching(struct fat_value f, struct fat_value model, const struct position *p)
{
    char fen[FEN_MAX];
    position_to_fen(p, fen);
    cr_assert(f.lower <= f.value && f.value <= f.upper, "%s: %d %d %d", fen, f.lower, f.value,
              f.upper);
    cr_assert(f.lower <= model.upper && model.lower <= f.upper, "%s: %d to %d, model %d to %d", fen,
              f.lower, f.upper, model.lower, model.upper);
}

/* With the whole window the value is that of all moves. */
Test(quiesce_d, finds_what_all_moves_find)
{
    struct stream s;
    const int cases = thorough(100, 300);
    int done = 0, half = 0;
    stream_init(&s, 1, STREAM_TEST, 0, 0);
    for (int i = 0; i < cases; i++) {
        struct position p = random_position(&s, (int)stream_below(&s, 160));
        int depth = i % 8 == 0 ? 2 : 1;
        int64_t budget = BUDGET;
        struct fat_value model = model_quiesce_d(&p, depth, 0, &budget);
        if (budget <= 0)
            continue;
        struct fat_value f = searched(&p, -INFINITE_SCORE, INFINITE_SCORE, depth);
        cr_assert_eq(f.value, model.value);
        expect_touching(f, model, &p);
        half += model.lower > -INFINITE_SCORE && model.upper == INFINITE_SCORE;
        done++;
    }
    cr_assert(done > cases * 2 / 3 && half > cases / 3, "%d done, %d half open", done, half);
}

/* Whatever the window, the range holds, and a value beyond the window is a bound. */
Test(quiesce_d, a_window_spoils_no_range)
{
    struct stream s;
    stream_init(&s, 2, STREAM_TEST, 0, 0);
    for (int i = 0; i < thorough(150, 600); i++) {
        struct position p = random_position(&s, (int)stream_below(&s, 160));
        int64_t budget = BUDGET;
        struct fat_value model = model_quiesce_d(&p, 1, 0, &budget);
        int32_t lower = model.value - 300 + 100 * (int32_t)stream_below(&s, 6);
        if (budget <= 0)
            continue;
        struct fat_value f = searched(&p, lower, lower + 100, 1);
        expect_touching(f, model, &p);
        if (f.value <= lower)
            cr_assert_leq(model.value, f.value);
        else if (f.value >= lower + 100)
            cr_assert_geq(model.value, f.value);
        else
            cr_assert_eq(model.value, f.value);
    }
}

/* What a search as deep has left in the table is not taken for the value where it was a bound. */
Test(quiesce_d, a_bound_is_no_value)
{
    struct stream s;
    int bounds = 0;
    stream_init(&s, 4, STREAM_TEST, 0, 0);
    for (int i = 0; i < 200; i++) {
        struct position p = random_position(&s, (int)stream_below(&s, 160));
        struct beal_tree *t = bare_beal(&p, true);
        int32_t value = searched(&p, -INFINITE_SCORE, INFINITE_SCORE, 1).value;
        int32_t lower = value - 300 + 100 * (int32_t)stream_below(&s, 6);
        bounds += quiesce_d(t, lower, lower + 100, 1, 0).value != value;
        cr_assert_eq(quiesce_d(t, -INFINITE_SCORE, INFINITE_SCORE, 1, 0).value, value);
        bare_beal_destroy(t);
    }
    cr_assert_gt(bounds, 10, "%d", bounds);
}

/* Reliable means: at every depth, and with all that the iterations before have left behind. */
Test(quiesce_d, ranges_of_iterations_have_a_value_in_common)
{
    struct stream s;
    const int cases = thorough(60, 200);
    int narrowed = 0;
    stream_init(&s, 3, STREAM_TEST, 0, 0);
    for (int i = 0; i < cases; i++) {
        struct position p = random_position(&s, (int)stream_below(&s, 120));
        struct beal_tree *t = bare_beal(&p, true);
        struct fat_value all = fat_unknown(0);
        t->node_limit = 100000;
        for (int depth = 1; depth <= 5; depth++) {
            struct fat_value f = quiesce_d(t, -INFINITE_SCORE, INFINITE_SCORE, depth, 0);
            if (t->stopped)
                break;
            cr_assert(f.lower >= all.lower && f.upper <= all.upper, "the ranges nest");
            narrowed += depth > 1 && (f.lower > all.lower || f.upper < all.upper);
            all = f;
        }
        bare_beal_destroy(t);
    }
    cr_assert_gt(narrowed, cases / 10, "%d", narrowed);
}

Test(quiesce_d, does_not_pass_in_check)
{
    struct position p;
    /* Passing would keep the queen behind the king; no legal move does. */
    position_from_fen(&p, "4k3/8/8/8/8/8/8/r3K2Q w - -", NULL, NULL);
    struct fat_value f = searched(&p, -INFINITE_SCORE, INFINITE_SCORE, 1);
    cr_expect(position_in_check(&p) && f.value == -500, "%d", f.value);
}

Test(quiesce_d, mate_and_stalemate_are_reliable)
{
    struct position p;
    position_from_fen(&p, "R5k1/5ppp/8/8/8/8/8/4K3 b - -", NULL, NULL);
    struct fat_value f = searched(&p, -INFINITE_SCORE, INFINITE_SCORE, 1);
    cr_expect(f.lower == -MATE && f.upper == -MATE);
    position_from_fen(&p, "7k/5Q2/6K1/8/8/8/8/8 b - -", NULL, NULL);
    f = searched(&p, -INFINITE_SCORE, INFINITE_SCORE, 1);
    cr_expect(f.lower == 0 && f.upper == 0);
    /* Ahead in material and stalemated: passing must not hide it. */
    position_from_fen(&p, "8/8/8/8/8/p5p1/P1k3P1/K6B w - -", NULL, NULL);
    f = searched(&p, 0, 100, 2);
    cr_expect(f.lower == 0 && f.upper == 0);
}

/* Four plies back and forth, and the rook is worth nothing; but that is no fact of the position. */
Test(quiesce_d, a_repetition_is_a_draw_and_unreliable)
{
    const Move moves[] = {move_make(7, 15, QUIET), move_make(56, 48, QUIET),
                          move_make(15, 7, QUIET), move_make(48, 56, QUIET)};
    struct position p;
    struct undo undo;
    position_from_fen(&p, "k7/8/8/8/8/8/8/6KR w - -", NULL, NULL);
    struct beal_tree *t = bare_beal(&p, true);
    for (int ply = 0; ply < 4; ply++)
        beal_make(t, ply, moves[ply], &undo);
    cr_assert_eq(t->position.key, p.key);
    struct fat_value f = quiesce_d(t, -INFINITE_SCORE, INFINITE_SCORE, 1, 4);
    cr_expect(f.lower == -INFINITE_SCORE && f.value == 0 && f.upper == INFINITE_SCORE);
    bare_beal_destroy(t);
}

/* Searches a position, then another with what that left in the table; `lower` begins the window of
 * the second, which is a pawn wide. */
static struct fat_value searched_after(const char *first, int first_depth, const char *second,
                                       int32_t lower)
{
    struct position p;
    cr_assert(position_from_fen(&p, first, NULL, NULL));
    struct beal_tree *t = bare_beal(&p, true);
    quiesce_d(t, -INFINITE_SCORE, INFINITE_SCORE, first_depth, 1);
    cr_assert(position_from_fen(&t->position, second, NULL, NULL));
    struct fat_value f = quiesce_d(t, lower, lower + 100, 1, 0);
    bare_beal_destroy(t);
    return f;
}

/* The king's only move is known to be mated by the rook, a ply from where that was found out. */
Test(quiesce_d, a_refutation_counts_mates_from_the_root)
{
    struct fat_value f =
        searched_after("4r1k1/8/b7/8/8/8/5PPP/6K1 b - -", 1, "4r1k1/8/b7/8/8/8/5PPP/5K2 w - -", 0);
    cr_expect_eq(f.upper, -MATE + 2, "%d", f.upper);
}

/* A pawn that was taken in passing is not on the board, and one that can be is not where it stood
 * before: what is known of the same squares otherwise must not be taken for a refutation. */
Test(quiesce_d, en_passant_makes_another_position)
{
    struct fat_value f =
        searched_after("4k3/8/3P4/3p4/8/8/8/4K3 b - -", 1, "4k3/8/8/3pP3/8/8/8/4K3 w - d6", 50);
    cr_expect_eq(f.value, 100, "taking is not the same as stepping there: %d", f.value);
    /* b2-b4 is the only move, and mated by c4xb3. */
    f = searched_after("8/k7/1np5/K7/1Pp5/8/8/4b3 b - -", 6, "8/k7/1np5/K7/2p5/8/1P6/4b3 w - -", 0);
    cr_expect_leq(f.lower, -MATE + 2, "no more is sure than to be mated: %d", f.lower);
}
