/* Switches: a gene that is said to have no say has none in the search, and the reason is named. */
#include "switches.h"

#include "engine.h"
#include "evaluate.h"
#include "random_chess.h"
#include "random_params.h"

#include <criterion/criterion.h>

/* The gene that turns `gene` off where one other has a value and the rest are on; -1 none. */
static int off_by(enum search_param gene, enum search_param other, int32_t value)
{
    int32_t values[SEARCH_PARAMS];
    for (int i = 0; i < SEARCH_PARAMS; i++)
        values[i] = search_all_table.params[i].max;
    values[other] = value;
    return switches_off(&search_all_table, values, gene);
}

Test(switches, the_switch_is_named)
{
    cr_assert_eq(off_by(LMR_BASE, LMR_USE, 0), (int)LMR_USE);
    cr_assert_eq(off_by(LMR_BASE, LMR_USE, 1), -1);
    cr_assert_eq(off_by(FUTILITY_THRESHOLD_3, FUTILITY_DEPTH, 2), (int)FUTILITY_DEPTH);
    cr_assert_eq(off_by(FUTILITY_THRESHOLD_2, FUTILITY_DEPTH, 2), -1);
    cr_assert_eq(off_by(MATE_THREAT_EXTENSION, NULL_MOVE_USE, 0), (int)NULL_MOVE_USE);
    cr_assert_eq(off_by(MULTI_CUT_DEPTH, MULTI_CUT_MOVES, 6), (int)MULTI_CUT_MOVES,
                 "fewer moves than the 7 cuts");
    cr_assert_eq(off_by(MULTI_CUT_DEPTH, MULTI_CUT_MOVES, 7), -1);
    cr_assert_eq(off_by(CHECK_EXTENSION, LMR_USE, 0), -1, "has no switch");
}

Test(switches, a_table_without_the_switch_turns_nothing_off)
{
    const struct param lone = {"LMR_BASE", 7, 0, 127, 50, 1, ""};
    const struct param_table table = {"test", &lone, 1};
    cr_assert_eq(switches_off(&table, &(int32_t){5}, 0), -1);
    cr_assert_eq(switches_off(&eval_table, eval_initial_weights().value, 5), -1);
}

/* Whether two parameter sets search a position alike, to a limit of nodes. */
static bool same_search(struct engine *e, const struct position *p, const struct search_params *a,
                        const struct search_params *b)
{
    const struct search_limits limits = {.nodes = 3000, .depth = 8};
    engine_set_params(e, a);
    struct search_result one = engine_search(e, p, NULL, &limits, NULL);
    engine_set_params(e, b);
    struct search_result two = engine_search(e, p, NULL, &limits, NULL);
    return one.nodes == two.nodes && one.best == two.best && one.score == two.score;
}

Test(switches, what_has_no_say_changes_no_search)
{
    struct error err;
    struct stream s;
    int off = 0;
    struct engine *e = engine_create(1, &err);
    cr_assert_not_null(e, "%s", err.text);
    stream_init(&s, 3, STREAM_TEST, 0, 0);
    for (int n = 0; n < 100; n++) {
        struct position p = random_position(&s, (int)stream_below(&s, 120));
        struct search_params params = random_params(&s, &search_all_table), other = params;
        for (int i = 0; i < SEARCH_PARAMS; i++)
            if (switches_off(&search_all_table, params.value, i) >= 0) {
                other.value[i] = random_value(&s, &search_all_table.params[i]);
                off++;
            }
        cr_assert(same_search(e, &p, &params, &other), "chromosome %d", n);
    }
    cr_assert_gt(off, 100, "only %d genes had no say", off);
    engine_destroy(e);
}
