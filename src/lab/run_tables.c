/* David, van den Herik, Koppel and Netanyahu 2014, Genetic algorithms for evolving computer chess programs:
 * what the runs of each phase have evolved, beside random genes, random search, and other controls. */
#include "comparisons.h"
#include "lab_runs.h"
#include "reproduction.h"
#include "statistics.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The mean of a share over the runs, at a generation, or at the end if that is -1. */
static struct spread share_over(const struct lab_runs *runs, int generation,
                                double (*share)(const struct run_summary *run, int generation))
{
    double values[LAB_RUNS];
    for (int i = 0; i < runs->count; i++)
        values[i] = share(&runs->of[i], generation >= 0 ? generation : runs->of[i].generation);
    return spread_of(values, runs->count);
}

static double held_out_at_end(const struct run_summary *run, int generation)
{
    (void)generation;
    return share_held_out(run);
}

static double overfit(const struct run_summary *run, int generation)
{
    return share_of_best(run, generation) - share_held_out(run);
}

static void spread_cell(struct lab_table *t, struct spread s)
{
    lab_cell(t, "%.2f ± %.2f %%", s.mean, s.deviation);
}

/* Words for the size of the runs. */
static void size_words(struct lab_table *t, const struct lab_runs *runs)
{
    lab_word(t, "runs", "%d", runs->count);
    lab_word(t, "population", "%d", runs->of[0].recipe.optimiser.population);
    lab_word(t, "generations", "%d", runs->of[0].generation);
    lab_count_word(t, "limit", runs->of[0].recipe.limit);
}

/* ---- Figure 2 and section V-A: moves matched by generation ---- */

/* A published share, if there is one. */
static void published_cell(struct lab_table *t, const char *format, double value)
{
    char text[GRID_TEXT] = "";
    if (value > 0)
        snprintf(text, sizeof text, format, value);
    lab_cell(t, "%s", text);
}

/* The control is the six genes at 0 whose tables were fitted to moves of masters. */
bool moves_matched_run(struct lab_table *t, struct error *err)
{
    struct lab_runs runs = {.count = 0}, without = {.count = 0};
    const struct yaml_node *rows = data_find(t->x, t->entry, "rows");
    if (!lab_runs_evolve(t, "paper", &runs, err))
        return false;
    if (!lab_runs_evolve(t, "unfitted", &without, err)) {
        lab_runs_free(&runs);
        return false;
    }
    const struct run_summary *first = &runs.of[0];
    lab_begin(t, NULL);
    for (const struct yaml_node *n = rows->child; n != NULL; n = n->next) {
        const int generation = (int)data_at(n, 0);
        if (generation > first->generation)
            break;
        lab_row(t, "%d", generation);
        published_cell(t, "%.1f %%", data_at(n, 1));
        published_cell(t, "%.0f %%", data_at(n, 2));
        lab_cell(t, "%.2f %%", share_of_best(first, generation));
        spread_cell(t, share_over(&runs, generation, share_of_best));
        spread_cell(t, share_over(&runs, generation, share_of_mean));
    }
    const struct spread tested = share_over(&runs, -1, held_out_at_end);
    const struct spread gap = share_over(&runs, -1, overfit);
    lab_row(t, "test positions");
    lab_cell(t, "30.4 %%");
    lab_cell(t, "%s", "");
    lab_cell(t, "%.2f %%", share_held_out(first));
    spread_cell(t, tested);
    const struct spread trained_without = share_over(&without, -1, share_of_best);
    const struct spread tested_without = share_over(&without, -1, held_out_at_end);
    for (int test = 0; test < 2; test++) {
        if (test)
            lab_row(t, "test positions, without them");
        else
            lab_row(t, "%d, without fitted tables", without.of[0].generation);
        for (int i = 0; i < 3; i++)
            lab_cell(t, "%s", "");
        spread_cell(t, test ? tested_without : trained_without);
    }
    size_words(t, &runs);
    lab_word(t, "verdict", gap.mean < 2.5 ? "Holds" : "Does not hold");
    lab_word(t, "gap", "%.2f", gap.mean);
    lab_word(t, "without", "%d", without.count);
    lab_word(t, "less", "%.2f", tested.mean - tested_without.mean);
    lab_notes(t, "notes");
    lab_show(t);
    lab_runs_free(&runs);
    lab_runs_free(&without);
    return true;
}

/* ---- Figure 3: values of the evaluation ---- */

/* The worth of a pawn beside the four pieces, in parts of what is usual, where these have the mean sum N + B +
 * R + Q. The paper has the mean value of each piece over ten runs, and no single run. So the worth is always
 * that of mean values, of the runs and of random genes too; the mean of each set's own worth is another
 * figure, greater the more the sets differ. By convention the pieces are worth 20 pawns. */
static double pawn_worth(double pieces)
{
    return 100 * 20 / pieces;
}

