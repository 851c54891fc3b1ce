/* David, van den Herik, Koppel and Netanyahu 2014, Tables III and IV: the engines from the three
 * phases. EVOL* has the evaluation of coevolution and the evolved search; EVOL0 that search
 * and the winner of phase 1 with the best held-out score. */
#include "count.h"
#include "david_2014_runs.h"
#include "match_table.h"
#include "pairs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EVOL_STAR, EVOL_0, PUBLISHED, ENGINES };

struct evolved_engine {
    const char *name;
    struct eval_weights weights;
    struct search_params params;
};

/* All three engines, and the generations of their runs. */
struct evolved_engines {
    struct evolved_engine of[ENGINES];
    char made[GRID_NOTE];
};

/* ---- the engines ---- */

/* All three engines, by all three phases. */
static bool evolve_engines(struct experiment *x, struct evolved_engines *e, struct error *err)
{
    struct run_summary coevolution = {0}, search = {0};
    char limit[COUNT_MAX];
    *e = (struct evolved_engines){
        .of = {{.name = "EVOL*"}, {.name = "EVOL0"}, {.name = "published values"}}};
    bool good = phase_1_winner(x, &e->of[EVOL_0].weights, err) &&
                coevolution_evolve(x, &coevolution, err) && search_evolve(x, &search, err);
    if (good) {
        e->of[EVOL_STAR].weights = evolved_weights(&coevolution);
        e->of[EVOL_STAR].params = search_params_from(&search.space, search.best);
        e->of[EVOL_0].params = e->of[EVOL_STAR].params;
        e->of[PUBLISHED].weights = eval_initial_weights();
        e->of[PUBLISHED].params = search_initial_params();
        snprintf(
            e->made, sizeof e->made,
            "Size: EVOL* and EVOL0 come from %d runs of phase 1, %d generations of coevolution, "
            "and %d generations of the search at %s nodes a position.",
            phase_1_runs(x), coevolution.generation, search.generation,
            format_count(search.recipe.limit, limit));
    }
    run_summary_free(&coevolution);
    run_summary_free(&search);
    return good;
}

/* ---- Table III ---- */

/* Limits of nodes or milliseconds, with positions in the quick size, and what the paper has. */
static const struct {
    const char *label;
    struct solve_limits limits;
    enum experiment_size from;
    int published[ENGINES]; /* 0: nothing */
} rows[] = {
    {"5,000 nodes", {.nodes = 5000}, SIZE_QUICK, {0}},
    {"100,000 nodes", {.nodes = 100000}, SIZE_USUAL, {0}},
    {"500,000 nodes", {.nodes = 500000}, SIZE_USUAL, {0}},
    {"5 s", {.movetime = 5000}, SIZE_OVERNIGHT, {654, 623, 0}},
};
enum { ROWS = sizeof rows / sizeof rows[0], QUICK_POSITIONS = 40 };

/* Table III in progress. */
struct table_3 {
    struct experiment *x;
    struct evolved_engines engines;
    struct dataset positions;
    struct grid solved, pairs;
};

/* Searches the first positions with all engines within the limits of a row, into cells[engine * positions +
 * position]. Below the row's size it takes what is known, and makes `count` smaller. */
static bool search_first(struct table_3 *t, int row, size_t *count, struct solved *cells,
                         struct error *err)
{
    bool good = true;
    for (int i = 0; good && i < ENGINES; i++) {
        char step[GRID_TEXT];
        const struct evolved_engine *e = &t->engines.of[i];
        snprintf(step, sizeof step, "%s, %s", e->name, rows[row].label);
        const struct experiment_search search = {.step = step,
                                                 .weights = &e->weights,
                                                 .positions = t->positions.items,
                                                 .position_count = *count,
                                                 .methods = &e->params,
                                                 .method_count = 1,
                                                 .limits = rows[row].limits};
        struct solved *of = cells + (size_t)i * t->positions.count;
        if (rows[row].from > t->x->size)
            *count = experiment_known(t->x, &search, of);
        else
            good = experiment_solve(t->x, &search, of, err);
    }
    return good;
}

/* The same with all positions. An overnight row is searched slice by slice, so that an interrupted night
 * leaves figures that can be compared. */
static bool search_row(struct table_3 *t, int row, size_t *count, struct solved *cells,
                       struct error *err)
{
    const bool slices = t->x->size == SIZE_OVERNIGHT && rows[row].from == SIZE_OVERNIGHT;
    bool good = true;
    for (size_t end = EXPERIMENT_SLICE; slices && good && end < t->positions.count;
         end += EXPERIMENT_SLICE) {
        *count = end;
        good = search_first(t, row, count, cells, err);
    }
    *count = t->positions.count;
    return good && search_first(t, row, count, cells, err);
}

/* Counts what each engine solves of how many positions, and what it alone of two. */
static bool measure_limit(struct table_3 *t, int row, size_t *count, int solved[ENGINES],
                          struct pairs *pairs, struct error *err)
{
    const size_t all = t->positions.count;
    struct solved *cells = calloc(ENGINES * all, sizeof *cells);
    bool good = cells != NULL || error_set(err, "no memory for %zu positions", all);
    good = good && search_row(t, row, count, cells, err);
    for (size_t position = 0; good && position < *count; position++) {
        bool of[ENGINES];
        for (int i = 0; i < ENGINES; i++) {
            of[i] = cells[(size_t)i * all + position].stable.nodes > 0;
            solved[i] += of[i];
        }
        pairs_add(pairs, of, ENGINES);
    }
    free(cells);
    return good;
}

