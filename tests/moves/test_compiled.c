/* The compiled set: on any weights it chooses the move that the engine's own search chooses. */
#include "compiled_set.h"
#include "leaf_model.h"
#include "match_all.h"
#include "position_of.h"
#include "random_chess.h"
#include "replay.h"
#include "tapered.h"
#include "thorough.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- compiled ---- */

enum { VECTORS = 6, MOST = 10100 };

/* Random positions, MOST of them at the most, each with a random legal move as its bm. Good until the next call. */
static struct epd *random_set(uint64_t seed, size_t count)
{
    static struct epd set[MOST];
    struct stream s = seeded(seed);
    memset(set, 0, count * sizeof *set);
    for (size_t i = 0; i < count; i++) {
        struct move_list list;
        set[i].position = random_position(&s, (int)stream_below(&s, 160));
        movegen_legal(&set[i].position, &list);
        set[i].best[0] = list.moves[stream_below(&s, (uint64_t)list.count)];
        set[i].best_count = 1;
    }
    return set;
}

/* By our own evaluation, if `source` is NULL. */
static struct compiled_set *compile(const struct epd *positions, size_t count, enum leaf leaf,
                                    const struct evaluator_source *source)
{
    const struct compiled_settings settings = {.leaf = leaf, .source = source, .threads = 2};
    struct error err;
    struct compiled_set *set = compiled_create(positions, count, &settings, &err);
    cr_assert_not_null(set, "%s", err.text);
    return set;
}

static struct compiled_set *compile_values(const struct epd *positions, size_t count,
                                           const struct evaluator_source *source)
{
    const struct compiled_settings settings = {.values = true, .source = source, .threads = 2};
    struct error err;
    struct compiled_set *set = compiled_create(positions, count, &settings, &err);
    cr_assert_not_null(set, "%s", err.text);
    return set;
}

/* The replay by each kernel chooses these moves. */
static void expect_choices(const struct compiled_set *set, const int32_t *values,
                           const Move *wanted)
{
    static Move choices[MOST];
    struct error err = {""};
    for (int k = 0; replay_kernels[k] != NULL; k++) {
        if (!replay_kernels[k]->supported())
            continue;
        cr_assert(compiled_choices(set, values, replay_kernels[k], choices, NULL, &err), "%s",
                  err.text);
        cr_assert_arr_eq(choices, wanted, set->count * sizeof *choices, "%s",
                         replay_kernels[k]->name);
    }
}

/* The replay chooses what the engine chooses. With few values that are not 0 moves are often equal. */
static void assert_choices_equal(enum evaluation_kind kind, enum leaf leaf, uint64_t seed,
                                 size_t count)
{
    static const struct evaluator_source *const sources[] = {
        [EVALUATION_PAPER] = &paper_evaluator_source,
        [EVALUATION_MODERN] = &modern_evaluator_source};
    const struct param_table *table = evaluation_tables[kind];
    struct epd *positions = random_set(seed, count);
    struct compiled_set *set = compile(positions, count, leaf, sources[kind]);
    struct stream s = seeded(seed + 1000);
    static Move wanted[MOST];
    for (int v = 0; v < (kind == EVALUATION_PAPER ? VECTORS : 4); v++) {
        int32_t values[EVALUATION_WEIGHTS];
        random_values_of(&s, table, values);
        for (int i = 0; kind == EVALUATION_MODERN && v % 2 == 1 && i < table->count; i++)
            values[i] = stream_below(&s, 100) == 0 ? values[i] : 0;
        const struct evaluation e = evaluation_from(table, values);
        for (size_t i = 0; i < count; i++) {
            uint64_t nodes = 0;
            struct position p = positions[i].position;
            wanted[i] = one_ply_search(&p, &e, leaf, &nodes);
        }
        expect_choices(set, values, wanted);
    }
    compiled_destroy(set);
}

Test(compiled, chooses_what_the_engine_chooses_on_every_kernel)
{
    assert_choices_equal(EVALUATION_PAPER, LEAF_QUIESCENCE, 10, (size_t)thorough(60, 3000));
    assert_choices_equal(EVALUATION_PAPER, LEAF_STATIC, 20, (size_t)thorough(60, 3000));
    assert_choices_equal(EVALUATION_MODERN, LEAF_QUIESCENCE, 1, (size_t)thorough(20, 3000));
    assert_choices_equal(EVALUATION_MODERN, LEAF_STATIC, 2, (size_t)thorough(20, 3000));
}

