/* Quiescence within the search: the same values as the leaf of the 1-ply search, and with the
 * modern search's additions what their rule says. */
#include "bare_tree.h"
#include "minimax.h"
#include "random_chess.h"
#include "see.h"
#include "thorough.h"

#include <criterion/criterion.h>

static int32_t clamp(int32_t value, int32_t alpha, int32_t beta)
{
    return value < alpha ? alpha : value > beta ? beta : value;
}

/* The rule of quiesce.h and its three additions, without a window. */
static int32_t reference(struct position *p, const struct search_params *params,
                         const struct evaluation *e, int ply, int target)
{
    enum quiesce_status status = leaf_status(p);
    if (status != QUIESCE_STAND_PAT)
        return leaf_constant(status, ply);
    bool check = position_in_check(p);
    bool evade = check && (ply == 0 || params->value[QUIESCENCE_EVASIONS]);
    int32_t best = evade ? -INFINITE_SCORE : evaluation_exact(e, p) / evaluation_scale(e->kind);
    struct move_list list;
    movegen_legal(p, &list);
    for (int i = 0; i < list.count; i++) {
        Move m = list.moves[i];
        struct position after = *p;
        struct undo undo;
        position_make(&after, m, &undo);
        bool noisy = move_is_capture(m) || (move_is_promotion(m) && move_promotion(m) == QUEEN);
        bool wanted = noisy ? params->value[QUIESCENCE_ALL_CAPTURES] != 0 ||
                                  quiesce_searches(p, m, ply, target)
                            : ply < params->value[QUIESCENCE_CHECKS] && position_in_check(&after) &&
                                  see_at_least(p, m, 0);
        if (!evade && !wanted)
            continue;
        int32_t value = -reference(&after, params, e, ply + 1, move_to(m));
        best = value > best ? value : best;
    }
    return best;
}

Test(tree_quiesce, equals_the_leaf_of_the_one_ply_search)
{
    struct search_params plain = search_plain_params();
    struct stream s = seeded(1);
    for (int i = 0; i < thorough(1000, 3000); i++) {
        struct position p = random_position(&s, (int)stream_below(&s, 160)), before = p;
        int ply = 1 + (int)stream_below(&s, 20);
        struct tree *t = bare_tree(&p, &plain);
        t->evaluation = random_evaluation(&s, (enum evaluation_kind)(i % EVALUATION_KINDS));
        int32_t exact = leaf_value(&p, &t->evaluation, ply);
        cr_assert_eq(tree_quiesce(t, -INFINITE_SCORE, INFINITE_SCORE, ply, 0, NO_SQUARE), exact);
        cr_assert(memcmp(&t->position, &before, sizeof before) == 0, "left as it was");
        int32_t alpha = exact - 100 + (int32_t)stream_below(&s, 200);
        int32_t beta = alpha + 1 + (int32_t)stream_below(&s, 100);
        int32_t expected = clamp(leaf_value(&p, &t->evaluation, 1), alpha, beta);
        cr_assert_eq(clamp(tree_quiesce(t, alpha, beta, 1, 0, NO_SQUARE), alpha, beta), expected,
                     "known already");
        tt_new_epoch(&t->tt);
        cr_assert_eq(clamp(tree_quiesce(t, alpha, beta, 1, 0, NO_SQUARE), alpha, beta), expected);
    }
}

/* Fail-soft: outside the window the value is still a bound of the exact one. */
Test(tree_quiesce, values_outside_the_window_are_bounds)
{
    struct search_params plain = search_plain_params();
    struct stream s = seeded(2);
    for (int i = 0; i < thorough(600, 2000); i++) {
        struct position p = random_position(&s, (int)stream_below(&s, 160));
        struct tree *t = bare_tree(&p, &plain);
        int32_t exact = tree_quiesce(t, -INFINITE_SCORE, INFINITE_SCORE, 1, 0, NO_SQUARE);
        int32_t alpha = exact - 300 + (int32_t)stream_below(&s, 600);
        tt_new_epoch(&t->tt);
        int32_t value = tree_quiesce(t, alpha, alpha + 1, 1, 0, NO_SQUARE);
        if (value <= alpha)
            cr_assert_leq(exact, value);
        else
            cr_assert_geq(exact, value);
    }
}

