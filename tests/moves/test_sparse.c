/* Compiled sets of other evaluations than ours: any number of signed weights, sparse. */
#include "compiled_set.h"
#include "evaluator.h"
#include "match_all.h"
#include "random_chess.h"
#include "replay.h"
#include "tapered.h"
#include "thorough.h"

#include <criterion/criterion.h>
#include <math.h>

/* ---- positions and sets ---- */

/* Random positions, each with a random legal move as its bm. */
static struct epd *random_set(uint64_t seed, size_t count)
{
    struct epd *set = calloc(count, sizeof *set);
    struct stream s;
    stream_init(&s, seed, STREAM_TEST, 0, 0);
    for (size_t i = 0; i < count; i++) {
        struct move_list list;
        set[i].position = random_position(&s, (int)stream_below(&s, 160));
        movegen_legal(&set[i].position, &list);
        set[i].best[0] = list.moves[stream_below(&s, (uint64_t)list.count)];
        set[i].best_count = 1;
    }
    return set;
}

static struct compiled_set *compile(const struct epd *positions, size_t count,
                                    const struct evaluator_source *source)
{
    struct error err;
    struct compiled_set *set =
        compiled_create(positions, count, LEAF_QUIESCENCE, source, 2, NULL, &err);
    cr_assert_not_null(set, "%s", err.text);
    return set;
}

static struct epd epd_of(const char *fen)
{
    struct epd epd = {.best_count = 0};
    struct error err;
    cr_assert(position_from_fen(&epd.position, fen, NULL, &err), "%s", err.text);
    return epd;
}

/* Random values of a table; `extreme`: ends of the ranges only. */
static void random_values(struct stream *s, const struct param_table *table, bool extreme,
                          int32_t *values)
{
    for (int i = 0; i < table->count; i++) {
        const struct param *p = &table->params[i];
        const uint64_t span = (uint64_t)((int64_t)p->max - p->min);
        values[i] = extreme ? (stream_below(s, 2) == 0 ? p->min : p->max)
                            : (int32_t)(p->min + (int64_t)stream_below(s, span + 1));
    }
}

/* ---- the reference: a search that asks the evaluator at each leaf ---- */

struct reference {
    struct evaluator *evaluator;
    const int32_t *values;
};

/* What the reference sums a leaf's counts into. */
struct sum {
    const struct reference *reference;
    int64_t value;
};

static bool add_up(void *context, size_t index, const struct leaf_counts *counts)
{
    struct sum *sum = context;
    (void)index;
    sum->value = (int64_t)sum->reference->evaluator->scale * counts->bias;
    for (int i = 0; i < counts->count; i++)
        sum->value +=
            (int64_t)sum->reference->values[counts->items[i].weight] * counts->items[i].count;
    return true;
}

/* The score times the scale, for the side to move. */
static int64_t static_value(const struct reference *r, const struct position *p)
{
    struct sum sum = {r, 0};
    cr_assert(r->evaluator->method->trace(r->evaluator, p, 1, add_up, &sum, NULL));
    return p->side == WHITE ? sum.value : -sum.value;
}

static const int64_t mate = (int64_t)1 << 60;

/* Plain minimax over the quiescence rule. */
static int64_t quiesced(const struct reference *r, struct position *p, int ply, int target)
{
    struct move_list list;
    enum quiesce_status status = quiesce_moves(p, ply, target, &list);
    if (status == QUIESCE_MATED)
        return -mate + ply;
    if (status == QUIESCE_DRAWN)
        return 0;
    int64_t best = status == QUIESCE_STAND_PAT ? static_value(r, p) : INT64_MIN;
    for (int i = 0; i < list.count; i++) {
        struct undo undo;
        position_make(p, list.moves[i], &undo);
        int64_t value = -quiesced(r, p, ply + 1, move_to(list.moves[i]));
        position_unmake(p, list.moves[i], &undo);
        best = value > best ? value : best;
    }
    return best;
}

/* The first best of the legal moves in canonical order. */
static Move reference_choice(const struct reference *r, struct position p)
{
    struct move_list list;
    int64_t best = INT64_MIN;
    Move choice = NO_MOVE;
    movegen_legal(&p, &list);
    movegen_sort(&list);
    for (int i = 0; i < list.count; i++) {
        struct undo undo;
        position_make(&p, list.moves[i], &undo);
        int64_t value = -quiesced(r, &p, 0, NO_SQUARE);
        position_unmake(&p, list.moves[i], &undo);
        if (value > best) {
            best = value;
            choice = list.moves[i];
        }
    }
    return choice;
}

