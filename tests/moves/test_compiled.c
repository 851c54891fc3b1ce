/* The compiled set: on any weights it chooses the move that the engine's own search chooses. */
#include "compiled.h"
#include "match_all.h"
#include "quiesce.h"
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

enum { VECTORS = 12 };

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

static struct compiled_set *compile(const struct epd *positions, size_t count, enum leaf leaf)
{
    struct error err;
    struct compiled_set *set = compiled_create(positions, count, leaf, NULL, 2, NULL, &err);
    cr_assert_not_null(set, "%s", err.text);
    return set;
}

/* The replay by each kernel chooses what the engine chooses, which is asked once. */
static void assert_choices_equal(enum leaf leaf, uint64_t seed)
{
    const size_t count = (size_t)thorough(700, 3000);
    struct epd *positions = random_set(seed, count);
    struct compiled_set *set = compile(positions, count, leaf);
    struct stream s;
    stream_init(&s, seed, STREAM_TEST, 1, 0);
    Move *wanted = calloc(count, sizeof *wanted), *choices = calloc(count, sizeof *choices);
    for (int v = 0; v < VECTORS; v++) {
        struct eval_weights w = random_weights(&s);
        const struct evaluation e = evaluation_of_weights(&w);
        for (size_t i = 0; i < count; i++) {
            uint64_t nodes = 0;
            struct position p = positions[i].position;
            wanted[i] = one_ply_search(&p, &e, leaf, &nodes);
        }
        for (int k = 0; replay_kernels[k] != NULL; k++) {
            if (!replay_kernels[k]->supported())
                continue;
            cr_assert(compiled_choices(set, w.value, replay_kernels[k], choices, NULL));
            cr_assert_arr_eq(choices, wanted, count * sizeof *choices, "%s",
                             replay_kernels[k]->name);
        }
    }
    free(choices);
    free(wanted);
    compiled_destroy(set);
    free(positions);
}

Test(compiled, chooses_what_the_engine_chooses_on_every_kernel)
{
    assert_choices_equal(LEAF_QUIESCENCE, 10);
}

Test(compiled, chooses_what_the_engine_chooses_on_static_leaves)
{
    assert_choices_equal(LEAF_STATIC, 20);
}

/* ---- kernels ---- */

Test(kernels, the_first_that_runs_is_the_best)
{
    const struct replay *best = NULL;
    for (int k = 0; replay_kernels[k] != NULL; k++) {
        bool runs = replay_kernels[k]->supported();
        best = best == NULL && runs ? replay_kernels[k] : best;
    }
    cr_expect_eq(replay_best(), best);
}

/* ---- matches ---- */

/* 100 organisms: full groups and a part of one; any threads, any kernel, the same counts. */
Test(compiled, matches_do_not_depend_on_threads_kernels_or_grouping)
{
    enum { ORGANISMS = 100 };
    const size_t count = (size_t)thorough(100, 400);
    struct epd *positions = random_set(30, count);
    struct compiled_set *set = compile(positions, count, LEAF_QUIESCENCE);
    struct eval_weights w[ORGANISMS];
    int32_t one[ORGANISMS], other[ORGANISMS];
    struct stream s;
    stream_init(&s, 31, STREAM_TEST, 0, 0);
    for (int o = 0; o < ORGANISMS; o++)
        w[o] = random_weights(&s);
    cr_assert(compiled_match(set, w->value, ORGANISMS, 1, NULL, one, NULL));
    for (int k = 0; replay_kernels[k] != NULL; k++) {
        if (!replay_kernels[k]->supported())
            continue;
        for (int threads = 1; threads <= 5; threads++) {
            cr_assert(
                compiled_match(set, w->value, ORGANISMS, threads, replay_kernels[k], other, NULL));
            cr_assert_arr_eq(one, other, sizeof one);
        }
    }
    for (int o = 0; o < ORGANISMS; o++) {
        cr_assert(compiled_match(set, w[o].value, 1, 1, NULL, other, NULL));
        cr_assert_eq(one[o], other[0]);
    }
    compiled_destroy(set);
    free(positions);
}