/* N + B + R + Q of random genes: each value of a range is as likely. Exact. */
static struct spread random_pieces(void)
{
    double mean = 0, variance = 0;
    for (int i = KNIGHT_VALUE; i <= QUEEN_VALUE; i++) {
        const struct param *p = &eval_table.params[i];
        double values = p->max - p->min + 1;
        mean += (p->min + p->max) / 2.0;
        variance += (values * values - 1) / 12;
    }
    return (struct spread){mean, sqrt(variance)};
}

/* Words for whether a pawn is worth half of what is usual, which random genes might say too. */
static void pawn_words(struct lab_table *t, const struct lab_runs *runs, double knight)
{
    static const double low = 0.44, high = 0.56; /* how far from a half still counts as half */
    double sums[LAB_RUNS] = {0};
    for (int i = 0; i < runs->count; i++)
        for (int gene = KNIGHT_VALUE; gene <= QUEEN_VALUE; gene++)
            sums[i] += runs->of[i].best[gene];
    const struct spread pieces = spread_of(sums, runs->count), random = random_pieces();
    const double worth = pawn_worth(pieces.mean),
                 deviation = worth * pieces.deviation / pieces.mean;
    const double reach = 1.96 * random.deviation / sqrt(runs->count);
    lab_word(
        t, "verdict", "%s",
        verdict_within(worth, deviation / sqrt(runs->count), low, high, pawn_worth(random.mean)));
    lab_word(t, "half", "%.2f to %.2f", low, high);
    lab_word(t, "worth", "%.2f ± %.2f", worth, deviation);
    lab_word(t, "beside the knight", "%.2f", 300 / knight);
    lab_word(t, "random", "%.2f", pawn_worth(random.mean));
    lab_word(t, "interval", "%.2f and %.2f", pawn_worth(random.mean + reach),
             pawn_worth(random.mean - reach));
}

bool values_run(struct lab_table *t, struct error *err)
{
    struct lab_runs runs;
    int evolved = 0, near = 0;
    double knight = 0;
    if (!lab_runs_evolve(t, "paper", &runs, err))
        return false;
    lab_begin(t, NULL);
    for (int gene = 0; gene < EVAL_TERMS; gene++) {
        const struct param *p = &eval_table.params[gene];
        double values[LAB_RUNS], ours = 0, random = 0;
        for (int i = 0; i < runs.count; i++) {
            values[i] = runs.of[i].best[gene];
            ours += fabs(values[i] - p->initial);
        }
        for (int value = p->min; value <= p->max; value++)
            random += abs(value - p->initial);
        ours /= runs.count;
        random /= p->max - p->min + 1;
        const struct spread s = spread_of(values, runs.count);
        lab_row(t, "%s", p->name);
        lab_cell(t, "%d", p->initial);
        for (int i = 0; i < 4; i++)
            lab_cell(t, "%.0f", (const double[]){s.mean, s.deviation, ours, random}[i]);
        evolved += p->max > p->min;
        near += ours < random;
        knight = gene == KNIGHT_VALUE ? s.mean : knight;
    }
    size_words(t, &runs);
    pawn_words(t, &runs, knight);
    lab_word(t, "evolved", "%d", evolved);
    lab_word(t, "near", "%d", near);
    lab_word(t, "p", "%.2g", sign_test(near, evolved - near));
    lab_notes(t, "notes");
    lab_show(t);
    lab_runs_free(&runs);
    return true;
}

/* ---- Figure 4 and Table II: the search ---- */

/* Evolution and random search with the same number of chromosomes, for each seed. */
static bool show_control(struct lab_table *t, struct error *err)
{
    enum { EVOLVED, RANDOM, KINDS };
    struct lab_runs runs[KINDS] = {{.count = 0}, {.count = 0}};
    double best[KINDS][LAB_RUNS], mean[KINDS][LAB_RUNS];
    if (!lab_runs_evolve(t, "search-evolved", &runs[EVOLVED], err) ||
        !lab_runs_evolve(t, "search-random", &runs[RANDOM], err)) {
        lab_runs_free(&runs[EVOLVED]);
        return false;
    }
    t->grid = (struct grid){.corner = "seed"};
    snprintf(t->grid.title, GRID_NOTE, "%s", data_text(t->x, t->entry, "control"));
    const struct yaml_node *columns = data_find(t->x, t->entry, "control columns");
    const int count = runs[EVOLVED].count;
    for (int i = 0; i < data_count(columns); i++)
        lab_column(t, data_text_at(columns, i));
    for (int i = 0; i < count; i++) {
        for (int kind = 0; kind < KINDS; kind++) {
            const struct run_summary *run = &runs[kind].of[i];
            /* The mean of the last generation, or of all random chromosomes, in million nodes. */
            const int first = kind == EVOLVED ? run->generation : 0;
            best[kind][i] = (double)run->rows[run->best_generation].measure / 1e6;
            mean[kind][i] = 0;
            for (int g = first; g <= run->generation; g++)
                mean[kind][i] += run->rows[g].mean / 1e6;
            mean[kind][i] /= run->generation - first + 1;
        }
        lab_row(t, "%d", i + 1);
        lab_cell(t, "%.1f k", 1000 * best[EVOLVED][i]);
        lab_cell(t, "%.1f k", 1000 * best[RANDOM][i]);
        lab_cell(t, "%.1f k", 1000 * mean[EVOLVED][i]);
        lab_cell(t, "%.1f k", 1000 * mean[RANDOM][i]);
        lab_cell(t, "%" PRId64 " and %" PRId64, runs[EVOLVED].of[i].genomes,
                 runs[RANDOM].of[i].genomes);
    }
    const double random = spread_of(best[RANDOM], count).mean,
                 average = spread_of(mean[RANDOM], count).mean;
    size_words(t, &runs[EVOLVED]);
    lab_word(t, "verdict", "%s", verdict_below(best[EVOLVED], best[RANDOM], count));
    lab_word(t, "fewer", "%.1f", 100 * (1 - spread_of(best[EVOLVED], count).mean / random));
    lab_word(t, "last", "%.1f", 100 * (1 - spread_of(mean[EVOLVED], count).mean / average));
    lab_word(t, "best random", "%.1f", 100 * (1 - random / average));
    lab_word(t, "positions", "%" PRId64, runs[EVOLVED].of[0].train_size);
    lab_notes(t, "control notes");
    lab_show(t);
    lab_runs_free(&runs[EVOLVED]);
    lab_runs_free(&runs[RANDOM]);
    return true;
}