/* ---- kernels ---- */

Test(kernels, the_first_that_runs_is_the_best)
{
    int k = 0;
    while (!replay_kernels[k]->supported())
        k++;
    cr_expect_eq(replay_best(), replay_kernels[k]);
}

/* ---- matches ---- */

/* How far the work is, as a watcher was told. */
struct told {
    int64_t done, total;
    int count;
};

static void tell(void *context, int64_t done, int64_t total)
{
    struct told *t = context;
    cr_assert(done >= t->done && done <= total && (t->count == 0 || total == t->total),
              "%" PRId64 " of %" PRId64, done, total);
    *t = (struct told){done, total, t->count + 1};
}

/* A matcher is run again and again, with more organisms than there are in a batch of jobs, and tells how far it is.
 * What it finds is added. */
Test(compiled, a_matcher_counts_any_number_of_organisms_again_and_again)
{
    enum { ORGANISMS = 600, COUNT = 130 };
    struct error err = {""};
    struct epd *positions = random_set(35, COUNT);
    struct compiled_set *set = compile(positions, COUNT, LEAF_STATIC, NULL);
    struct compiled_matcher *m = compiled_matcher_create(set, NULL, NULL, NULL, 2, &err);
    cr_assert_not_null(m, "%s", err.text);
    static struct eval_weights w[ORGANISMS];
    int64_t sums[ORGANISMS] = {0}, one;
    struct told all = {0}, few = {0};
    const volatile sig_atomic_t stop = 1;
    const struct compiled_watcher of_all = {&all, tell, NULL}, of_few = {&few, tell, NULL},
                                  stopped = {&few, tell, &stop};
    struct stream s = seeded(36);
    for (int o = 0; o < ORGANISMS; o++)
        w[o] = random_weights(&s);
    cr_assert(compiled_matcher_run(m, NULL, w->value, ORGANISMS, sums, &of_all, &err));
    cr_expect(all.done == COUNT && all.total == COUNT);
    cr_assert(compiled_matcher_run(m, NULL, w->value, ORGANISMS, sums, NULL, &err));
    for (int o = 0; o < ORGANISMS; o += 37) {
        one = 0;
        cr_assert(compiled_match(set, w[o].value, 1, 1, NULL, &one, &err), "%s", err.text);
        cr_expect_eq(sums[o], 2 * one, "organism %d", o);
    }
    for (int k = 0; replay_kernels[k] != NULL; k++) /* in groups of each size */
        for (int count = 20; replay_kernels[k]->supported() && count < 160; count += 33) {
            int64_t other[160] = {0};
            cr_assert(compiled_match(set, w->value, count, 1, replay_kernels[k], other, &err));
            for (int o = 0; o < count; o++)
                cr_assert_eq(sums[o], 2 * other[o], "%s, %d", replay_kernels[k]->name, count);
        }
    cr_assert(compiled_matcher_run(m, NULL, w->value, 1, &one, &of_few, &err));
    cr_expect(few.done == COUNT && few.count < all.count);
    cr_assert_not(compiled_matcher_run(m, NULL, w->value, ORGANISMS, sums, &stopped, &err));
    cr_expect_str_eq(err.text, "");
    compiled_matcher_destroy(m);
    compiled_destroy(set);
}

/* Matches counted one by one through the engine. */
Test(compiled, counts_the_positions_whose_bm_is_played)
{
    enum { COUNT = 200 };
    struct epd *positions = random_set(40, COUNT);
    struct eval_weights w = eval_initial_weights();
    const struct evaluation e = evaluation_of_weights(&w);
    int64_t expected = 0, matched = 0;
    for (int i = 0; i < COUNT; i++) {
        uint64_t nodes = 0;
        struct position p = positions[i].position;
        Move played = one_ply_search(&p, &e, LEAF_QUIESCENCE, &nodes);
        if (i % 3 == 0) { /* several right moves, the played one second */
            positions[i].best[1] = played;
            positions[i].best_count = 2;
        }
        expected += positions[i].best[0] == played || positions[i].best_count == 2;
    }
    struct compiled_set *set = compile(positions, COUNT, LEAF_QUIESCENCE, NULL);
    cr_assert(compiled_match(set, w.value, 1, 1, NULL, &matched, NULL));
    cr_assert_eq(matched, expected);
    cr_assert_gt(expected, COUNT / 3);
    compiled_destroy(set);
}

