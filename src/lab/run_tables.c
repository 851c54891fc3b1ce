/* David, van den Herik, Koppel and Netanyahu 2014, Genetic algorithms for evolving computer chess programs:
 * what the runs of each phase have evolved, beside random genes, random search, and other controls. */
#include "comparisons.h"
#include "lab_runs.h"
#include "reproduction.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- shares of moves matched, in per cent ---- */

typedef double share_of(const struct run_summary *run, int generation);

static double of_best(const struct run_summary *run, int generation)
{
    return 100.0 * (double)run->rows[generation].measure / (double)run->train_size;
}

static double of_mean(const struct run_summary *run, int generation)
{
    return 100.0 * run->rows[generation].mean / (double)run->train_size;
}

static double held_out(const struct run_summary *run, int generation)
{
    return 100.0 * (double)run->rows[generation].held_out / (double)run->held_out_size;
}

static double overfit(const struct run_summary *run, int generation)
{
    return of_best(run, generation) - held_out(run, generation);
}

/* Its mean over the runs, at a generation, or at the end if that is -1. */
static struct spread share_over(const struct lab_runs *runs, int generation, share_of *share)
{
    double values[LAB_RUNS];
    for (int i = 0; i < runs->count; i++)
        values[i] = share(&runs->of[i], generation >= 0 ? generation : runs->of[i].generation);
    return spread_of(values, runs->count);
}

static void spread_cell(struct lab_table *t, struct spread s)
{
    lab_cell(t, "%.2f ± %.2f %%", s.mean, s.deviation);
}

static void size_words(struct lab_table *t, const struct lab_runs *runs)
{
    lab_word(t, "runs", "%d", runs->count);
    lab_word(t, "population", "%d", runs->of[0].recipe.optimiser.population);
    lab_word(t, "generations", "%d", runs->of[0].generation);
    lab_count_word(t, "limit", runs->of[0].recipe.limit);
}

/* ---- Figure 2 and section V-A: moves matched by generation ---- */

/* The control is the six genes at 0 whose tables were fitted to moves of masters. */
bool moves_matched_run(struct lab_table *t, struct error *err)
{
    const struct lab_runs *runs = lab_runs_evolve(t, "paper", err);
    const struct lab_runs *without = runs != NULL ? lab_runs_evolve(t, "unfitted", err) : NULL;
    if (without == NULL)
        return false;
    const struct run_summary *first = &runs->of[0];
    for (const struct yaml_node *n = lab_first(t, "rows"); n != NULL; n = n->next) {
        const int generation = (int)data_at(n, 0);
        if (generation > first->generation)
            break;
        lab_row(t, "%d", generation);
        lab_cell(t, "%s", data_text_at(n, 1));
        lab_cell(t, "%s", data_text_at(n, 2));
        lab_cell(t, "%.2f %%", of_best(first, generation));
        spread_cell(t, share_over(runs, generation, of_best));
        spread_cell(t, share_over(runs, generation, of_mean));
    }
    const struct spread tested = share_over(runs, -1, held_out),
                        gap = share_over(runs, -1, overfit);
    const struct spread spreads[] = {tested, share_over(without, -1, of_best),
                                     share_over(without, -1, held_out)};
    static const char *const names[] = {"tested", "trained without", "tested without"};
    for (int i = 0; i < 3; i++)
        lab_word(t, names[i], "%.2f ± %.2f %%", spreads[i].mean, spreads[i].deviation);
    lab_word(t, "first tested", "%.2f %%", held_out(first, first->generation));
    lab_word(t, "last", "%d", without->of[0].generation);
    lab_rows(t, "last rows");
    size_words(t, runs);
    lab_word(t, "verdict", "%s", verdict_held(gap.mean < 2.5, 1));
    lab_word(t, "gap", "%.2f", gap.mean);
    lab_word(t, "without", "%d", without->count);
    lab_word(t, "less", "%.2f", tested.mean - spreads[2].mean);
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
    const struct lab_runs *runs = lab_runs_evolve(t, "paper", err);
    int evolved = 0, near = 0;
    double knight = 0;
    if (runs == NULL)
        return false;
    for (int gene = 0; gene < EVAL_TERMS; gene++) {
        const struct param *p = &eval_table.params[gene];
        double values[LAB_RUNS], ours = 0, random = 0;
        for (int i = 0; i < runs->count; i++) {
            values[i] = runs->of[i].best[gene];
            ours += fabs(values[i] - p->initial);
        }
        for (int value = p->min; value <= p->max; value++)
            random += abs(value - p->initial);
        ours /= runs->count;
        random /= p->max - p->min + 1;
        const struct spread s = spread_of(values, runs->count);
        lab_row(t, "%s", p->name);
        lab_cell(t, "%d", p->initial);
        for (int i = 0; i < 4; i++)
            lab_cell(t, "%.0f", (const double[]){s.mean, s.deviation, ours, random}[i]);
        evolved += p->max > p->min;
        near += ours < random;
        knight = gene == KNIGHT_VALUE ? s.mean : knight;
    }
    size_words(t, runs);
    pawn_words(t, runs, knight);
    lab_word(t, "evolved", "%d", evolved);
    lab_word(t, "near", "%d", near);
    lab_word(t, "p", "%.2g", sign_test(near, evolved - near));
    return true;
}