/* Every kernel chooses what the reference chooses. */
static void assert_reference_choices(const struct compiled_set *set,
                                     const struct evaluator_source *source, const int32_t *values)
{
    const size_t count = compiled_positions(set);
    struct error err;
    struct reference r = {source->create(source->context, &err), values};
    Move *wanted = calloc(count, sizeof *wanted), *choices = calloc(count, sizeof *choices);
    for (size_t i = 0; i < count; i++)
        wanted[i] = reference_choice(&r, compiled_epd(set, i)->position);
    for (int k = 0; replay_kernels[k] != NULL; k++) {
        if (!replay_kernels[k]->supported())
            continue;
        cr_assert(compiled_choices(set, values, replay_kernels[k], choices, &err), "%s", err.text);
        cr_assert_arr_eq(choices, wanted, count * sizeof *choices, "%s", replay_kernels[k]->name);
    }
    r.evaluator->method->destroy(r.evaluator);
    free(choices);
    free(wanted);
}

/* ---- tests ---- */

/* From one weight to the most, signed, with a scale, a bias and shared features. */
Test(sparse, any_number_of_weights_chooses_what_a_plain_search_chooses)
{
    static const int sizes[] = {1, 2, 35, 1000, EVALUATOR_WEIGHTS_MAX};
    const size_t count = (size_t)thorough(25, 400);
    struct epd *positions = random_set(20, count);
    struct stream s;
    stream_init(&s, 21, STREAM_TEST, 0, 0);
    for (int i = 0; i < 5; i++) {
        struct tapered tapered = tapered_make(sizes[i], -700, 500);
        tapered.spread = i % 2 == 1;
        const struct evaluator_source source = tapered_source(&tapered);
        struct compiled_set *set = compile(positions, count, &source);
        int32_t *values = calloc((size_t)sizes[i], sizeof *values);
        cr_assert_eq(compiled_table(set)->count, sizes[i]);
        for (int v = 0; v < 3; v++) {
            random_values(&s, &tapered.table, v == 2, values);
            assert_reference_choices(set, &source, values);
        }
        free(values);
        compiled_destroy(set);
        tapered_free(&tapered);
    }
    free(positions);
}

/* Ranges beyond 16 bits, to both sides. */
Test(sparse, wide_weights_choose_what_a_plain_search_chooses)
{
    static const int32_t ranges[][2] = {{-32769, 32767}, {-32768, 32768}, {-100000, 150000}};
    enum { WEIGHTS = 333, COUNT = 25 };
    struct epd *positions = random_set(30, COUNT);
    struct stream s;
    stream_init(&s, 31, STREAM_TEST, 0, 0);
    for (int i = 0; i < 3; i++) {
        struct tapered tapered = tapered_make(WEIGHTS, ranges[i][0], ranges[i][1]);
        const struct evaluator_source source = tapered_source(&tapered);
        struct compiled_set *set = compile(positions, COUNT, &source);
        int32_t values[WEIGHTS];
        for (int v = 0; v < 4; v++) {
            random_values(&s, &tapered.table, v % 2 == 1, values);
            assert_reference_choices(set, &source, values);
        }
        compiled_destroy(set);
        tapered_free(&tapered);
    }
    free(positions);
}

/* Several mates, a stalemate and bare kings: nearer mates come first, a mate is worth more than any
 * score, and a draw is 0 whatever the bias. */
Test(sparse, mates_and_draws)
{
    static const char *const fens[] = {
        "6k1/5ppp/8/8/8/8/5PPP/R2R2K1 w - - 0 1", "k7/8/1K6/8/8/8/8/1Q6 w - - 0 1",
        "7k/5Q2/8/8/8/8/8/K7 w - - 0 1",          "8/8/8/8/8/2k5/1p6/K7 w - - 0 1",
        "7k/8/8/8/8/1r6/r7/6K1 b - - 0 1",        "6rk/6pp/8/8/8/QQQQ4/QQQQ4/K3Q3 w - - 0 1",
    };
    enum { COUNT = sizeof fens / sizeof fens[0], WEIGHTS = 1000 };
    struct epd positions[COUNT];
    struct tapered tapered = tapered_make(WEIGHTS, -30000, 30000);
    tapered.tempo = 30000;
    const struct evaluator_source source = tapered_source(&tapered);
    struct stream s;
    stream_init(&s, 41, STREAM_TEST, 0, 0);
    for (int i = 0; i < COUNT; i++)
        positions[i] = epd_of(fens[i]);
    struct compiled_set *set = compile(positions, COUNT, &source);
    int32_t values[WEIGHTS];
    for (int v = 0; v < 20; v++) {
        random_values(&s, &tapered.table, v % 2 == 1, values);
        assert_reference_choices(set, &source, values);
    }
    compiled_destroy(set);
    tapered_free(&tapered);
}

