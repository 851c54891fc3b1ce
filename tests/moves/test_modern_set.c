/* Compiled sets of the modern evaluation: on any weights the moves of the 1-ply search. */
#include "compiled_set.h"
#include "evaluator.h"
#include "match_all.h"
#include "quiesce.h"
#include "random_chess.h"
#include "random_evaluation.h"
#include "replay.h"
#include "thorough.h"

#include <criterion/criterion.h>
#include <stdlib.h>

static void random_positions(struct stream *s, struct epd *positions, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct move_list list;
        positions[i] = (struct epd){.position = random_position(s, (int)stream_below(s, 160))};
        movegen_legal(&positions[i].position, &list);
        positions[i].best[0] = list.moves[stream_below(s, (uint64_t)list.count)];
        positions[i].best_count = 1;
    }
}

/* Random weights; `few` are not 0, so that moves are often equal. */
static void draw_weights(struct stream *s, bool few, int32_t values[MODERN_WEIGHTS])
{
    random_values_of(s, &modern_eval_table, values);
    for (int i = 0; few && i < MODERN_WEIGHTS; i++)
        if (stream_below(s, 100) != 0)
            values[i] = 0;
}

/* Compares a set with the search, for some weights. */
static void expect_moves_of_search(struct stream *s, size_t count, enum leaf leaf, int organisms)
{
    struct error err = {""};
    struct epd *positions = calloc(count, sizeof *positions);
    Move *choices = calloc(count, sizeof *choices);
    cr_assert(positions != NULL && choices != NULL);
    random_positions(s, positions, count);
    struct compiled_set *set =
        compiled_create(positions, count, leaf, &modern_evaluator_source, 2, NULL, &err);
    cr_assert_not_null(set, "%s", err.text);
    for (int o = 0; o < organisms; o++) {
        int32_t values[MODERN_WEIGHTS];
        draw_weights(s, o % 2 == 1, values);
        const struct evaluation e = evaluation_from(&modern_eval_table, values);
        cr_assert(compiled_choices(set, values, NULL, choices, &err), "%s", err.text);
        for (size_t i = 0; i < count; i++) {
            struct position p = positions[i].position;
            uint64_t nodes = 0;
            cr_assert_eq(choices[i], one_ply_search(&p, &e, leaf, &nodes), "position %zu", i);
        }
    }
    compiled_destroy(set);
    free(choices);
    free(positions);
}

Test(modern_set, chooses_the_moves_of_the_one_ply_search)
{
    struct stream s;
    stream_init(&s, 1, STREAM_TEST, 0, 0);
    for (int i = 0; i < thorough(1, 20); i++) {
        expect_moves_of_search(&s, 100, LEAF_QUIESCENCE, 4);
        expect_moves_of_search(&s, 100, LEAF_STATIC, 4);
    }
}

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
Test(modern_set, constant_weights_are_not_in_the_set)
{
    enum { POSITIONS = 60 };
    static struct param rows[MODERN_WEIGHTS];
    static struct epd positions[POSITIONS];
    const struct param_table ranges = {modern_eval_table.kind, rows, MODERN_WEIGHTS};
    struct evaluator_source narrow = modern_evaluator_source;
    struct error err = {""};
    struct stream s;
    Move all[POSITIONS], choices[POSITIONS];
    int32_t values[MODERN_WEIGHTS];
    stream_init(&s, 3, STREAM_TEST, 0, 0);
    random_positions(&s, positions, POSITIONS);
    draw_ranges(&s, rows);
    narrow.ranges = &ranges;
    struct compiled_set *whole = compiled_create(positions, POSITIONS, LEAF_QUIESCENCE,
                                                 &modern_evaluator_source, 1, NULL, &err);
    struct compiled_set *part =
        compiled_create(positions, POSITIONS, LEAF_QUIESCENCE, &narrow, 2, NULL, &err);
    cr_assert(whole != NULL && part != NULL, "%s", err.text);
    cr_expect_lt(part->term_count, whole->term_count / 2);
    for (int o = 0; o < 4; o++) {
        random_values_of(&s, &ranges, values);
        cr_assert(compiled_choices(whole, values, NULL, all, &err), "%s", err.text);
        cr_assert(compiled_choices(part, values, NULL, choices, &err), "%s", err.text);
        cr_expect_arr_eq(all, choices, sizeof all);
    }
    compiled_destroy(whole);
    compiled_destroy(part);
}

