/* David, van den Herik, Koppel and Netanyahu 2014, Genetic algorithms for evolving computer chess
 * programs: Figures 2 and 3 and section V-A. */
#include "control.h"
#include "david_2014_runs.h"
#include "pawn_worth.h"
#include "reproduction.h"
#include "spread.h"
#include "statistics.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

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

/* The share of a run's best on the positions that it learned from. */
static double last_of(const struct run_summary *run)
{
    return best_of(run, run->generation);
}

/* The mean of a share over the runs. */
static struct spread spread_over(const struct run_summary *runs, int count,
                                 double (*share)(const struct run_summary *run))
{
    double values[PHASE_1_RUNS];
    for (int i = 0; i < count; i++)
        values[i] = share(&runs[i]);
    return spread_of(values, count);
}

/* The control: the six genes at 0 whose tables were fitted to moves of masters. */
static bool show_unfitted(struct experiment *x, struct grid *g, const struct run_summary *runs,
                          struct error *err)
{
    struct run_summary without[UNFITTED_RUNS];
    int count = unfitted_runs(x);
    if (!unfitted_evolve(x, without, err))
        return false;
    struct spread trained = spread_over(without, count, last_of);
    struct spread tested = spread_over(without, count, held_out_of);
    struct spread with = spread_over(runs, phase_1_runs(x), held_out_of);
    int row = grid_row(g, "%d, without fitted tables", without[0].generation);
    grid_set(g, row, 3, "%.2f ± %.2f %%", trained.mean, trained.deviation);
    row = grid_row(g, "test positions, without them");
    grid_set(g, row, 3, "%.2f ± %.2f %%", tested.mean, tested.deviation);
    grid_note(
        g,
        "The control: six genes multiply tables that were fitted to moves of masters by another "
        "method (docs/evaluation.md). With these genes at 0, %d runs match %.2f points less on "
        "test positions; so much of the share may be the tables', and not evolution's.",
        count, with.mean - tested.mean);
    phase_1_free(without, count);
    return true;
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
    bool good = show_unfitted(x, &g, runs, err);
    note_size(&g, runs, count);
    grid_note(&g, "Differs: our games and terms; each run learns from one of five draws of 5,000 "
                  "positions, and all are tested on the same 10,000 from later years. A random "
                  "organism matches more here, because quiescence already knows what hangs.");
    if (good)
        x->observer->show(x->observer->context, &g);
    phase_1_free(runs, count);
    return good;
}

const struct reproduction david_2014_figure_2 = {
    "david-2014-figure-2", "david-2014, Figure 2 and V-A: moves matched by generation",
    run_figure_2, NULL};

/* ---- Figure 3 ---- */

/* How far from a half still counts as half. */
static const double half_low = 0.44, half_high = 0.56;

/* How near the runs and random genes are to the published values. */
struct nearness {
    int evolved, near; /* parameters that evolve; those whose runs are nearer than random genes */
};

/* A parameter's values in all runs. */
static struct spread values_of(const struct run_summary *runs, int count, int gene)
{
    double values[PHASE_1_RUNS];
    for (int i = 0; i < count; i++)
        values[i] = runs[i].best[gene];
    return spread_of(values, count);
}

/* The mean distance of the runs' values from the published one. */
static double distance_of(const struct run_summary *runs, int count, int gene, int published)
{
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += abs(runs[i].best[gene] - published);
    return sum / count;
}

/* The mean distance of a random gene: each value of its range is as likely. */
static double random_distance(const struct param *p)
{
    double sum = 0;
    for (int value = p->min; value <= p->max; value++)
        sum += abs(value - p->initial);
    return sum / (p->max - p->min + 1);
}

static struct nearness show_values(struct grid *g, const struct run_summary *runs, int count)
{
    struct nearness n = {0, 0};
    for (int t = 0; t < EVAL_TERMS; t++) {
        const struct param *p = &eval_table.params[t];
        struct spread s = values_of(runs, count, t);
        double ours = distance_of(runs, count, t, p->initial), random = random_distance(p);
        int row = grid_row(g, "%s", p->name);
        grid_set(g, row, 0, "%d", p->initial);
        grid_set(g, row, 1, "%.0f", s.mean);
        grid_set(g, row, 2, "%.0f", s.deviation);
        grid_set(g, row, 3, "%.0f", ours);
        grid_set(g, row, 4, "%.0f", random);
        n.evolved += p->max > p->min;
        n.near += ours < random;
    }
    return n;
}

/* What random genes say of a pawn: a half alone does not show that anything was learnt. */
static void note_random_pawn(struct grid *g, int count)
{
    const struct spread random = random_pieces();
    const double reach = 1.96 * random.deviation / sqrt(count);
    grid_note(
        g,
        "The control: random genes have %.2f, because each piece may be worth 0 to 20.47 "
        "pawns, and the mean of %d random sets is between %.2f and %.2f in 95 of 100 cases. A "
        "worth between these does not show that anything was learnt.",
        pawn_worth(random.mean), count, pawn_worth(random.mean + reach),
        pawn_worth(random.mean - reach));
}

/* Whether a pawn is worth half of what is usual, which random genes might say too. */
static void note_pawn(struct grid *g, const struct run_summary *runs, int count)
{
    double pieces[PHASE_1_RUNS];
    for (int i = 0; i < count; i++)
        pieces[i] = pieces_of(runs[i].best);
    const struct spread s = pawn_worth_of(spread_of(pieces, count));
    const double control = pawn_worth(random_pieces().mean);
    grid_note(
        g,
        "Claim: a pawn comes to be worth about half of what is usual beside the other pieces. "
        "%s here, where half is %.2f to %.2f: it is worth %.2f ± %.2f of the usual, 100 x 20 / the "
        "mean N + B + R + Q, and beside the mean knight %.2f (there 0.55 and 0.58).",
        control_verdict_within(s.mean, s.deviation / sqrt(count), half_low, half_high, control),
        half_low, half_high, s.mean, s.deviation, 300 / values_of(runs, count, KNIGHT_VALUE).mean);
    note_random_pawn(g, count);
}

static void note_nearness(struct grid *g, struct nearness n)
{
    grid_note(
        g,
        "Of %d parameters that evolve, the runs are nearer to the published value than random "
        "genes are for %d (half of them by chance; p = %.2g). Distances are the mean of |ours - "
        "published|; that of random genes is exact.",
        n.evolved, n.near, sign_test(n.near, n.evolved - n.near));
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
    grid_column(&g, "distance, ours");
    grid_column(&g, "distance, random genes");
    struct nearness near = show_values(&g, runs, count);
    note_pawn(&g, runs, count);
    note_nearness(&g, near);
    note_size(&g, runs, count);
    grid_note(&g,
              "Differs: our games, and our reading of what each term counts (docs/evaluation.md).");
    x->observer->show(x->observer->context, &g);
    phase_1_free(runs, count);
    return true;
}

const struct reproduction david_2014_figure_3 = {
    "david-2014-figure-3", "david-2014, Figure 3: evolved evaluation values", run_figure_3, NULL};