/* ---- Figure 4 and Table II: the search ---- */

/* Evolution and random search with the same number of chromosomes, for each seed. */
static bool show_control(struct lab_table *t, struct error *err)
{
    enum { EVOLVED, RANDOM, KINDS };
    static const char *const names[] = {"search-evolved", "search-random"};
    const struct lab_runs *runs[KINDS];
    double best[KINDS][LAB_RUNS], mean[KINDS][LAB_RUNS];
    for (int kind = 0; kind < KINDS; kind++)
        if ((runs[kind] = lab_runs_evolve(t, names[kind], err)) == NULL)
            return false;
    lab_begin(t, lab_text(t, "control"), "control corner", "control columns");
    const int count = runs[EVOLVED]->count;
    for (int i = 0; i < count; i++) {
        for (int kind = 0; kind < KINDS; kind++) {
            const struct run_summary *run = &runs[kind]->of[i];
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
        lab_cell(t, "%" PRId64 " and %" PRId64, runs[EVOLVED]->of[i].genomes,
                 runs[RANDOM]->of[i].genomes);
    }
    const double random = spread_of(best[RANDOM], count).mean,
                 average = spread_of(mean[RANDOM], count).mean;
    size_words(t, runs[EVOLVED]);
    lab_word(t, "verdict", "%s", verdict_below(best[EVOLVED], best[RANDOM], count));
    lab_word(t, "fewer", "%.1f", 100 * (1 - spread_of(best[EVOLVED], count).mean / random));
    lab_word(t, "last", "%.1f", 100 * (1 - spread_of(mean[EVOLVED], count).mean / average));
    lab_word(t, "best random", "%.1f", 100 * (1 - random / average));
    lab_word(t, "positions", "%" PRId64, runs[EVOLVED]->of[0].train_size);
    return true;
}

bool nodes_run(struct lab_table *t, struct error *err)
{
    const struct lab_runs *runs = lab_runs_evolve(t, "search", err);
    if (runs == NULL)
        return false;
    const struct run_summary *run = &runs->of[0];
    for (const struct yaml_node *n = lab_first(t, "generations shown"); n != NULL; n = n->next) {
        const int generation = atoi(n->text);
        if (generation > run->generation)
            break;
        lab_row(t, "%d", generation);
        lab_cell(t, "%.2f M", (double)run->rows[generation].measure / 1e6);
        lab_cell(t, "%.2f M", run->rows[generation].mean / 1e6);
    }
    const double first = (double)run->rows[0].measure,
                 last = (double)run->rows[run->generation].measure;
    size_words(t, runs);
    lab_word(t, "fewer", "%.2f", 100 * (1 - last / first));
    lab_word(t, "nodes", "%.3f for %.3f million", last / 1e6, first / 1e6);
    lab_show(t, "notes");
    return show_control(t, err);
}

bool search_values_run(struct lab_table *t, struct error *err)
{
    const struct lab_runs *runs = lab_runs_evolve(t, "search", err);
    if (runs == NULL)
        return false;
    for (int i = 0; i < search_table.count; i++) {
        lab_row(t, "%s", search_table.params[i].name);
        lab_cell(t, "%d", search_table.params[i].initial);
        lab_cell(t, "%d", runs->of[0].best[i]);
    }
    size_words(t, runs);
    return true;
}

/* ---- section III-C: players ---- */

/* The share of each player's later moves that organisms match which were trained on earlier ones, of that
 * player or of all. */
bool players_run(struct lab_table *t, struct error *err)
{
    const int seeds = (int)data_number(t->x, data_entry(t->x, "runs", "player"), "seeds", 1);
    int better = 0, players = 0;
    for (const struct yaml_node *n = lab_first(t, "players"); n != NULL; n = n->next, players++) {
        struct spread shares[2];
        char file[GRID_TEXT];
        snprintf(file, sizeof file, "%s", n->text);
        file[0] = (char)tolower((unsigned char)file[0]);
        lab_word(t, "player", "%s", n->text);
        lab_word(t, "held out file", "%s", file);
        lab_row(t, "%s", n->text);
        for (int all = 0; all < 2; all++) {
            lab_word(t, "trained on", "%s", all ? "all" : n->text);
            lab_word(t, "train file", "%s", all ? "all" : file);
            const struct lab_runs *runs = lab_runs_evolve(t, "player", err);
            if (runs == NULL)
                return false;
            shares[all] = share_over(runs, -1, held_out);
            spread_cell(t, shares[all]);
            size_words(t, runs);
        }
        better += spread_is_above(shares[0], shares[1], seeds);
    }
    lab_word(t, "verdict", "%s", verdict_held(better == 0, 1));
    lab_word(t, "better", "%d of %d", better, players);
    lab_notes(t, seeds < 2 ? "claim of one seed" : "claim"); /* one has no standard error */
    return true;
}