/* The value is the product of the weights with its derivatives, but for pawns, whose weight is fixed at 100;
 * unless the leaf is constant. */
static void assert_explained(const struct compiled_set *set, size_t i, const double *weights,
                             const struct principal_leaf *leaf, size_t *constants)
{
    double by[EVAL_TERMS] = {0}, sum = 0, any = 0;
    compiled_add_gradient(set, i, leaf, &(double){1}, 1, by);
    for (int t = 0; t < EVAL_TERMS; t++) {
        sum += weights[t] * by[t];
        any += fabs(by[t]);
    }
    const double pawns = leaf->value - sum;
    if (any == 0)
        ++*constants;
    else
        cr_assert_float_eq(pawns, 100 * round(pawns / 100), 1e-9);
}

/* The value of a position itself is what its own quiescence gives, and its leaf explains it. */
Test(compiled, values_are_those_of_the_leaf_search)
{
    const size_t count = (size_t)thorough(500, 3000);
    struct epd *positions = random_set(80, count);
    struct compiled_set *set = compile_values(positions, count, NULL);
    struct stream s = seeded(81);
    size_t deep = 0, constants = 0;
    for (size_t i = 0; i < count; i++) {
        struct eval_weights w = random_weights(&s);
        const struct evaluation e = evaluation_of_weights(&w);
        struct position p = positions[i].position;
        struct principal_leaf leaf;
        double weights[EVAL_TERMS];
        for (int t = 0; t < EVAL_TERMS; t++)
            weights[t] = w.value[t];
        cr_assert_eq(set->positions[i].epd.position.key, p.key);
        compiled_value(set, i, weights, &leaf);
        const int32_t exact = leaf_model(&p, &e), beyond = EXACT_MATE - MATE; /* of a mate */
        const int32_t value = exact > EVAL_LIMIT    ? exact - beyond
                              : exact < -EVAL_LIMIT ? exact + beyond
                                                    : exact;
        cr_assert_eq(leaf.value, value, "%f, not %d", leaf.value, value);
        assert_explained(set, i, weights, &leaf, &constants);
        deep += value != evaluate(&p, &w);
    }
    cr_assert_gt(deep, count / 4);
    cr_assert_lt(constants, count / 10);
    compiled_destroy(set);
}

/* Stops the work when so many positions are done. */
struct stopper {
    int64_t done, total, last;
    volatile sig_atomic_t stop;
};

static void stop_at(void *context, int64_t done, int64_t total)
{
    struct stopper *s = context;
    s->done = done;
    s->total = total;
    s->stop = done >= s->last;
}

/* A compile that is stopped ends before its last position, and gives no set. */
Test(compiled, can_be_stopped)
{
    const size_t count = 400;
    struct epd *positions = random_set(90, count);
    struct stopper s = {.last = 100};
    const struct compiled_watcher watcher = {.context = &s, .done = stop_at, .stop = &s.stop};
    const struct compiled_settings settings = {.threads = 2, .watcher = &watcher};
    struct error err;
    cr_assert_null(compiled_create(positions, count, &settings, &err));
    cr_assert_eq(s.total, (int64_t)count);
    cr_assert(s.done >= 100 && s.done < (int64_t)count, "%" PRId64, s.done);
    s = (struct stopper){.last = INT64_MAX};
    struct compiled_set *set = compiled_create(positions, count, &settings, &err);
    cr_assert_not_null(set);
    cr_assert_eq(s.done, (int64_t)count);
    compiled_destroy(set);
}