/* Writes the published figures and ours for one limit, and whether the paper's order holds. */
static bool show_limit(struct table_3 *t, int row, struct error *err)
{
    int solved[ENGINES] = {0};
    size_t count;
    struct pairs pairs = {0};
    struct grid *g = &t->solved;
    if (!measure_limit(t, row, &count, solved, &pairs, err))
        return false;
    if (rows[row].published[EVOL_STAR] > 0) {
        int r = grid_row(g, "%s, published", rows[row].label);
        for (int i = 0; i < ENGINES; i++)
            if (rows[row].published[i] > 0)
                grid_set(g, r, i, "%d", rows[row].published[i]);
    }
    if (count == 0)
        return true;
    int r = count < t->positions.count
                ? grid_row(g, "%s, ours (%zu positions until now)", rows[row].label, count)
                : grid_row(g, "%s, ours", rows[row].label);
    for (int i = 0; i < ENGINES; i++)
        grid_set(g, r, i, "%d", solved[i]);
    grid_note(g, "Claim: EVOL* solves more than EVOL0. At %s: %s here, %d and %d.", rows[row].label,
              solved[EVOL_STAR] > solved[EVOL_0] ? "holds" : "does not hold", solved[EVOL_STAR],
              solved[EVOL_0]);
    pairs_column(&t->pairs, rows[row].label, &pairs, ENGINES, t->positions.count);
    return true;
}

static bool show_limits(struct table_3 *t, struct error *err)
{
    const struct test_choice choice = {.count = t->x->size == SIZE_QUICK ? QUICK_POSITIONS : 0};
    if (!test_suite_load(SUITE_ECM, t->x->suites, &t->positions, err))
        return false;
    test_suite_choose(&t->positions, &choice);
    bool good = test_suite_spread(&t->positions, err);
    for (int row = 0; good && row < ROWS; row++)
        if (rows[row].from <= t->x->size || t->x->size == SIZE_USUAL)
            good = show_limit(t, row, err);
    grid_note(&t->solved, "Size: %zu positions; the final move counts.", t->positions.count);
    return good;
}

/* Names the columns of the one grid and the rows of the other. */
static void begin_grids(struct table_3 *t, const struct reproduction *r)
{
    const char *names[ENGINES];
    grid_begin(&t->solved, r->title, "limit");
    for (int i = 0; i < ENGINES; i++) {
        names[i] = t->engines.of[i].name;
        grid_column(&t->solved, names[i]);
    }
    pairs_begin(&t->pairs, r->title, "limit", names, ENGINES);
}

static bool show_table_3(struct table_3 *t, const struct reproduction *r, struct error *err)
{
    const struct experiment_observer *o = t->x->observer;
    begin_grids(t, r);
    if (!show_limits(t, err))
        return false;
    grid_note(&t->solved, "%s", t->engines.made);
    grid_note(&t->solved,
              "Differs: Crafty (593 there) is not to be had; the published values in our engine "
              "stand beside. The search evolved with an evaluation of phase 1, not with that of "
              "EVOL*. Coevolution is an evolution strategy (coevolution-strong.yaml).");
    o->show(o->context, &t->solved);
    o->show(o->context, &t->pairs);
    return true;
}

static bool run_table_3(struct experiment *x, const struct reproduction *r, struct error *err)
{
    struct table_3 *t = calloc(1, sizeof *t);
    if (t == NULL)
        return error_set(err, "no memory for a table");
    t->x = x;
    bool good = evolve_engines(x, &t->engines, err) && show_table_3(t, r, err);
    dataset_free(&t->positions);
    free(t);
    return good;
}

const struct reproduction david_2014_table_3 = {
    "david-2014-table-3", "david-2014, Table III: ECM solved by EVOL* and EVOL0", run_table_3,
    NULL};

/* ---- Table IV ---- */

static const struct match_plan table_4 = {
    .published = {"300", "180.0 of 300", "60.0 %", "+70.4"},
    .rows = {{"1,000 nodes", {.nodes = 1000}, {20, 1000, 1000}},
             {"5,000 nodes", {.nodes = 5000}, {0, 1000, 1000}},
             {"20,000 nodes", {.nodes = 20000}, {0, 300, 1000}},
             {"1 s + 0.01 s", {.time = 1000, .increment = 10}, {0, 0, 300}},
             {"10 s + 0.1 s", {.time = 10000, .increment = 100}, {0, 0, 100}}},
    .proviso = "with an evolution strategy in phase 2, not the paper's genetic algorithm",
    .differs =
        "equal nodes a move, and shorter time controls, instead of 5 minutes a game and side; "
        "openings of our book, each with both colours. Games against other programs, as in Tables "
        "V and VI, are in docs/results.md.",
};

static bool run_table_4(struct experiment *x, const struct reproduction *r, struct error *err)
{
    struct evolved_engines engines;
    char made[GRID_NOTE];
    if (!evolve_engines(x, &engines, err))
        return false;
    struct experiment_match match = {0};
    for (int i = 0; i < 2; i++) {
        match.names[i] = engines.of[i].name;
        match.weights[i] = &engines.of[i].weights;
        match.players[i] = engines.of[i].params;
    }
    snprintf(
        made, sizeof made,
        "%.240s Phase 2 is an evolution strategy with 48 organisms; david-2014-phase-2 has the "
        "paper's genetic algorithm with 10.",
        engines.made);
    return match_table_run(x, r, &table_4, &match, made, err);
}

const struct reproduction david_2014_table_4 = {
    "david-2014-table-4", "david-2014, Table IV: games of EVOL* against EVOL0", run_table_4,
    &table_4};
