/* David-Tabibi, Koppel and Netanyahu 2014, Genetic algorithms for evolving computer chess programs:
 * Figures 2 to 4, Table II and section V-A. */
#include "reproduction.h"
#include "spread.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { RUNS_MAX = 10, SETTINGS_MAX = 5, SETTING = RECIPE_PATH };

/* ---- phase 1: ten runs with the paper's settings ---- */

/* How many runs, and how far. */
static const struct {
    int runs, population, generations;
} evolutions[EXPERIMENT_SIZES] = {{2, 20, 5}, {10, 100, 200}, {10, 100, 200}};

/* Run `number` from 1, its seed, on one of the project's five draws of training positions. */
static bool evolve_one(struct experiment *x, int number, struct run_summary *summary,
                       struct error *err)
{
    char text[4][SETTING], step[GRID_TEXT], name[GRID_TEXT];
    const char *settings[4] = {text[0], text[1], text[2], text[3]};
    snprintf(text[0], SETTING, "seed=%d", number);
    snprintf(text[1], SETTING, "data.train=%.900s/../../data/train-%d.epd", x->recipes,
             (number - 1) % 5 + 1);
    snprintf(text[2], SETTING, "ga.population=%d", evolutions[x->size].population);
    snprintf(text[3], SETTING, "ga.generations=%d", evolutions[x->size].generations);
    snprintf(step, sizeof step, "run %d of %d", number, evolutions[x->size].runs);
    snprintf(name, sizeof name, "paper-seed%d%s", number, x->size == SIZE_QUICK ? "-quick" : "");
    const struct experiment_run run = {step, name, "paper.yaml", settings, 4};
    return experiment_evolve(x, &run, summary, err);
}

/* All runs of the size; those that are done are freed when one fails. */
static bool evolve_all(struct experiment *x, struct run_summary *runs, struct error *err)
{
    for (int i = 0; i < evolutions[x->size].runs; i++)
        if (!evolve_one(x, i + 1, &runs[i], err)) {
            while (i-- > 0)
                run_summary_free(&runs[i]);
            return false;
        }
    return true;
}

static void free_runs(struct run_summary *runs, int count)
{
    for (int i = 0; i < count; i++)
        run_summary_free(&runs[i]);
}

/* What a generation's row is asked for, in per cent of the positions. */
static double best_of(const struct run_summary *run, int generation)
{
    return 100.0 * (double)run->rows[generation].measure / (double)run->train_size;
}

static double mean_of(const struct run_summary *run, int generation)
{
    return 100.0 * run->rows[generation].mean / (double)run->train_size;
}

static double held_out_of(const struct run_summary *run)
{
    return 100.0 * (double)run->rows[run->generation].held_out / (double)run->held_out_size;
}

/* "31.47 +- 0.33 %" over the runs. */
static void set_spread(struct grid *g, int row, int column, const struct run_summary *runs,
                       int count, int generation,
                       double (*share)(const struct run_summary *run, int generation))
{
    double values[RUNS_MAX];
    for (int i = 0; i < count; i++)
        values[i] = share(&runs[i], generation);
    struct spread s = spread_of(values, count);
    grid_set(g, row, column, "%.2f ± %.2f %%", s.mean, s.deviation);
}

/* ---- Figure 2 and section V-A ---- */

/* What the paper says in words, in per cent; 0: nothing. */
static const struct {
    int generation;
    double best, mean;
} figure_2[] = {{0, 0, 16}, {1, 0, 0},  {2, 0, 0},   {5, 0, 0},   {10, 0, 0},
                {20, 0, 0}, {50, 0, 0}, {100, 0, 0}, {150, 0, 0}, {200, 32.4, 30}};

static void show_generations(struct grid *g, const struct run_summary *runs, int count)
{
    for (size_t i = 0; i < sizeof figure_2 / sizeof figure_2[0]; i++) {
        int generation = figure_2[i].generation;
        if (generation > runs[0].generation)
            return;
        int row = grid_row(g, "%d", generation);
        if (figure_2[i].best > 0)
            grid_set(g, row, 0, "%.1f %%", figure_2[i].best);
        if (figure_2[i].mean > 0)
            grid_set(g, row, 1, "%.0f %%", figure_2[i].mean);
        grid_set(g, row, 2, "%.2f %%", best_of(&runs[0], generation));
        set_spread(g, row, 3, runs, count, generation, best_of);
        set_spread(g, row, 4, runs, count, generation, mean_of);
    }
}