/* Principal leaves: their values are those of the replay, and their rows explain them. */
Test(compiled, principal_leaves_explain_the_values)
{
    enum { COUNT = 150 };
    struct epd *positions = random_set(60, COUNT);
    struct compiled_set *set = compile(positions, COUNT, LEAF_QUIESCENCE, NULL);
    struct stream s = seeded(61);
    struct eval_weights w = random_weights(&s);
    double weights[EVAL_TERMS];
    Move choices[COUNT];
    size_t constants = 0;
    for (int t = 0; t < EVAL_TERMS; t++)
        weights[t] = w.value[t];
    cr_assert(compiled_choices(set, w.value, NULL, choices, NULL, NULL));
    for (size_t i = 0; i < COUNT; i++) {
        struct principal_leaf leaves[MAX_MOVES];
        struct move_list list;
        int n = compiled_principal(set, i, weights, leaves), best = 0;
        movegen_legal(&positions[i].position, &list);
        movegen_sort(&list);
        cr_assert_eq(n, list.count);
        for (int m = 0; m < n; m++) {
            assert_explained(set, i, weights, &leaves[m], &constants);
            best = leaves[m].value > leaves[best].value ? m : best;
        }
        cr_assert_eq(list.moves[best], choices[i]);
    }
    cr_assert_lt(constants, COUNT / 2);
    compiled_destroy(set);
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

/* ---- compiled values ---- */

/* A value times a number that makes it whole. */
static int64_t times_scale(const void *context, const struct epd *epd, double value)
{
    (void)epd;
    return llround(value * *(const int32_t *)context);
}

/* Checks the values of organisms in all kernels of this machine against the single reading, and their sums. */
static void check_set(const struct compiled_set *set)
{
    enum { ORGANISMS = 37 };
    const struct param_table *table = &set->table;
    const size_t genes = (size_t)table->count, count = set->count;
    struct stream s = seeded(7);
    struct error err;
    static int32_t values[ORGANISMS * EVALUATOR_WEIGHTS_MAX];
    static double one[EVALUATOR_WEIGHTS_MAX], scores[MOST];
    for (int o = 0; o < ORGANISMS; o++)
        random_values(&s, table, false, values + (size_t)o * genes);
    for (const struct replay *const *kernel = replay_kernels; *kernel != NULL; kernel++) {
        if (!(*kernel)->supported())
            continue;
        int64_t sums[ORGANISMS] = {0};
        struct compiled_matcher *m =
            compiled_matcher_create(set, *kernel, times_scale, &set->scale, 2, &err);
        cr_assert_not_null(m, "%s", err.text);
        cr_assert(compiled_matcher_run(m, NULL, values, ORGANISMS, sums, NULL, &err));
        for (int o = 0; o < ORGANISMS; o++) {
            const int32_t *row = values + (size_t)o * genes;
            cr_assert(compiled_choices(set, row, *kernel, NULL, scores, &err), "%s", err.text);
            for (size_t g = 0; g < genes; g++)
                one[g] = row[g];
            for (size_t i = 0; i < count; i++) {
                struct principal_leaf leaf;
                compiled_value(set, i, one, &leaf);
                cr_assert_eq(scores[i], leaf.value, "position %zu", i);
                sums[o] -= times_scale(&set->scale, NULL, leaf.value);
            }
            cr_assert_eq(sums[o], 0);
        }
        compiled_matcher_destroy(m);
    }
}

/* The first position is a mate, so that its value is a constant. */
Test(compiled_values, every_evaluation_gives_the_single_values)
{
    const size_t count = (size_t)thorough(60, 400);
    struct tapered tapered = tapered_make(700, -500, 500);
    const struct evaluator_source any = tapered_source(&tapered), *sources[] = {NULL, &any};
    struct epd *positions = random_set(90, count);
    positions[0].position = position_of("k1R5/8/1K6/8/8/8/8/8 b - - 0 1");
    for (int i = 0; i < 2; i++) {
        struct compiled_set *set = compile_values(positions, count, sources[i]);
        check_set(set);
        compiled_destroy(set);
    }
    tapered_free(&tapered);
}

/* ---- the modern evaluation ---- */

/* Ranges in which most weights are constant, some at values other than 0. */
static void draw_ranges(struct stream *s, struct param rows[MODERN_WEIGHTS])
{
    for (int i = 0; i < MODERN_WEIGHTS; i++) {
        rows[i] = modern_eval_table.params[i];
        if (stream_below(s, 4) != 0)
            rows[i].min = rows[i].max = stream_below(s, 2) == 0 ? 0 : rows[i].max / 3;
    }
}

/* Constant weights cost a set nothing, and the moves are the same. */
Test(modern, constant_weights_are_not_in_the_set)
{
    enum { POSITIONS = 40 };
    static struct param rows[MODERN_WEIGHTS];
    const struct param_table ranges = {modern_eval_table.kind, rows, MODERN_WEIGHTS};
    struct evaluator_source narrow = modern_evaluator_source;
    struct error err = {""};
    struct epd *positions = random_set(3, POSITIONS);
    struct stream s = seeded(3);
    Move all[POSITIONS], choices[POSITIONS];
    int32_t values[MODERN_WEIGHTS];
    draw_ranges(&s, rows);
    narrow.ranges = &ranges;
    struct compiled_set *whole =
        compile(positions, POSITIONS, LEAF_QUIESCENCE, &modern_evaluator_source);
    struct compiled_set *part = compile(positions, POSITIONS, LEAF_QUIESCENCE, &narrow);
    cr_expect_lt(part->term_count, whole->term_count / 2);
    for (int o = 0; o < 4; o++) {
        random_values_of(&s, &ranges, values);
        cr_assert(compiled_choices(whole, values, NULL, all, NULL, &err), "%s", err.text);
        cr_assert(compiled_choices(part, values, NULL, choices, NULL, &err), "%s", err.text);
        cr_expect_arr_eq(all, choices, sizeof all);
    }
    compiled_destroy(whole);
    compiled_destroy(part);
}

/* Searched without a set, in ranges that sets make use of: the same counts. */
Test(modern, matches_without_a_set_are_those_of_a_set)
{
    enum { POSITIONS = 300, ORGANISMS = 2 };
    static struct param rows[MODERN_WEIGHTS];
    static int32_t values[ORGANISMS][MODERN_WEIGHTS];
    const struct param_table ranges = {modern_eval_table.kind, rows, MODERN_WEIGHTS};
    struct evaluator_source narrow = modern_evaluator_source;
    struct epd *positions = random_set(4, POSITIONS);
    const struct match_all wanted = {positions, POSITIONS, LEAF_QUIESCENCE,
                                     &narrow,   values[0], ORGANISMS};
    struct stopper told = {.last = INT64_MAX};
    const struct compiled_watcher watcher = {&told, stop_at, &told.stop};
    struct error err = {""};
    struct stream s = seeded(4);
    int64_t in_set[ORGANISMS] = {0}, searched[ORGANISMS];
    draw_ranges(&s, rows);
    narrow.ranges = &ranges;
    for (int o = 0; o < ORGANISMS; o++)
        random_values_of(&s, &ranges, values[o]);
    struct compiled_set *set = compile(positions, POSITIONS, LEAF_QUIESCENCE, &narrow);
    cr_assert(compiled_match(set, values[0], ORGANISMS, 1, NULL, in_set, &err), "%s", err.text);
    cr_assert_eq(match_all(&wanted, 2, &watcher, searched, &err), JOBS_DONE, "%s", err.text);
    cr_assert(told.done == POSITIONS && told.total == POSITIONS);
    for (int o = 0; o < ORGANISMS; o++)
        cr_expect_eq(searched[o], in_set[o]);
    told = (struct stopper){.last = 1};
    cr_expect_eq(match_all(&wanted, 1, &watcher, searched, &err), JOBS_STOPPED);
    cr_expect_lt(told.done, POSITIONS);
    compiled_destroy(set);
}

/* ---- any number of signed weights: the reference is a search that asks the evaluator at each leaf ---- */

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
    cr_assert(r->evaluator->trace(r->evaluator, p, 1, add_up, &sum, NULL));
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
    const size_t count = set->count;
    struct error err;
    struct reference r = {source->create(source->context, &err), values};
    static Move wanted[MOST];
    for (size_t i = 0; i < count; i++)
        wanted[i] = reference_choice(&r, set->positions[i].epd.position);
    expect_choices(set, values, wanted);
    r.evaluator->destroy(r.evaluator);
}