/* A score in real weights is the one in the unit of the weights; mates are those of evaluate.h. */
Test(sparse, values_have_the_unit_of_the_weights)
{
    struct epd positions[2] = {epd_of("4k3/8/8/8/8/8/4P3/4K3 b - - 0 1"),
                               epd_of("k1R5/8/1K6/8/8/8/8/8 b - - 0 1")};
    struct tapered tapered = tapered_make(1000, -500, 500);
    const struct evaluator_source source = tapered_source(&tapered);
    struct error err;
    struct principal_leaf leaf;
    double weights[1000] = {0};
    struct compiled_set *set =
        compiled_create_values(positions, 2, LEAF_QUIESCENCE, &source, 1, NULL, &err);
    cr_assert_not_null(set, "%s", err.text);
    compiled_value(set, 0, weights, &leaf);
    cr_expect_float_eq(leaf.value, 10, 1e-12); /* the bias alone: the tempo of Black */
    weights[2 * 12 + 1] = 48;                  /* a pawn on e2 in the endgame */
    compiled_value(set, 0, weights, &leaf);
    cr_expect_float_eq(leaf.value, 10 - 48, 1e-12);
    compiled_value(set, 1, weights, &leaf);
    cr_expect_eq(leaf.value, -MATE + 1);
    compiled_destroy(set);
    tapered_free(&tapered);
}

/* Threads, kernels and groups do not matter: 100 organisms by all of them. */
Test(sparse, matches_do_not_depend_on_threads_or_kernels)
{
    enum { ORGANISMS = 100, WEIGHTS = 700 };
    const size_t count = (size_t)thorough(60, 400);
    struct epd *positions = random_set(50, count);
    struct tapered tapered = tapered_make(WEIGHTS, -500, 500);
    const struct evaluator_source source = tapered_source(&tapered);
    struct compiled_set *set = compile(positions, count, &source);
    int32_t *values = calloc(ORGANISMS * WEIGHTS, sizeof *values);
    int32_t one[ORGANISMS], other[ORGANISMS];
    int64_t all[ORGANISMS];
    struct stream s;
    stream_init(&s, 51, STREAM_TEST, 0, 0);
    for (int o = 0; o < ORGANISMS; o++)
        random_values(&s, &tapered.table, false, values + o * WEIGHTS);
    cr_assert(compiled_match(set, values, ORGANISMS, 1, NULL, one, NULL));
    for (int k = 0; replay_kernels[k] != NULL; k++)
        for (int threads = 1; replay_kernels[k]->supported() && threads <= 2; threads++) {
            cr_assert(
                compiled_match(set, values, ORGANISMS, threads, replay_kernels[k], other, NULL));
            cr_assert_arr_eq(one, other, sizeof one);
        }
    for (int o = 0; o < ORGANISMS; o += 9) {
        cr_assert(compiled_match(set, values + o * WEIGHTS, 1, 1, NULL, other, NULL));
        cr_assert_eq(one[o], other[0]);
    }
    const struct match_all wanted = {positions, count, LEAF_QUIESCENCE, &source, values, ORGANISMS};
    cr_assert_eq(match_all(&wanted, 2, NULL, all, NULL), JOBS_DONE);
    for (int o = 0; o < ORGANISMS; o++)
        cr_assert_eq(all[o], one[o]);
    free(values);
    compiled_destroy(set);
    tapered_free(&tapered);
    free(positions);
}

