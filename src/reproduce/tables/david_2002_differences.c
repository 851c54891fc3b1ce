/* Why the tree of verified null move is smaller than that of standard R = 2 in david-2002, Table 4: one
 * difference after another between the paper's search and ours, and the use that verification makes of
 * the transposition table. */
#include "null_move_methods.h"
#include "ratio.h"
#include "reproduction.h"

#include <math.h>
#include <stdlib.h>

/* A row: what is switched on in the plain search, up to SEARCH_PARAMS, or all that the paper describes;
 * and how it verifies. */
static const struct row {
    const char *label;
    bool described;
    enum search_param on[2];
    enum null_move_method verified;
} rows[] = {
    {"as it is", false, {SEARCH_PARAMS}, VERIFIED_3},
    {"all captures in quiescence", false, {QUIESCENCE_ALL_CAPTURES, SEARCH_PARAMS}, VERIFIED_3},
    {"a check at a leaf extended by a ply",
     false,
     {LEAF_CHECK_EXTENSION, SEARCH_PARAMS},
     VERIFIED_3},
    {"no table in quiescence", false, {QUIESCENCE_TABLE_OFF, SEARCH_PARAMS}, VERIFIED_3},
    {"ordering by history alone", false, {ORDERING_HISTORY_ALONE, SEARCH_PARAMS}, VERIFIED_3},
    {"these four: the paper's search", true, {SEARCH_PARAMS}, VERIFIED_3},
    {"stored with the depth before", false, {SEARCH_PARAMS}, VERIFIED_STORE_3},
    {"the table asked again", false, {SEARCH_PARAMS}, VERIFIED_PROBE_3},
    {"both: the table's reuse", false, {SEARCH_PARAMS}, VERIFIED_REUSE_3},
    {"the paper's search, stored so", true, {SEARCH_PARAMS}, VERIFIED_STORE_3},
    {"the paper's search, asked again", true, {SEARCH_PARAMS}, VERIFIED_PROBE_3},
    {"the paper's search, and reuse", true, {SEARCH_PARAMS}, VERIFIED_REUSE_3},
};

enum { ROWS = sizeof rows / sizeof rows[0], METHODS = 2, STANDARD = 0, VERIFIED = 1 };

/* The positions of WCS and the depth, by size. */
static const struct {
    int positions, depth;
} sizes[EXPERIMENT_SIZES] = {{10, 5}, {110, 9}, {0, 10}};

/* david-2002, Table 4, depth 9: 999 positions of WCS. */
static const double published_nodes[METHODS] = {3742064688, 2539057043};

/* The experiment in progress. */
struct differences {
    struct experiment *x;
    struct dataset positions;
    struct solved *cells; /* [row][position][method] */
    double *logs;         /* of the ratios of one row */
    struct grid grid;
};

/* ---- measuring ---- */

static void make_methods(const struct row *row, struct search_params methods[METHODS])
{
    struct search_params base = row->described ? david_2002_params() : search_plain_params();
    for (int i = 0; row->on[i] != SEARCH_PARAMS; i++)
        base.value[row->on[i]] = 1;
    methods[STANDARD] = null_move_method_params(STANDARD_2, &base);
    methods[VERIFIED] = null_move_method_params(row->verified, &base);
}

static struct solved *cells_of(const struct differences *d, int row)
{
    return d->cells + (size_t)row * d->positions.count * METHODS;
}

static bool search_row(struct differences *d, int row, struct error *err)
{
    struct search_params methods[METHODS];
    make_methods(&rows[row], methods);
    const struct experiment_search search = {
        .step = rows[row].label,
        .positions = d->positions.items,
        .position_count = d->positions.count,
        .methods = methods,
        .method_count = METHODS,
        .limits = {.depth = sizes[d->x->size].depth},
        .before = (size_t)row * d->positions.count * METHODS,
        .of = ROWS * d->positions.count * METHODS,
    };
    return experiment_solve(d->x, &search, cells_of(d, row), err);
}