Test(tree_quiesce, additions_follow_their_rule)
{
    struct stream s = seeded(3);
    int different = 0;
    for (int i = 0; i < thorough(600, 2000); i++) {
        struct position p = random_position(&s, (int)stream_below(&s, 100));
        struct search_params params = search_plain_params();
        params.value[QUIESCENCE_EVASIONS] = (int32_t)stream_below(&s, 2);
        params.value[QUIESCENCE_CHECKS] = (int32_t)stream_below(&s, 4);
        params.value[QUIESCENCE_TABLE_OFF] = (int32_t)stream_below(&s, 2);
        struct tree *t = bare_tree(&p, &params);
        int32_t exact = reference(&p, &params, &t->evaluation, 0, NO_SQUARE);
        cr_assert_eq(tree_quiesce(t, -INFINITE_SCORE, INFINITE_SCORE, 1, 0, NO_SQUARE), exact);
        different += exact != leaf_value(&p, &t->evaluation, 1);
    }
    cr_assert_gt(different, 10, "the additions matter");
}

/* With few men, as the reference knows no window. */
Test(tree_quiesce, all_captures_are_searched_whatever_they_lose)
{
    struct search_params plain = search_plain_params(), params = plain;
    struct stream s = seeded(5);
    params.value[QUIESCENCE_ALL_CAPTURES] = 1;
    int compared = 0, different = 0;
    for (int i = 0; i < 4000 && compared < thorough(200, 600); i++) {
        struct position p = random_position(&s, 60 + (int)stream_below(&s, 200));
        if (__builtin_popcountll(p.by_color[WHITE] | p.by_color[BLACK]) > 12)
            continue;
        struct tree *t = bare_tree(&p, &params);
        int32_t exact = reference(&p, &params, &t->evaluation, 0, NO_SQUARE);
        cr_assert_eq(tree_quiesce(t, -INFINITE_SCORE, INFINITE_SCORE, 1, 0, NO_SQUARE), exact);
        different += exact != reference(&p, &plain, &t->evaluation, 0, NO_SQUARE);
        compared++;
    }
    cr_assert(compared >= 100 && different > 0, "%d of %d differ", different, compared);
}

/* Switched off, the table neither gives nor takes. */
Test(tree_quiesce, can_do_without_the_table)
{
    for (int off = 0; off < 2; off++) {
        struct stream s = seeded(6);
        struct position p = random_position(&s, 20);
        struct search_params params = search_plain_params();
        params.value[QUIESCENCE_TABLE_OFF] = off;
        struct tree *t = bare_tree(&p, &params);
        const int32_t value = tree_quiesce(t, -INFINITE_SCORE, INFINITE_SCORE, 1, 0, NO_SQUARE);
        cr_expect_eq(tt_probe(&t->tt, p.key, 1).found, !off);
        const struct tt_hit wrong = {
            .bound = BOUND_EXACT, .move = NO_MOVE, .value = value + 1, .eval = NO_EVAL};
        tt_store(&t->tt, p.key, 1, &wrong);
        cr_expect_eq(tree_quiesce(t, value, value + 1, 1, 0, NO_SQUARE), value + !off);
    }
}

Test(tree_quiesce, obeys_the_limit_of_nodes)
{
    struct search_params params = search_plain_params();
    struct stream s = seeded(4);
    params.value[QUIESCENCE_CHECKS] = 3;
    params.value[QUIESCENCE_EVASIONS] = 1;
    for (int i = 0; i < 1000; i++) {
        struct position p = random_position(&s, (int)stream_below(&s, 100));
        struct tree *t = bare_tree(&p, &params);
        t->node_limit = 1 + stream_below(&s, 40);
        tree_quiesce(t, -INFINITE_SCORE, INFINITE_SCORE, 1, 0, NO_SQUARE);
        cr_assert_leq(t->nodes, t->node_limit);
    }
}