/* A matcher is run again and again, with more organisms than there are in a batch of jobs. */
Test(compiled, a_matcher_counts_any_number_of_organisms_again_and_again)
{
    enum { ORGANISMS = 600, COUNT = 130 };
    struct error err = {""};
    struct epd *positions = random_set(35, COUNT);
    struct compiled_set *set = compile(positions, COUNT, LEAF_STATIC);
    struct compiled_matcher *m = compiled_matcher_create(set, NULL, 2, &err);
    cr_assert_not_null(m, "%s", err.text);
    struct eval_weights w[ORGANISMS];
    int32_t all[ORGANISMS], again[ORGANISMS];
    struct stream s;
    stream_init(&s, 36, STREAM_TEST, 0, 0);
    for (int o = 0; o < ORGANISMS; o++)
        w[o] = random_weights(&s);
    cr_assert(compiled_matcher_run(m, w->value, ORGANISMS, all, NULL, &err), "%s", err.text);
    cr_assert(compiled_matcher_run(m, w->value, ORGANISMS, again, NULL, &err), "%s", err.text);
    cr_expect_arr_eq(all, again, sizeof all);
    for (int o = 0; o < ORGANISMS; o += 37) {
        cr_assert(compiled_match(set, w[o].value, 1, 1, NULL, again, &err), "%s", err.text);
        cr_expect_eq(all[o], again[0], "organism %d", o);
    }
    compiled_matcher_destroy(m);
    compiled_destroy(set);
    free(positions);
}

/* Matches counted one by one through the engine. */
Test(compiled, counts_the_positions_whose_bm_is_played)
{
    enum { COUNT = 500 };
    struct epd *positions = random_set(40, COUNT);
    struct eval_weights w = eval_initial_weights();
    const struct evaluation e = evaluation_of_weights(&w);
    int32_t expected = 0, matched;
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
    struct compiled_set *set = compile(positions, COUNT, LEAF_QUIESCENCE);
    cr_assert(compiled_match(set, w.value, 1, 1, NULL, &matched, NULL));
    cr_assert_eq(matched, expected);
    cr_assert_gt(expected, COUNT / 3);
    compiled_destroy(set);
    free(positions);
}

Test(compiled, a_success_has_no_reason)
{
    struct epd *positions = random_set(41, 1);
    struct compiled_set *set = compile(positions, 1, LEAF_QUIESCENCE);
    struct error err = {""};
    Move choice;
    cr_assert(compiled_choices(set, eval_initial_weights().value, NULL, &choice, &err));
    cr_assert_str_eq(err.text, "");
    compiled_destroy(set);
    free(positions);
}

/* How far the work is, as a watcher was told. */
struct told {
    int64_t done, total;
    int count;
};

static void tell(void *context, int64_t done, int64_t total)
{
    struct told *t = context;
    cr_assert(done > t->done && done <= total && (t->count == 0 || total == t->total),
              "%lld of %lld", (long long)done, (long long)total);
    *t = (struct told){done, total, t->count + 1};
}

/* Each batch of organisms counts the positions once. */
Test(compiled, a_watcher_is_told_how_far_the_work_is)
{
    enum { ORGANISMS = 600, COUNT = 130 };
    struct error err = {""};
    struct epd *positions = random_set(36, COUNT);
    struct compiled_set *set = compile(positions, COUNT, LEAF_STATIC);
    struct compiled_matcher *m = compiled_matcher_create(set, NULL, 2, &err);
    cr_assert_not_null(m, "%s", err.text);
    struct eval_weights w[ORGANISMS];
    int32_t matched[ORGANISMS];
    struct stream s;
    stream_init(&s, 37, STREAM_TEST, 0, 0);
    for (int o = 0; o < ORGANISMS; o++)
        w[o] = random_weights(&s);
    struct told all = {0}, few = {0};
    const struct compiled_watcher of_all = {&all, tell, NULL}, of_few = {&few, tell, NULL};
    cr_assert(compiled_matcher_run(m, w->value, ORGANISMS, matched, &of_all, &err));
    cr_assert(all.done == all.total && all.total % COUNT == 0 && all.total > COUNT, "%lld of %lld",
              (long long)all.done, (long long)all.total);
    cr_assert(compiled_matcher_run(m, w->value, 1, matched, &of_few, &err));
    cr_assert(few.done == COUNT && few.total == COUNT);
    cr_assert_gt(all.count, few.count);
    const volatile sig_atomic_t stop = 1;
    const struct compiled_watcher stopped = {&few, tell, &stop};
    cr_assert_not(compiled_matcher_run(m, w->value, ORGANISMS, matched, &stopped, &err));
    cr_expect_str_empty(err.text);
    compiled_matcher_destroy(m);
    compiled_destroy(set);
    free(positions);
}