/* Positions are compiled some thousands at a time and forgotten: the same counts. */
Test(sparse, matches_more_than_are_compiled_at_a_time)
{
    enum { COUNT = 10100, ORGANISMS = 3, WEIGHTS = 40 };
    struct epd *positions = random_set(70, COUNT);
    struct tapered tapered = tapered_make(WEIGHTS, -500, 500);
    const struct evaluator_source source = tapered_source(&tapered);
    struct error err = {""};
    struct compiled_set *set =
        compiled_create(positions, COUNT, LEAF_STATIC, &source, 2, NULL, &err);
    cr_assert_not_null(set, "%s", err.text);
    int32_t values[ORGANISMS * WEIGHTS], whole[ORGANISMS];
    int64_t parts[ORGANISMS];
    struct stream s;
    stream_init(&s, 71, STREAM_TEST, 0, 0);
    for (int o = 0; o < ORGANISMS; o++)
        random_values(&s, &tapered.table, false, values + o * WEIGHTS);
    cr_assert(compiled_match(set, values, ORGANISMS, 2, NULL, whole, &err), "%s", err.text);
    const struct match_all wanted = {positions, COUNT, LEAF_STATIC, &source, values, ORGANISMS};
    cr_assert_eq(match_all(&wanted, 2, NULL, parts, &err), JOBS_DONE, "%s", err.text);
    for (int o = 0; o < ORGANISMS; o++)
        cr_assert_eq(parts[o], whole[o]);
    compiled_destroy(set);
    tapered_free(&tapered);
    free(positions);
}

/* Leaves are kept as differences: the moves of a quiet position change few of its counts. */
Test(sparse, leaves_are_kept_as_differences)
{
    const struct epd epd = epd_of(FEN_START);
    struct tapered tapered = tapered_make(1000, -500, 500);
    const struct evaluator_source source = tapered_source(&tapered);
    struct compiled_set *set = compile(&epd, 1, &source);
    cr_expect_eq(compiled_leaves(set), 20u);
    cr_expect_gt(set->term_count, 20u);
    cr_expect_lt(set->term_count, 10u * 20);
    compiled_destroy(set);
    tapered_free(&tapered);
}

/* ---- what is refused ---- */

/* The reason why a set cannot be compiled. */
static struct error refusal(const struct evaluator_source *source, int threads)
{
    struct epd *positions = random_set(70, 40);
    struct error err = {""};
    cr_assert_null(compiled_create(positions, 40, LEAF_QUIESCENCE, source, threads, NULL, &err));
    free(positions);
    return err;
}

Test(sparse, a_sum_that_could_overflow_is_refused)
{
    struct tapered tapered = tapered_make(1000, -5000000, 5000000);
    const struct evaluator_source source = tapered_source(&tapered);
    struct error err = refusal(&source, 1);
    struct epd *positions = random_set(70, 40);
    char fen[FEN_MAX], wanted[FEN_MAX + 80];
    position_to_fen(&positions[0].position, fen);
    snprintf(wanted, sizeof wanted,
             "position %s: with weights within their ranges, score x scale may reach ", fen);
    cr_expect_eq(strncmp(err.text, wanted, strlen(wanted)), 0, "%s", err.text);
    free(positions);
    cr_expect_not_null(strstr(err.text, "at most 1000000000 is possible; use smaller ranges"), "%s",
                       err.text);
    tapered_free(&tapered);
}

/* An evaluator that fails at the 100th leaf. */
static bool fail_at_100(struct evaluator *base, const struct position *positions, size_t count,
                        bool (*take)(void *context, size_t index, const struct leaf_counts *counts),
                        void *context, struct error *err)
{
    return tapered_trace(base, positions, count < 100 ? count : 100, take, context, err) &&
           (count < 100 || error_set(err, "the engine exited"));
}

static struct evaluator *create_failing(const void *context, struct error *err)
{
    static const struct evaluator_method method = {fail_at_100, tapered_destroy};
    struct evaluator *e = tapered_create(context, err);
    e->method = &method;
    return e;
}

Test(sparse, an_evaluator_that_fails_ends_the_compilation)
{
    struct tapered tapered = tapered_make(100, 0, 10);
    const struct evaluator_source source = {create_failing, &tapered};
    struct error err = refusal(&source, 2);
    cr_expect_str_eq(err.text, "the engine exited");
    tapered_free(&tapered);
}

/* An evaluator that is not there. */
static struct evaluator *create_nothing(const void *context, struct error *err)
{
    (void)context;
    error_set(err, "no such command");
    return NULL;
}

Test(sparse, an_evaluator_that_does_not_start_is_an_error)
{
    const struct evaluator_source source = {create_nothing, NULL};
    struct error err = refusal(&source, 1);
    cr_expect_str_eq(err.text, "no such command");
}