bool nodes_run(struct lab_table *t, struct error *err)
{
    struct lab_runs runs;
    const struct yaml_node *generations = data_find(t->x, t->entry, "generations shown");
    if (!lab_runs_evolve(t, "search", &runs, err))
        return false;
    const struct run_summary *run = &runs.of[0];
    lab_begin(t, NULL);
    for (int i = 0; i < data_count(generations); i++) {
        const int generation = (int)data_at(generations, i);
        if (generation > run->generation)
            break;
        lab_row(t, "%d", generation);
        lab_cell(t, "%.2f M", (double)run->rows[generation].measure / 1e6);
        lab_cell(t, "%.2f M", run->rows[generation].mean / 1e6);
    }
    const double first = (double)run->rows[0].measure,
                 last = (double)run->rows[run->generation].measure;
    size_words(t, &runs);
    lab_word(t, "fewer", "%.2f", 100 * (1 - last / first));
    lab_word(t, "nodes", "%.3f for %.3f million", last / 1e6, first / 1e6);
    lab_notes(t, "notes");
    lab_show(t);
    lab_runs_free(&runs);
    return show_control(t, err);
}

bool search_values_run(struct lab_table *t, struct error *err)
{
    struct lab_runs runs;
    if (!lab_runs_evolve(t, "search", &runs, err))
        return false;
    lab_begin(t, NULL);
    for (int i = 0; i < search_table.count; i++) {
        lab_row(t, "%s", search_table.params[i].name);
        lab_cell(t, "%d", search_table.params[i].initial);
        lab_cell(t, "%d", runs.of[0].best[i]);
    }
    size_words(t, &runs);
    lab_notes(t, "notes");
    lab_show(t);
    lab_runs_free(&runs);
    return true;
}

/* ---- section III-C: players ---- */

/* The share of a player's later moves that organisms match which were trained on earlier ones, of that player
 * or of all. */
static bool match_player(struct lab_table *t, const char *trained_on, const char *player,
                         struct spread *share, struct error *err)
{
    struct lab_runs runs;
    char file[GRID_TEXT];
    snprintf(file, sizeof file, "%s", player);
    file[0] = (char)tolower((unsigned char)file[0]);
    lab_word(t, "player", "%s", player);
    lab_word(t, "trained on", "%s", trained_on);
    lab_word(t, "held out file", "%s", file);
    lab_word(t, "train file", "%s", trained_on == player ? file : trained_on);
    if (!lab_runs_evolve(t, "player", &runs, err))
        return false;
    *share = share_over(&runs, -1, held_out_at_end);
    size_words(t, &runs);
    lab_runs_free(&runs);
    return true;
}

bool players_run(struct lab_table *t, struct error *err)
{
    const struct yaml_node *players = data_find(t->x, t->entry, "players");
    const int seeds = (int)data_number(t->x, data_entry(t->x, "runs", "player"), "seeds", 1);
    int better = 0;
    lab_begin(t, NULL);
    for (const struct yaml_node *n = players->child; n != NULL; n = n->next) {
        struct spread own, all;
        if (!match_player(t, n->text, n->text, &own, err) ||
            !match_player(t, "all", n->text, &all, err))
            return false;
        lab_row(t, "%s", n->text);
        spread_cell(t, own);
        spread_cell(t, all);
        better += spread_is_above(own, all, seeds);
    }
    lab_word(t, "verdict", better == 0 ? "Holds" : "Does not hold");
    lab_word(t, "better", "%d of %d", better, data_count(players));
    lab_notes(t, seeds < 2 ? "claim of one seed" : "claim"); /* one has no standard error */
    lab_notes(t, "notes");
    lab_show(t);
    return true;
}