static bool measure(struct differences *d, struct error *err)
{
    const struct test_choice choice = {.count = sizes[d->x->size].positions, .with_pieces = true};
    if (!test_suite_load(SUITE_WCS, d->x->suites, &d->positions, err))
        return false;
    test_suite_choose(&d->positions, &choice);
    d->cells = calloc(ROWS * d->positions.count * METHODS, sizeof *d->cells);
    d->logs = calloc(d->positions.count, sizeof *d->logs);
    if (d->cells == NULL || d->logs == NULL)
        return error_set(err, "no memory for %zu positions", d->positions.count);
    for (int row = 0; row < ROWS; row++)
        if (!search_row(d, row, err))
            return false;
    return true;
}

/* ---- showing ---- */

/* Writes the nodes of both methods and the ratio of the totals. */
static void show_nodes(struct grid *g, int row, const double nodes[METHODS])
{
    for (int m = 0; m < METHODS; m++)
        grid_set(g, row, m, "%.1f M", nodes[m] / 1e6);
    grid_set(g, row, METHODS, "%.2f", nodes[VERIFIED] / nodes[STANDARD]);
}

/* Writes the row of a difference, and returns the ratio of its totals. */
static double show_row(struct differences *d, int number)
{
    const struct solved *cells = cells_of(d, number);
    double nodes[METHODS] = {0};
    int solved[METHODS] = {0}, row = grid_row(&d->grid, "%s", rows[number].label);
    for (size_t i = 0; i < d->positions.count; i++, cells += METHODS) {
        d->logs[i] = log((double)cells[VERIFIED].nodes / (double)cells[STANDARD].nodes);
        for (int m = 0; m < METHODS; m++) {
            nodes[m] += (double)cells[m].nodes;
            solved[m] += cells[m].stable.nodes > 0;
        }
    }
    const struct ratio ratio = ratio_of_logs(d->logs, d->positions.count);
    show_nodes(&d->grid, row, nodes);
    grid_set(&d->grid, row, METHODS + 1, "%.2f (%.2f to %.2f)", ratio.mean, ratio.low, ratio.high);
    for (int m = 0; m < METHODS; m++)
        grid_set(&d->grid, row, METHODS + 2 + m, "%d", solved[m]);
    return nodes[VERIFIED] / nodes[STANDARD];
}

/* Writes all rows and what they show. */
static void show(struct differences *d)
{
    double ratio = 0;
    grid_column(&d->grid, "Std R = 2");
    grid_column(&d->grid, "Vrfd R = 3");
    grid_column(&d->grid, "Vrfd / Std, totals");
    grid_column(&d->grid, "geometric mean (95 %)");
    grid_column(&d->grid, "Std solves");
    grid_column(&d->grid, "Vrfd solves");
    show_nodes(&d->grid, grid_row(&d->grid, "published, depth 9, 999 positions"), published_nodes);
    for (int row = 0; row < ROWS; row++)
        ratio = show_row(d, row);
    grid_note(
        &d->grid,
        "Hypothesis: with the paper's search, and where results of the iteration before stand "
        "for the verification, the tree of verified R = 3 is smaller than that of standard R "
        "= 2. %s here: %.2f times as large.",
        ratio < 1 ? "Holds" : "Does not hold", ratio);
    grid_note(
        &d->grid,
        "The paper does not say how its program's table and the reduced depth meet. Reuse is "
        "what a recursive call in the node does; it takes results of one ply less for results "
        "of the whole depth.");
    grid_note(&d->grid, "Size: %zu positions of WCS, to depth %d.", d->positions.count,
              sizes[d->x->size].depth);
}

static bool run(struct experiment *x, const struct reproduction *r, struct error *err)
{
    struct differences *d = calloc(1, sizeof *d);
    if (d == NULL)
        return error_set(err, "no memory for an experiment");
    d->x = x;
    grid_begin(&d->grid, r->title, "switched on");
    bool good = measure(d, err);
    if (good) {
        show(d);
        x->observer->show(x->observer->context, &d->grid);
    }
    dataset_free(&d->positions);
    free(d->cells);
    free(d->logs);
    free(d);
    return good;
}

const struct reproduction david_2002_differences = {
    "david-2002-differences",
    "david-2002, Table 4: what makes the tree of verified null move smaller", run, NULL};