/* ---- tests ---- */

/* From one weight to the most, signed, with a scale, a bias and shared features; and ranges beyond 16 bits, to both
 * sides. */
Test(sparse, any_weights_choose_what_a_plain_search_chooses)
{
    static const struct {
        int weights;
        int32_t min, max;
        bool spread;
    } cases[] = {
        {1, -700, 500, false},
        {2, -700, 500, true},
        {35, -700, 500, false},
        {1000, -700, 500, true},
        {EVALUATOR_WEIGHTS_MAX, -700, 500, false},
        {333, -32769, 32767, false},
        {333, -32768, 32768, false},
        {333, -100000, 150000, false},
    };
    const size_t count = (size_t)thorough(12, 400);
    struct epd *positions = random_set(20, count);
    struct stream s = seeded(21);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct tapered tapered = tapered_make(cases[i].weights, cases[i].min, cases[i].max);
        tapered.spread = cases[i].spread;
        const struct evaluator_source source = tapered_source(&tapered);
        struct compiled_set *set = compile(positions, count, LEAF_QUIESCENCE, &source);
        static int32_t values[EVALUATOR_WEIGHTS_MAX];
        cr_assert_eq(set->table.count, cases[i].weights);
        for (int v = 0; v < 4; v++) {
            random_values(&s, &tapered.table, v % 2 == 1, values);
            assert_reference_choices(set, &source, values);
        }
        compiled_destroy(set);
        tapered_free(&tapered);
    }
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
    struct epd positions[COUNT] = {0};
    struct tapered tapered = tapered_make(WEIGHTS, -30000, 30000);
    tapered.tempo = 30000;
    const struct evaluator_source source = tapered_source(&tapered);
    struct stream s = seeded(41);
    for (int i = 0; i < COUNT; i++)
        positions[i].position = position_of(fens[i]);
    struct compiled_set *set = compile(positions, COUNT, LEAF_QUIESCENCE, &source);
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
    struct epd positions[2] = {{.position = position_of("4k3/8/8/8/8/8/4P3/4K3 b - - 0 1")},
                               {.position = position_of("k1R5/8/1K6/8/8/8/8/8 b - - 0 1")}};
    struct tapered tapered = tapered_make(1000, -500, 500);
    const struct evaluator_source source = tapered_source(&tapered);
    struct principal_leaf leaf;
    double weights[1000] = {0};
    struct compiled_set *set = compile_values(positions, 2, &source);
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