/* An evaluator whose weights are others each time; the context counts its starts. */
static struct evaluator *create_changing(const void *context, struct error *err)
{
    const struct tapered *const *two = context;
    static int starts; /* of this test alone, which runs in a process of its own */
    return tapered_create(two[starts++ % 2], err);
}

Test(sparse, an_evaluator_that_changes_its_weights_is_refused)
{
    struct tapered one = tapered_make(100, 0, 10), other = tapered_make(100, 0, 11);
    const struct tapered *two[] = {&one, &other};
    const struct evaluator_source source = {create_changing, two};
    struct error err = refusal(&source, 2);
    cr_expect_str_eq(err.text, "thread 2 of 2: the evaluation has other weights when it is started "
                               "again");
    tapered_free(&one);
    tapered_free(&other);
}

Test(sparse, too_many_weights_are_refused)
{
    struct tapered tapered = tapered_make(EVALUATOR_WEIGHTS_MAX + 1, 0, 10);
    const struct evaluator_source source = tapered_source(&tapered);
    struct error err = refusal(&source, 1);
    cr_expect_str_eq(err.text, "the evaluation has 4097 weights; 1 to 4096 are possible");
    tapered_free(&tapered);
}

/* The set outlives its evaluators, whose texts may be gone then. */
Test(sparse, a_set_keeps_no_text_of_the_evaluator_but_names)
{
    struct tapered tapered = tapered_make(3, 0, 10);
    struct param *rows = (void *)(uintptr_t)tapered.table.params;
    const struct evaluator_source source = tapered_source(&tapered);
    struct epd *positions = random_set(11, 4);
    rows[1].group = rows[1].choices = "one";
    struct compiled_set *set = compile(positions, 4, &source);
    const struct param *copy = &compiled_table(set)->params[1];
    cr_expect(copy->group == NULL && copy->choices == NULL);
    cr_expect(copy->name != rows[1].name);
    cr_expect_str_eq(copy->name, rows[1].name);
    compiled_destroy(set);
    free(positions);
    tapered_free(&tapered);
}

/* ---- likely moves ---- */

/* The values of a position's moves by the weights, and the best of them. */
static int move_values(const struct compiled_set *set, size_t i, const double *weights,
                       struct principal_leaf leaves[MAX_MOVES], double *best)
{
    int count = compiled_principal(set, i, weights, leaves);
    *best = -INFINITY;
    for (int m = 0; m < count; m++)
        *best = leaves[m].value > *best ? leaves[m].value : *best;
    return count;
}

/* Checks that a set has exactly the likely moves of the whole one. */
static void check_likely(const struct compiled_set *whole, const struct compiled_set *likely,
                         const double *weights, double margin)
{
    for (size_t i = 0; i < compiled_positions(whole); i++) {
        struct principal_leaf all[MAX_MOVES], kept[MAX_MOVES];
        double best, best_kept;
        int count = move_values(whole, i, weights, all, &best), k = 0;
        int left = move_values(likely, i, weights, kept, &best_kept);
        for (int m = 0; m < count; m++) {
            if (!all[m].right && all[m].value < best - margin)
                continue;
            cr_assert_lt(k, left);
            cr_assert_eq(kept[k].right, all[m].right);
            cr_assert_float_eq(kept[k].value, all[m].value, 1e-9);
            k++;
        }
        cr_assert_eq(k, left);
    }
}

Test(sparse, likely_moves_are_the_right_ones_and_those_near_the_best)
{
    enum { POSITIONS = 60 };
    struct epd *positions = random_set(21, POSITIONS);
    double weights[EVAL_TERMS];
    struct error err;
    for (int t = 0; t < EVAL_TERMS; t++)
        weights[t] = eval_table.params[t].initial;
    for (double margin = 0; margin < 1000; margin = 4 * margin + 30) {
        struct compiled_set *whole = compile(positions, POSITIONS, NULL);
        struct compiled_set *likely = compiled_create_likely(positions, POSITIONS, LEAF_QUIESCENCE,
                                                             NULL, weights, margin, 2, NULL, &err);
        cr_assert_not_null(likely, "%s", err.text);
        check_likely(whole, likely, weights, margin);
        cr_assert(compiled_leaves(likely) < compiled_leaves(whole));
        compiled_destroy(whole);
        compiled_destroy(likely);
    }
    free(positions);
}