/* Searched without a set, the same counts. */
Test(compiled, matches_without_a_set_are_those_of_a_set)
{
    enum { COUNT = 10100, ORGANISMS = 3 };
    struct epd *positions = random_set(70, COUNT);
    struct compiled_set *set = compile(positions, COUNT, LEAF_STATIC);
    struct eval_weights w[ORGANISMS];
    int64_t all[ORGANISMS];
    int32_t whole[ORGANISMS];
    struct stream s;
    struct error err;
    stream_init(&s, 71, STREAM_TEST, 0, 0);
    for (int o = 0; o < ORGANISMS; o++)
        w[o] = random_weights(&s);
    cr_assert(compiled_match(set, w->value, ORGANISMS, 2, NULL, whole, NULL));
    const struct match_all wanted = {positions, COUNT, LEAF_STATIC, NULL, w->value, ORGANISMS};
    cr_assert_eq(match_all(&wanted, 2, NULL, all, &err), JOBS_DONE);
    for (int o = 0; o < ORGANISMS; o++)
        cr_assert_eq(all[o], whole[o]);
    compiled_destroy(set);
    free(positions);
}

/* The value is the product of the weights with its derivatives, but for pawns, whose weight is fixed at 100;
 * unless the leaf is constant. */
static void assert_explained(const struct compiled_set *set, size_t i, const double *weights,
                             const struct principal_leaf *leaf, size_t *constants)
{
    double *by = calloc(EVAL_TERMS, sizeof *by), sum = 0, any = 0;
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
    free(by);
}

/* The value of a position itself is what its own quiescence gives, and its leaf explains it. */
Test(compiled, values_are_those_of_the_leaf_search)
{
    const size_t count = (size_t)thorough(1000, 3000);
    struct epd *positions = random_set(80, count);
    struct error err;
    struct compiled_set *set =
        compiled_create_values(positions, count, LEAF_QUIESCENCE, NULL, 2, NULL, &err);
    struct stream s;
    size_t deep = 0, constants = 0;
    cr_assert_not_null(set, "%s", err.text);
    stream_init(&s, 81, STREAM_TEST, 0, 0);
    for (size_t i = 0; i < count; i++) {
        struct eval_weights w = random_weights(&s);
        const struct evaluation e = evaluation_of_weights(&w);
        struct position p = positions[i].position;
        struct principal_leaf leaf;
        double weights[EVAL_TERMS];
        uint64_t nodes = 0;
        for (int t = 0; t < EVAL_TERMS; t++)
            weights[t] = w.value[t];
        cr_assert_eq(compiled_epd(set, i)->position.key, p.key);
        compiled_value(set, i, weights, &leaf);
        int32_t value =
            leaf_search(&p, &e, LEAF_QUIESCENCE, -INFINITE_SCORE, INFINITE_SCORE, &nodes);
        cr_assert_eq(leaf.value, value, "%f, not %d", leaf.value, value);
        assert_explained(set, i, weights, &leaf, &constants);
        deep += value != evaluate(&p, &w);
    }
    cr_assert_gt(deep, count / 4);
    cr_assert_lt(constants, count / 10);
    compiled_destroy(set);
    free(positions);
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
    struct error err;
    cr_assert_null(compiled_create(positions, count, LEAF_QUIESCENCE, NULL, 2, &watcher, &err));
    cr_assert_eq(s.total, (int64_t)count);
    cr_assert(s.done >= 100 && s.done < (int64_t)count, "%" PRId64, s.done);
    s = (struct stopper){.last = INT64_MAX};
    struct compiled_set *set =
        compiled_create(positions, count, LEAF_QUIESCENCE, NULL, 2, &watcher, &err);
    cr_assert_not_null(set);
    cr_assert_eq(s.done, (int64_t)count);
    compiled_destroy(set);
    free(positions);
}

