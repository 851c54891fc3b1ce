/* Either evaluation as a value: its scores, cached and exact, are what its weights and counts say. */
#include "evaluation.h"

#include "position_of.h"
#include "random_chess.h"
#include "random_evaluation.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static struct evaluation_cache *new_cache(void)
{
    struct evaluation_cache *cache = calloc(1, sizeof *cache);
    cr_assert_not_null(cache);
    return cache;
}

/* The modern evaluation with these weights of the table and no others. */
static struct evaluation modern_of(const char *const names[], const int32_t *weights, int count)
{
    int32_t values[EVALUATION_WEIGHTS] = {0};
    for (int i = 0; i < count; i++) {
        int index = param_find(&modern_eval_table, names[i]);
        cr_assert(index >= 0, "%s", names[i]);
        values[index] = weights[i];
    }
    return evaluation_from(&modern_eval_table, values);
}

/* The exact score by the counts, for the side to move. */
static int64_t replayed(const struct evaluation *e, const struct position *p)
{
    struct weight_count items[EVALUATION_WEIGHTS];
    int32_t values[EVALUATION_WEIGHTS];
    int64_t sum = 0;
    evaluation_values(e, values);
    for (int i = 0, count = evaluation_counts(e->kind, p, items); i < count; i++)
        sum += (int64_t)values[items[i].weight] * items[i].count;
    return p->side == WHITE ? sum : -sum;
}

Test(evaluation, keeps_the_values_of_its_table)
{
    struct stream s;
    stream_init(&s, 1, STREAM_TEST, 0, 0);
    for (int i = 0; i < 20; i++) {
        const struct param_table *table = evaluation_tables[i % EVALUATION_KINDS];
        int32_t values[EVALUATION_WEIGHTS], again[EVALUATION_WEIGHTS];
        random_values_of(&s, table, values);
        const struct evaluation e = evaluation_from(table, values);
        cr_assert_eq(evaluation_table(&e), table);
        cr_assert_eq(evaluation_table_of_kind(table->kind), table);
        evaluation_values(&e, again);
        cr_assert_eq(memcmp(values, again, (size_t)table->count * sizeof *values), 0);
    }
    cr_assert_null(evaluation_table_of_kind("search"));
}

Test(evaluation, a_symmetric_one_changes_its_sign_with_the_side)
{
    struct stream s;
    stream_init(&s, 7, STREAM_TEST, 0, 0);
    struct evaluation_cache *cache = new_cache();
    const struct evaluation e = evaluation_initial();
    cr_assert(evaluation_is_symmetric(&e));
    for (int i = 0; i < 2000; i++) {
        struct position p = random_position(&s, i % 200);
        struct undo undo;
        if (position_in_check(&p))
            continue;
        int32_t score = evaluation_score(&e, &p, cache);
        position_make_null(&p, &undo);
        cr_assert_eq(evaluation_score(&e, &p, cache), -score);
    }
    free(cache);
}

Test(evaluation, exact_scores_are_what_the_counts_say)
{
    struct stream s;
    stream_init(&s, 2, STREAM_TEST, 0, 0);
    for (int i = 0; i < 2000; i++) {
        struct position p = random_position(&s, (int)stream_below(&s, 200));
        const struct evaluation e =
            random_evaluation(&s, (enum evaluation_kind)(i % EVALUATION_KINDS));
        cr_assert_eq(evaluation_exact(&e, &p), replayed(&e, &p), "position %d", i);
    }
}

Test(evaluation, a_score_is_the_exact_one_whatever_is_cached)
{
    struct stream s;
    struct evaluation_cache *cache = new_cache();
    stream_init(&s, 3, STREAM_TEST, 0, 0);
    for (int i = 0; i < 8; i++) {
        const struct evaluation e =
            random_evaluation(&s, (enum evaluation_kind)(i % EVALUATION_KINDS));
        evaluation_cache_clear(cache);
        for (int k = 0; k < 1500; k++) {
            struct position p = random_position(&s, k % 250);
            int32_t score = evaluation_exact(&e, &p) / evaluation_scale(e.kind);
            cr_assert_eq(evaluation_score(&e, &p, cache), score);
            cr_assert_eq(evaluation_score(&e, &p, cache), score);
        }
    }
    free(cache);
}