/* Section V-A: the best organism on positions that it was not trained on. */
static void show_held_out(struct grid *g, const struct run_summary *runs, int count)
{
    double shares[RUNS_MAX];
    for (int i = 0; i < count; i++)
        shares[i] = held_out_of(&runs[i]);
    struct spread s = spread_of(shares, count);
    int row = grid_row(g, "test positions");
    grid_set(g, row, 0, "30.4 %%");
    grid_set(g, row, 2, "%.2f %%", shares[0]);
    grid_set(g, row, 3, "%.2f ± %.2f %%", s.mean, s.deviation);
    grid_note(g,
              "Claim: what is learnt holds on positions not trained on, nearly to the same share "
              "(32.4 and 30.4 per cent there). %s here: the test share is %.2f points below "
              "the training share, the mean of %d runs.",
              best_of(&runs[0], runs[0].generation) - s.mean < 2.5 ? "Holds" : "Does not hold",
              best_of(&runs[0], runs[0].generation) - s.mean, count);
}

static void note_size(struct grid *g, const struct run_summary *runs, int count)
{
    grid_note(g, "Size: %d runs of %d organisms and %d generations (the paper: 10 of 100 and 200).",
              count, runs[0].recipe.ga.population, runs[0].generation);
}

static bool run_figure_2(struct experiment *x, const struct reproduction *r, struct error *err)
{
    struct run_summary runs[RUNS_MAX];
    struct grid g;
    int count = evolutions[x->size].runs;
    if (!evolve_all(x, runs, err))
        return false;
    grid_begin(&g, r->title, "generation");
    grid_column(&g, "best, published");
    grid_column(&g, "mean, published");
    grid_column(&g, "best, our first run");
    grid_column(&g, "best, our runs");
    grid_column(&g, "mean, our runs");
    show_generations(&g, runs, count);
    show_held_out(&g, runs, count);
    note_size(&g, runs, count);
    grid_note(&g, "Differs: our games and terms; each run learns from one of five draws of 5,000 "
                  "positions, and all are tested on the same 10,000 from later years. A random "
                  "organism matches more here, because quiescence already knows what hangs.");
    x->observer->show(x->observer->context, &g);
    free_runs(runs, count);
    return true;
}

const struct reproduction david_2014_figure_2 = {
    "david-2014-figure-2", "david-2014, Figure 2 and V-A: moves matched by generation",
    run_figure_2, NULL};

/* ---- Figure 3 ---- */

/* A parameter's values in all runs. */
static struct spread values_of(const struct run_summary *runs, int count, int gene)
{
    double values[RUNS_MAX];
    for (int i = 0; i < count; i++)
        values[i] = runs[i].best[gene];
    return spread_of(values, count);
}

/* How many of the parameters lie within two standard deviations of what was published. */
static int show_values(struct grid *g, const struct run_summary *runs, int count)
{
    int near = 0;
    for (int t = 0; t < EVAL_TERMS; t++) {
        const struct param *p = &eval_table.params[t];
        struct spread s = values_of(runs, count, t);
        int row = grid_row(g, "%s", p->name);
        grid_set(g, row, 0, "%d", p->initial);
        grid_set(g, row, 1, "%.0f", s.mean);
        grid_set(g, row, 2, "%.0f", s.deviation);
        near += fabs(s.mean - p->initial) <= 2 * s.deviation;
    }
    return near;
}