/* Threads, kernels and groups do not matter, nor how many bits a weight needs. */
Test(sparse, matches_do_not_depend_on_threads_or_kernels)
{
    enum { ORGANISMS = 140, WEIGHTS = 700 };
    const size_t count = (size_t)thorough(30, 400);
    struct epd *positions = random_set(50, count);
    struct tapered evaluations[] = {tapered_make(WEIGHTS, -500, 500), tapered_make(90, 0, 40000)};
    static int32_t values[ORGANISMS * WEIGHTS];
    struct stream s = seeded(51);
    for (int e = 0; e < 2; e++) {
        struct tapered *tapered = &evaluations[e];
        const int weights = tapered->table.count;
        const struct evaluator_source source = tapered_source(tapered);
        struct compiled_set *set = compile(positions, count, LEAF_QUIESCENCE, &source);
        int64_t one[ORGANISMS] = {0}, all[ORGANISMS];
        for (int o = 0; o < ORGANISMS; o++)
            random_values(&s, &tapered->table, false, values + o * weights);
        for (int o = 0; o < ORGANISMS; o++)
            cr_assert(compiled_match(set, values + o * weights, 1, 1, NULL, &one[o], NULL));
        for (int k = 0; replay_kernels[k] != NULL; k++)
            for (int threads = 1; replay_kernels[k]->supported() && threads <= 2; threads++) {
                int64_t other[ORGANISMS] = {0};
                cr_assert(compiled_match(set, values, ORGANISMS, threads, replay_kernels[k], other,
                                         NULL));
                cr_assert_arr_eq(one, other, sizeof one);
            }
        const struct match_all wanted = {positions, count,  LEAF_QUIESCENCE,
                                         &source,   values, ORGANISMS};
        cr_assert_eq(match_all(&wanted, 2, NULL, all, NULL), JOBS_DONE);
        cr_assert_arr_eq(one, all, sizeof one);
        compiled_destroy(set);
        tapered_free(tapered);
    }
}

/* Positions are compiled some thousands at a time and forgotten: the same counts. */
Test(sparse, matches_more_than_are_compiled_at_a_time)
{
    enum { COUNT = MOST, ORGANISMS = 3, WEIGHTS = 40 };
    struct epd *positions = random_set(70, COUNT);
    struct tapered tapered = tapered_make(WEIGHTS, -500, 500);
    const struct evaluator_source source = tapered_source(&tapered);
    struct error err = {""};
    struct compiled_set *set = compile(positions, COUNT, LEAF_STATIC, &source);
    int32_t values[ORGANISMS * WEIGHTS];
    int64_t whole[ORGANISMS] = {0}, parts[ORGANISMS];
    struct stream s = seeded(71);
    for (int o = 0; o < ORGANISMS; o++)
        random_values(&s, &tapered.table, false, values + o * WEIGHTS);
    cr_assert(compiled_match(set, values, ORGANISMS, 2, NULL, whole, &err), "%s", err.text);
    const struct match_all wanted = {positions, COUNT, LEAF_STATIC, &source, values, ORGANISMS};
    cr_assert_eq(match_all(&wanted, 2, NULL, parts, &err), JOBS_DONE, "%s", err.text);
    for (int o = 0; o < ORGANISMS; o++)
        cr_assert_eq(parts[o], whole[o]);
    compiled_destroy(set);
    tapered_free(&tapered);
}