Test(evaluation, a_kept_score_is_found_by_its_key_alone)
{
    static const uint64_t keys[] = {0, 1, UINT64_C(1) << KEPT_SCORE_BITS, UINT64_C(1) << 63,
                                    ~UINT64_C(0)};
    static const int32_t scores[] = {1 - EVAL_LIMIT, -1, 0, 1, EVAL_LIMIT - 1};
    struct kept_scores *kept = calloc(1, sizeof *kept);
    int32_t found;
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        cr_expect_not(kept_scores_find(kept, keys[i], &found));
        for (size_t k = 0; k < sizeof scores / sizeof scores[0]; k++) {
            kept_scores_add(kept, keys[i], scores[k]);
            cr_expect(kept_scores_find(kept, keys[i], &found));
            cr_expect_eq(found, scores[k]);
            cr_expect_not(kept_scores_find(kept, keys[i] ^ UINT64_C(1) << 62, &found));
        }
    }
    free(kept);
}

/* A place that was never used holds what is right without pawns. */
Test(evaluation, zeroed_memory_is_an_empty_cache)
{
    struct stream s;
    struct evaluation_cache *cache = new_cache();
    struct position p = position_of("r1b1k3/8/8/2n5/8/8/3Q4/4K2R w - - 0 1");
    stream_init(&s, 4, STREAM_TEST, 0, 0);
    for (int kind = 0; kind < EVALUATION_KINDS; kind++) {
        const struct evaluation e = random_evaluation(&s, (enum evaluation_kind)kind);
        evaluation_cache_clear(cache);
        cr_assert_eq(evaluation_score(&e, &p, cache),
                     evaluation_exact(&e, &p) / evaluation_scale(e.kind));
    }
    free(cache);
}

/* The weights that make the most of a position. */
static struct evaluation boundary(enum evaluation_kind kind, const struct position *p)
{
    struct weight_count items[EVALUATION_WEIGHTS];
    int32_t values[EVALUATION_WEIGHTS];
    const struct param_table *table = evaluation_tables[kind];
    for (int i = 0; i < table->count; i++)
        values[i] = table->params[i].min;
    for (int i = 0, count = evaluation_counts(kind, p, items); i < count; i++) {
        const struct param *w = &table->params[items[i].weight];
        values[items[i].weight] = items[i].count > 0 ? w->max : w->min;
    }
    return evaluation_from(table, values);
}

Test(evaluation, every_score_is_within_its_limits)
{
    static const char *const fens[] = {
        "QQQQQQQQ/QK6/8/8/8/8/8/kn6 b - - 0 1",
        "1Q1Q1Q1Q/Q1Q1Q1Q1/Q7/7k/8/8/2BB2NN/2RR3K b - - 0 1",
        "4k3/PPPPPPPP/8/8/8/8/NNBB4/RR1Q2K1 b - - 0 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    };
    struct evaluation_cache *cache = new_cache();
    for (size_t i = 0; i < sizeof fens / sizeof fens[0]; i++)
        for (int kind = 0; kind < EVALUATION_KINDS; kind++) {
            struct position p = position_of(fens[i]);
            const struct evaluation e = boundary((enum evaluation_kind)kind, &p);
            evaluation_cache_clear(cache);
            int32_t score = evaluation_score(&e, &p, cache);
            cr_expect(score < EVAL_LIMIT && score > -EVAL_LIMIT, "%s: %d", fens[i], score);
            int64_t exact = replayed(&e, &p), mate = evaluation_mate(e.kind) - 1000;
            cr_expect(exact < mate && exact > -mate, "%s: %lld", fens[i], (long long)exact);
            cr_expect_eq(evaluation_exact(&e, &p), exact);
        }
    free(cache);
}

Test(evaluation, pieces_are_worth_their_weights)
{
    static const char *const names[] = {"MATERIAL_P_MG", "MATERIAL_P_EG", "MATERIAL_R_MG",
                                        "MATERIAL_R_EG", "SQUARE_Q_1_D_MG"};
    static const int32_t weights[] = {800, 800, 4000, 4000, -4000};
    const struct evaluation paper = evaluation_initial();
    const struct evaluation modern = modern_of(names, weights, 5);
    const struct piece_values by_paper = piece_values_find(&paper),
                              by_modern = piece_values_find(&modern);
    for (int kind = PAWN; kind < KING; kind++)
        cr_expect_eq(by_paper.of[kind], paper.paper.value[PAWN_VALUE + kind]);
    cr_expect_eq(by_paper.of[KING], 0);
    cr_expect_eq(by_modern.of[PAWN], 100);
    cr_expect_eq(by_modern.of[ROOK], 500);
    cr_expect_eq(by_modern.of[KNIGHT], 0);
    cr_expect_eq(by_modern.of[QUEEN], 0, "nobody gains by losing a piece");
    cr_expect_eq(by_modern.of[NO_KIND], 0);
}