static bool run_figure_3(struct experiment *x, const struct reproduction *r, struct error *err)
{
    struct run_summary runs[RUNS_MAX];
    struct grid g;
    int count = evolutions[x->size].runs;
    if (!evolve_all(x, runs, err))
        return false;
    grid_begin(&g, r->title, "parameter");
    grid_column(&g, "published");
    grid_column(&g, "ours, mean");
    grid_column(&g, "standard deviation");
    int near = show_values(&g, runs, count);
    double knight = values_of(runs, count, KNIGHT_VALUE).mean;
    grid_note(&g,
              "Claim: a pawn comes to be worth about half of what is usual beside the other "
              "pieces. %s here: a knight is worth %.1f pawns (5.2 there, 3 by convention).",
              knight > 400 ? "Holds" : "Does not hold", knight / 100);
    grid_note(&g,
              "Of %d parameters %d have the published value within two standard deviations of "
              "the runs.",
              EVAL_TERMS, near);
    note_size(&g, runs, count);
    grid_note(&g,
              "Differs: our games, and our reading of what each term counts (docs/evaluation.md).");
    x->observer->show(x->observer->context, &g);
    free_runs(runs, count);
    return true;
}

const struct reproduction david_2014_figure_3 = {
    "david-2014-figure-3", "david-2014, Figure 3: evolved evaluation values", run_figure_3, NULL};

/* ---- Figure 4 and Table II ---- */

/* The search's evolution at each size: nodes a position, and generations. */
static const struct {
    const char *limit, *generations;
    enum test_suite suite;
} searches[EXPERIMENT_SIZES] = {{"fitness.limit=300", "ga.generations=3", SUITE_ECM},
                                {"fitness.limit=10000", "ga.generations=50", SUITE_ECM},
                                {"fitness.limit=500000", "ga.generations=50", SUITE_ECM}};

/* The run of phase 3 on ECM. */
static bool evolve_search(struct experiment *x, struct run_summary *summary, struct error *err)
{
    static const char *const names[] = {"search-ecm-quick", "search-ecm-small", "search-seed1"};
    char train[SETTING];
    struct dataset d = {0};
    bool there = test_suite_load(SUITE_ECM, x->suites, &d, err);
    dataset_free(&d);
    if (!there)
        return false;
    snprintf(train, sizeof train, "data={train: %.900s/ecm879.epd}", x->suites);
    const char *settings[] = {train, searches[x->size].limit, searches[x->size].generations};
    const struct experiment_run run = {"evolution of the search", names[x->size], "search.yaml",
                                       settings, 3};
    return experiment_evolve(x, &run, summary, err);
}

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

static bool run_figure_4(struct experiment *x, const struct reproduction *r, struct error *err)
{
    struct run_summary run;
    struct grid g;
    if (!evolve_search(x, &run, err))
        return false;
    grid_begin(&g, r->title, "generation");
    grid_column(&g, "best, ours");
    grid_column(&g, "mean, ours");
    show_nodes(&g, &run);
    const struct generation_row *last = &run.rows[run.generation];
    grid_note(&g,
              "Claim: the nodes to solution fall, generation by generation, from random "
              "chromosomes. %s here: by %.1f per cent in the best organism, from %.2f to %.2f "
              "million (the paper draws its curve without figures).",
              last->measure < run.rows[0].measure ? "Holds" : "Does not hold",
              100 * (1 - (double)last->measure / (double)run.rows[0].measure),
              (double)run.rows[0].measure / 1e6, (double)last->measure / 1e6);
    grid_note(&g,
              "Size: %d nodes a position at most and %d generations of %d organisms (the paper: "
              "500,000, 50 and 10).",
              run.recipe.limit, run.generation, run.recipe.ga.population);
    x->observer->show(x->observer->context, &g);
    run_summary_free(&run);
    return true;
}

const struct reproduction david_2014_figure_4 = {
    "david-2014-figure-4", "david-2014, Figure 4: nodes by generation, on ECM", run_figure_4, NULL};

static bool run_table_2(struct experiment *x, const struct reproduction *r, struct error *err)
{
    struct run_summary run;
    struct grid g;
    if (!evolve_search(x, &run, err))
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
              "Size: %d nodes a position at most and %d generations (the paper: 500,000 and 50).",
              run.recipe.limit, run.generation);
    x->observer->show(x->observer->context, &g);
    run_summary_free(&run);
    return true;
}

const struct reproduction david_2014_table_2 = {
    "david-2014-table-2", "david-2014, Table II: evolved search values", run_table_2, NULL};