/* Leaves are kept as differences: the moves of a quiet position change few of its counts. */
Test(sparse, leaves_are_kept_as_differences)
{
    const struct epd epd = {.position = position_of(FEN_START)};
    struct tapered tapered = tapered_make(1000, -500, 500);
    const struct evaluator_source source = tapered_source(&tapered);
    struct compiled_set *set = compile(&epd, 1, LEAF_QUIESCENCE, &source);
    cr_expect_eq(set->row_count, 20u);
    cr_expect_gt(set->term_count, 20u);
    cr_expect_lt(set->term_count, 10u * 20);
    compiled_destroy(set);
    tapered_free(&tapered);
}

/* ---- what is refused ---- */

/* The reason why a set cannot be compiled. */
static struct error refusal(const struct evaluator_source *source, int threads)
{
    const struct compiled_settings settings = {.source = source, .threads = threads};
    struct error err = {""};
    cr_assert_null(compiled_create(random_set(70, 40), 40, &settings, &err));
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
    struct evaluator *e = tapered_create(context, err);
    e->trace = fail_at_100;
    return e;
}

/* An evaluator that is not there. */
static struct evaluator *create_nothing(const void *context, struct error *err)
{
    (void)context;
    error_set(err, "no such command");
    return NULL;
}

Test(sparse, evaluators_that_cannot_be_used_are_refused)
{
    struct tapered one = tapered_make(100, 0, 10),
                   most = tapered_make(EVALUATOR_WEIGHTS_MAX + 1, 0, 10);
    const struct {
        struct evaluator_source source;
        int threads;
        const char *reason;
    } cases[] = {
        {{create_failing, &one}, 2, "the engine exited"},
        {{create_nothing, NULL}, 1, "no such command"},
        {tapered_source(&most), 1, "the evaluation has 4097 weights; 1 to 4096 are possible"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        cr_expect_str_eq(refusal(&cases[i].source, cases[i].threads).text, cases[i].reason);
    tapered_free(&one);
    tapered_free(&most);
}

/* The set outlives its evaluators, whose texts may be gone then. */
Test(sparse, a_set_keeps_no_text_of_the_evaluator_but_names)
{
    struct tapered tapered = tapered_make(3, 0, 10);
    struct param *rows = (void *)(uintptr_t)tapered.table.params;
    const struct evaluator_source source = tapered_source(&tapered);
    struct epd *positions = random_set(11, 4);
    rows[1].group = rows[1].choices = "one";
    struct compiled_set *set = compile(positions, 4, LEAF_QUIESCENCE, &source);
    const struct param *copy = &set->table.params[1];
    cr_expect(copy->group == NULL && copy->choices == NULL);
    cr_expect(copy->name != rows[1].name);
    cr_expect_str_eq(copy->name, rows[1].name);
    compiled_destroy(set);
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
    for (size_t i = 0; i < whole->count; i++) {
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
    enum { POSITIONS = 30 };
    struct epd *positions = random_set(21, POSITIONS);
    double weights[EVAL_TERMS];
    struct error err;
    for (int t = 0; t < EVAL_TERMS; t++)
        weights[t] = eval_table.params[t].initial;
    for (double margin = 0; margin < 1000; margin = 4 * margin + 30) {
        struct compiled_set *whole = compile(positions, POSITIONS, LEAF_QUIESCENCE, NULL);
        const struct compiled_settings settings = {
            .threads = 2, .likely = weights, .margin = margin};
        struct compiled_set *likely = compiled_create(positions, POSITIONS, &settings, &err);
        cr_assert_not_null(likely, "%s", err.text);
        check_likely(whole, likely, weights, margin);
        cr_assert(likely->row_count < whole->row_count);
        compiled_destroy(whole);
        compiled_destroy(likely);
    }
}