/* Principal leaves: their values are those of the replay, and their rows explain them. */
Test(compiled, principal_leaves_explain_the_values)
{
    enum { COUNT = 300 };
    struct epd *positions = random_set(60, COUNT);
    struct compiled_set *set = compile(positions, COUNT, LEAF_QUIESCENCE);
    struct stream s;
    stream_init(&s, 61, STREAM_TEST, 0, 0);
    struct eval_weights w = random_weights(&s);
    double weights[EVAL_TERMS];
    Move choices[COUNT];
    size_t constants = 0;
    for (int t = 0; t < EVAL_TERMS; t++)
        weights[t] = w.value[t];
    cr_assert(compiled_choices(set, w.value, NULL, choices, NULL));
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
    free(positions);
}

/* ---- compiled values ---- */

/* The first position is a mate, so that its value is a constant. */
static struct epd *compiled_values_random_set(uint64_t seed, size_t count)
{
    struct epd *set = calloc(count, sizeof *set);
    struct stream s;
    struct error err;
    stream_init(&s, seed, STREAM_TEST, 0, 0);
    for (size_t i = 0; i < count; i++)
        set[i].position = random_position(&s, (int)stream_below(&s, 160));
    cr_assert(position_from_fen(&set[0].position, "k1R5/8/1K6/8/8/8/8/8 b - - 0 1", NULL, &err));
    return set;
}

/* Checks a group of `count` organisms in one position against the single reading. */
static void check_position(const struct compiled_set *set, size_t i, struct value_group *group,
                           const int32_t *weights, int count)
{
    const int genes = compiled_table(set)->count;
    double *one = calloc((size_t)genes, sizeof *one), values[VALUE_GROUP];
    value_group_read(group, i, values);
    for (int o = 0; o < count; o++) {
        struct principal_leaf leaf;
        for (int g = 0; g < genes; g++)
            one[g] = weights[o * genes + g];
        compiled_value(set, i, one, &leaf);
        cr_assert_eq(values[o], leaf.value, "position %zu: %f, not %f", i, values[o], leaf.value);
    }
    free(one);
}

/* Checks groups of several sizes in all kernels of this machine. */
static void check_set(const struct compiled_set *set)
{
    static const int sizes[] = {1, 5, VALUE_GROUP};
    const struct param_table *table = compiled_table(set);
    struct stream s;
    struct error err;
    int32_t *weights = calloc((size_t)VALUE_GROUP * (size_t)table->count, sizeof *weights);
    stream_init(&s, 7, STREAM_TEST, 0, 0);
    for (int i = 0; i < VALUE_GROUP * table->count; i++) {
        const struct param *p = &table->params[i % table->count];
        weights[i] = (int32_t)(p->min + (int64_t)stream_below(&s, (uint64_t)(p->max - p->min) + 1));
    }
    for (const struct replay *const *kernel = replay_kernels; *kernel != NULL; kernel++) {
        if (!(*kernel)->supported())
            continue;
        struct value_group *group = value_group_create(set, *kernel, &err);
        cr_assert_not_null(group, "%s", err.text);
        for (int n = 0; n < 3; n++) {
            value_group_set(group, weights, sizes[n]);
            for (size_t i = 0; i < compiled_positions(set); i++)
                check_position(set, i, group, weights, sizes[n]);
        }
        value_group_destroy(group);
    }
    free(weights);
}

static void check_source(const struct evaluator_source *source)
{
    const size_t count = (size_t)thorough(60, 400);
    struct epd *positions = compiled_values_random_set(90, count);
    struct error err;
    struct compiled_set *set =
        compiled_create_values(positions, count, LEAF_QUIESCENCE, source, 2, NULL, &err);
    cr_assert_not_null(set, "%s", err.text);
    check_set(set);
    compiled_destroy(set);
    free(positions);
}

Test(compiled_values, our_evaluation_gives_the_single_values)
{
    check_source(NULL);
}

Test(compiled_values, any_evaluation_gives_the_single_values)
{
    struct tapered tapered = tapered_make(700, -500, 500);
    const struct evaluator_source source = tapered_source(&tapered);
    check_source(&source);
    tapered_free(&tapered);
}
