/* David, van den Herik, Koppel and Netanyahu 2014, Genetic algorithms for evolving computer chess
 * programs: Figure 4 and Table II, the evolution of the search. */
#include "control.h"
#include "count.h"
#include "david_2014_runs.h"
#include "reproduction.h"
#include "spread.h"

#include <inttypes.h>
#include <stdio.h>

/* ---- Figure 4 and Table II ---- */

static void show_nodes(struct grid *g, const struct run_summary *run)
{
    static const int generations[] = {0, 1, 2, 5, 10, 20, 30, 40, 50};
    for (size_t i = 0; i < sizeof generations / sizeof generations[0]; i++) {
        if (generations[i] > run->generation)
            return;
        const struct generation_row *at = &run->rows[generations[i]];
        int row = grid_row(g, "%d", generations[i]);
        grid_set(g, row, 0, "%.2f M", (double)at->measure / 1e6);
        grid_set(g, row, 1, "%.2f M", at->mean / 1e6);
    }
}

static bool show_course(struct experiment *x, const struct reproduction *r, struct error *err)
{
    struct run_summary run;
    struct grid g;
    char limit[COUNT_MAX];
    if (!search_evolve(x, &run, err))
        return false;
    grid_begin(&g, r->title, "generation");
    grid_column(&g, "best, ours");
    grid_column(&g, "mean, ours");
    show_nodes(&g, &run);
    const struct generation_row *last = &run.rows[run.generation];
    grid_note(
        &g,
        "Seen: the best needs %.2f per cent fewer nodes in the end, %.3f for %.3f million. The "
        "best organism is always kept, so that it cannot need more; the control below tells "
        "whether that is evolution (the paper's figure is a curve, without numbers in the "
        "text).",
        100 * (1 - (double)last->measure / (double)run.rows[0].measure),
        (double)last->measure / 1e6, (double)run.rows[0].measure / 1e6);
    grid_note(&g,
              "Size: %s nodes a position at most and %d generations of %d organisms (the paper: "
              "500,000, 50 and 10).",
              format_count(run.recipe.limit, limit), run.generation,
              run.recipe.optimiser.population);
    x->observer->show(x->observer->context, &g);
    run_summary_free(&run);
    return true;
}

/* Evolution and random search with the same number of chromosomes, for each seed. */
struct search_control {
    int count; /* of seeds */
    double evolved[SEARCH_CONTROL_SEEDS], random[SEARCH_CONTROL_SEEDS];
    double evolved_mean[SEARCH_CONTROL_SEEDS], random_mean[SEARCH_CONTROL_SEEDS];
    int64_t evolved_genomes[SEARCH_CONTROL_SEEDS], random_genomes[SEARCH_CONTROL_SEEDS];
    int64_t positions, limit; /* nodes a position */
};

/* The fewest million nodes of any organism of a run. */
static double fewest(const struct run_summary *run)
{
    return (double)run->rows[run->best_generation].measure / 1e6;
}

/* The mean of all organisms of a run from one generation on, in million nodes. */
static double mean_from(const struct run_summary *run, int first)
{
    double sum = 0;
    for (int i = first; i <= run->generation; i++)
        sum += run->rows[i].mean / 1e6;
    return sum / (run->generation - first + 1);
}

/* Runs both searches with one seed. */
static bool run_control(struct experiment *x, struct search_control *c, int i, struct error *err)
{
    struct run_summary evolved = {0}, random = {0};
    bool good = search_control_evolve(x, OPTIMISER_GENETIC, i + 1, &evolved, err) &&
                search_control_evolve(x, OPTIMISER_RANDOM, i + 1, &random, err);
    if (good) {
        c->evolved[i] = fewest(&evolved), c->random[i] = fewest(&random);
        c->evolved_mean[i] = mean_from(&evolved, evolved.generation);
        c->random_mean[i] = mean_from(&random, 0);
        c->evolved_genomes[i] = evolved.genomes, c->random_genomes[i] = random.genomes;
        c->positions = evolved.train_size, c->limit = evolved.recipe.limit;
    }
    run_summary_free(&evolved);
    run_summary_free(&random);
    return good;
}