/* How far the work was told to be; it is stopped after so many calls. */
struct told {
    int64_t done, total;
    int calls, last_call;
    volatile sig_atomic_t stop;
};

static void tell(void *context, int64_t done, int64_t total)
{
    struct told *t = context;
    cr_expect(done > t->done && done <= total);
    t->done = done;
    t->total = total;
    t->stop = ++t->calls == t->last_call;
}

/* Searched without a set, in ranges that sets make use of: the same counts. */
Test(modern_set, matches_without_a_set_are_those_of_a_set)
{
    enum { POSITIONS = 300, ORGANISMS = 2 };
    static struct param rows[MODERN_WEIGHTS];
    static struct epd positions[POSITIONS];
    static int32_t values[ORGANISMS][MODERN_WEIGHTS];
    const struct param_table ranges = {modern_eval_table.kind, rows, MODERN_WEIGHTS};
    struct evaluator_source narrow = modern_evaluator_source;
    const struct match_all wanted = {positions, POSITIONS, LEAF_QUIESCENCE,
                                     &narrow,   values[0], ORGANISMS};
    struct told told = {.last_call = -1};
    const struct compiled_watcher watcher = {&told, tell, &told.stop};
    struct error err = {""};
    struct stream s;
    int32_t in_set[ORGANISMS];
    int64_t searched[ORGANISMS];
    stream_init(&s, 4, STREAM_TEST, 0, 0);
    random_positions(&s, positions, POSITIONS);
    draw_ranges(&s, rows);
    narrow.ranges = &ranges;
    for (int o = 0; o < ORGANISMS; o++)
        random_values_of(&s, &ranges, values[o]);
    struct compiled_set *set =
        compiled_create(positions, POSITIONS, LEAF_QUIESCENCE, &narrow, 2, NULL, &err);
    cr_assert_not_null(set, "%s", err.text);
    cr_assert(compiled_match(set, values[0], ORGANISMS, 1, NULL, in_set, &err), "%s", err.text);
    cr_assert_eq(match_all(&wanted, 2, &watcher, searched, &err), JOBS_DONE, "%s", err.text);
    cr_assert(told.done == POSITIONS && told.total == POSITIONS && told.calls > 1);
    for (int o = 0; o < ORGANISMS; o++)
        cr_expect_eq(searched[o], in_set[o]);
    told = (struct told){.last_call = 1};
    cr_expect_eq(match_all(&wanted, 1, &watcher, searched, &err), JOBS_STOPPED);
    cr_expect_lt(told.done, POSITIONS);
    compiled_destroy(set);
}

/* A mate is better than anything that weights can say. */
Test(modern_set, a_mate_is_beyond_every_score)
{
    struct stream s;
    struct error err = {""};
    struct epd mate;
    Move choice;
    uint64_t nodes = 0;
    cr_assert(epd_parse("6k1/5ppp/8/8/8/8/KQ6/3R3q w - - bm Rd8#;", &mate, &err), "%s", err.text);
    struct compiled_set *set =
        compiled_create(&mate, 1, LEAF_QUIESCENCE, &modern_evaluator_source, 1, NULL, &err);
    cr_assert_not_null(set, "%s", err.text);
    stream_init(&s, 2, STREAM_TEST, 0, 0);
    for (int i = 0; i < 100; i++) {
        int32_t values[MODERN_WEIGHTS];
        draw_weights(&s, false, values);
        const struct evaluation e = evaluation_from(&modern_eval_table, values);
        cr_assert(compiled_choices(set, values, NULL, &choice, &err), "%s", err.text);
        cr_assert_eq(choice, mate.best[0]);
        cr_assert_eq(one_ply_search(&mate.position, &e, LEAF_QUIESCENCE, &nodes), mate.best[0]);
    }
    compiled_destroy(set);
}
