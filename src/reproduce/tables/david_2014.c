/* David, van den Herik, Koppel and Netanyahu 2014, Genetic algorithms for evolving computer chess
 * programs: Figures 2 to 4, Table II and section V-A. */
#include "count.h"
#include "david_2014_runs.h"
#include "reproduction.h"
#include "spread.h"

#include <math.h>
#include <stdio.h>

/* A value of a generation's row, in per cent of the positions. */
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
    double values[PHASE_1_RUNS];
    for (int i = 0; i < count; i++)
        values[i] = share(&runs[i], generation);
    struct spread s = spread_of(values, count);
    grid_set(g, row, column, "%.2f ± %.2f %%", s.mean, s.deviation);
}

/* ---- Figure 2 and section V-A ---- */

/* The figures in the paper's text, in per cent; 0: none. */
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
    double shares[PHASE_1_RUNS], gaps[PHASE_1_RUNS];
    for (int i = 0; i < count; i++) {
        shares[i] = held_out_of(&runs[i]);
        gaps[i] = best_of(&runs[i], runs[i].generation) - shares[i];
    }
    struct spread s = spread_of(shares, count), gap = spread_of(gaps, count);
    int row = grid_row(g, "test positions");
    grid_set(g, row, 0, "30.4 %%");
    grid_set(g, row, 2, "%.2f %%", held_out_of(&runs[0]));
    grid_set(g, row, 3, "%.2f ± %.2f %%", s.mean, s.deviation);
    grid_note(g,
              "Claim: what is learnt holds on positions not trained on, nearly to the same share "
              "(32.4 and 30.4 per cent there). %s here: the test share is %.2f points below "
              "the training share, the mean of %d runs.",
              gap.mean < 2.5 ? "Holds" : "Does not hold", gap.mean, count);
}

static void note_size(struct grid *g, const struct run_summary *runs, int count)
{
    grid_note(g, "Size: %d runs of %d organisms and %d generations (the paper: 10 of 100 and 200).",
              count, runs[0].recipe.optimiser.population, runs[0].generation);
}

static bool run_figure_2(struct experiment *x, const struct reproduction *r, struct error *err)
{
    struct run_summary runs[PHASE_1_RUNS];
    struct grid g;
    int count = phase_1_runs(x);
    if (!phase_1_evolve(x, runs, err))
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
    phase_1_free(runs, count);
    return true;
}

const struct reproduction david_2014_figure_2 = {
    "david-2014-figure-2", "david-2014, Figure 2 and V-A: moves matched by generation",
    run_figure_2, NULL};

/* ---- Figure 3 ---- */

/* A parameter's values in all runs. */
static struct spread values_of(const struct run_summary *runs, int count, int gene)
{
    double values[PHASE_1_RUNS];
    for (int i = 0; i < count; i++)
        values[i] = runs[i].best[gene];
    return spread_of(values, count);
}

/* Counts the parameters within two standard deviations of the published value. */
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
    struct run_summary runs[PHASE_1_RUNS];
    struct grid g;
    int count = phase_1_runs(x);
    if (!phase_1_evolve(x, runs, err))
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
              knight >= 500 ? "Holds" : "Does not hold", knight / 100);
    grid_note(&g,
              "Of %d parameters %d have the published value within two standard deviations of "
              "the runs.",
              EVAL_TERMS, near);
    note_size(&g, runs, count);
    grid_note(&g,
              "Differs: our games, and our reading of what each term counts (docs/evaluation.md).");
    x->observer->show(x->observer->context, &g);
    phase_1_free(runs, count);
    return true;
}

const struct reproduction david_2014_figure_3 = {
    "david-2014-figure-3", "david-2014, Figure 3: evolved evaluation values", run_figure_3, NULL};

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

static bool run_figure_4(struct experiment *x, const struct reproduction *r, struct error *err)
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
    grid_note(&g,
              "Seen: the nodes to solution fall with the generations, from random "
              "chromosomes. %s here: by %.2f per cent in the best organism, from %.3f to %.3f "
              "million (the paper's figure is a curve, without numbers in the text).",
              last->measure < run.rows[0].measure ? "Holds" : "Does not hold",
              100 * (1 - (double)last->measure / (double)run.rows[0].measure),
              (double)run.rows[0].measure / 1e6, (double)last->measure / 1e6);
    grid_note(&g,
              "Size: %s nodes a position at most and %d generations of %d organisms (the paper: "
              "500,000, 50 and 10).",
              format_count(run.recipe.limit, limit), run.generation,
              run.recipe.optimiser.population);
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