static void note_control(struct grid *g, const struct search_control *c)
{
    char limit[COUNT_MAX];
    struct spread evolved = spread_of(c->evolved, c->count),
                  random = spread_of(c->random, c->count);
    struct spread last = spread_of(c->evolved_mean, c->count);
    struct spread all = spread_of(c->random_mean, c->count);
    grid_note(
        g,
        "Claim: evolution reduces the nodes. %s here: for %d seeds its best needs %.1f per cent "
        "fewer nodes than the best of as many random chromosomes (it holds if each evolved "
        "one is below each random one).",
        control_verdict_below(c->evolved, c->random, c->count), c->count,
        100 * (1 - evolved.mean / random.mean));
    grid_note(g,
              "The last generation as a whole needs %.1f per cent fewer than random chromosomes do "
              "on average, and the best of random search %.1f per cent fewer.",
              100 * (1 - last.mean / all.mean), 100 * (1 - random.mean / all.mean));
    grid_note(g,
              "Size: the first %" PRId64 " positions, %s nodes each at most (the paper: all 879, "
              "500,000).",
              c->positions, format_count(c->limit, limit));
}

static bool show_control(struct experiment *x, struct error *err)
{
    struct search_control c = {.count = search_control_seeds(x)};
    struct grid g;
    grid_begin(&g, "david-2014, Figure 4: the control, random search with as many chromosomes",
               "seed");
    grid_column(&g, "evolved, best");
    grid_column(&g, "random, best");
    grid_column(&g, "evolved, mean of the last");
    grid_column(&g, "random, mean");
    grid_column(&g, "measured");
    for (int i = 0; i < c.count; i++) {
        if (!run_control(x, &c, i, err))
            return false;
        int row = grid_row(&g, "%d", i + 1);
        const double nodes[] = {c.evolved[i], c.random[i], c.evolved_mean[i], c.random_mean[i]};
        for (int column = 0; column < 4; column++)
            grid_set(&g, row, column, "%.1f k", 1000 * nodes[column]);
        grid_set(&g, row, 4, "%" PRId64 " and %" PRId64, c.evolved_genomes[i], c.random_genomes[i]);
    }
    note_control(&g, &c);
    x->observer->show(x->observer->context, &g);
    return true;
}

static bool run_figure_4(struct experiment *x, const struct reproduction *r, struct error *err)
{
    return show_course(x, r, err) && show_control(x, err);
}

const struct reproduction david_2014_figure_4 = {
    "david-2014-figure-4", "david-2014, Figure 4: nodes by generation, on ECM", run_figure_4, NULL};

static bool run_table_2(struct experiment *x, const struct reproduction *r, struct error *err)
{
    struct run_summary run;
    struct grid g;
    char limit[COUNT_MAX];
    if (!search_evolve(x, &run, err))
        return false;
    grid_begin(&g, r->title, "parameter");
    grid_column(&g, "published");
    grid_column(&g, "ours");
    for (int i = 0; i < search_table.count; i++) {
        int row = grid_row(&g, "%s", search_table.params[i].name);
        grid_set(&g, row, 0, "%d", search_table.params[i].initial);
        grid_set(&g, row, 1, "%d", run.best[i]);
    }
    grid_note(&g,
              "One run each. What a switch turns off has no meaning: its other values have drifted "
              "(`grayling report` tells which genes mattered).");
    grid_note(&g,
              "Size: %s nodes a position at most and %d generations (the paper: 500,000 and 50).",
              format_count(run.recipe.limit, limit), run.generation);
    x->observer->show(x->observer->context, &g);
    run_summary_free(&run);
    return true;
}

const struct reproduction david_2014_table_2 = {
    "david-2014-table-2", "david-2014, Table II: evolved search values", run_table_2, NULL};
