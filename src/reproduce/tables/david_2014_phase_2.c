/* David, van den Herik, Koppel and Netanyahu 2014, section III-C and Table IV, with the paper's genetic
 * algorithm in phase 2: three coevolutions from the same ten organisms, each against EVOL0. */
#include "count.h"
#include "david_2014_runs.h"
#include "match_table.h"
#include "spread.h"

#include <stdio.h>

/* Nodes a move, and games of each coevolution by size; 0: not at this size. */
static const struct {
    const char *label;
    int64_t nodes, games[EXPERIMENT_SIZES];
} limits[] = {{"5,000 nodes", 5000, {4, 1000, 1000}}, {"20,000 nodes", 20000, {0, 1000, 1000}}};
enum { LIMITS = sizeof limits / sizeof limits[0] };

static const char *const names[2] = {"EVOL* of the genetic algorithm", "EVOL0"};

/* Both evaluations of a match, and the search that both players have. */
struct phase_2 {
    struct experiment *x;
    struct eval_weights evolved[GENETIC_COEVOLUTIONS], winner;
    struct search_params params;
    char made[GRID_NOTE];
};

static bool evolve_search(struct phase_2 *p, struct error *err)
{
    struct run_summary search = {0};
    if (!search_evolve(p->x, &search, err))
        return false;
    p->params = search_params_from(&search.space, search.best);
    run_summary_free(&search);
    return true;
}

static bool evolve_evaluation(struct phase_2 *p, int seed, struct error *err)
{
    struct run_summary run = {0};
    char limit[COUNT_MAX];
    if (!genetic_coevolution_evolve(p->x, seed, &run, err))
        return false;
    p->evolved[seed - 1] = evolved_weights(&run);
    snprintf(p->made, sizeof p->made,
             "Size: %d organisms (the paper: 10), %d generations (50) of games at %s nodes a move.",
             run.recipe.optimiser.population, run.generation,
             format_count(run.recipe.limit, limit));
    run_summary_free(&run);
    return true;
}

static bool evolve(struct phase_2 *p, struct error *err)
{
    bool good = phase_1_winner(p->x, &p->winner, err);
    for (int seed = 1; good && seed <= GENETIC_COEVOLUTIONS; seed++)
        good = evolve_evaluation(p, seed, err);
    return good && evolve_search(p, err);
}

/* The games of one coevolution at a limit. */
static bool play_one(struct phase_2 *p, int limit, int seed, struct grid *g,
                     struct match_counts *counts, struct error *err)
{
    char label[GRID_TEXT], step[GRID_NOTE];
    snprintf(label, sizeof label, "%s, seed %d", limits[limit].label, seed);
    snprintf(step, sizeof step, "games at %s", label);
    const struct experiment_match match = {.step = step,
                                           .names = {names[0], names[1]},
                                           .weights = {&p->evolved[seed - 1], &p->winner},
                                           .players = {p->params, p->params},
                                           .limits = {.nodes = limits[limit].nodes},
                                           .games = limits[limit].games[p->x->size]};
    return match_table_play(p->x, label, &match, g, counts, err);
}

/* Notes the verdict of all games, and how much the runs differ, which their interval does not contain. */
static void show_verdict(struct grid *g, const char *limit, const struct match_counts *sum,
                         const double scores[GENETIC_COEVOLUTIONS])
{
    char where[GRID_TEXT];
    const struct spread s = spread_of(scores, GENETIC_COEVOLUTIONS);
    snprintf(where, sizeof where, "At %s, the %d together", limit, GENETIC_COEVOLUTIONS);
    match_table_verdict(g, names, where, "over games", sum);
    grid_note(g, "At %s, the runs themselves: %.1f %%, standard deviation %.1f.", limit, s.mean,
              s.deviation);
}

/* All coevolutions at a limit, and their sum. */
static bool play_all(struct phase_2 *p, int limit, struct grid *g, struct error *err)
{
    struct match_counts sum = {0};
    double scores[GENETIC_COEVOLUTIONS];
    char label[GRID_TEXT];
    for (int i = 0; i < GENETIC_COEVOLUTIONS; i++) {
        struct match_counts counts;
        if (!play_one(p, limit, i + 1, g, &counts, err))
            return false;
        scores[i] = 100 * elo_estimate(&counts).score;
        match_counts_add(&sum, &counts);
    }
    snprintf(label, sizeof label, "%s, all", limits[limit].label);
    match_table_row(g, label, &sum);
    show_verdict(g, limits[limit].label, &sum, scores);
    return true;
}

static bool run(struct experiment *x, const struct reproduction *r, struct error *err)
{
    const struct match_plan *table_4 = david_2014_table_4.plan;
    struct phase_2 p = {.x = x};
    struct grid g;
    if (!evolve(&p, err))
        return false;
    match_table_begin(&g, r->title, &table_4->published);
    for (int limit = 0; limit < LIMITS; limit++)
        if (limits[limit].games[x->size] > 0 && !play_all(&p, limit, &g, err))
            return false;
    grid_note(&g, "%s", p.made);
    grid_note(&g,
              "Differs: nodes a move, where the paper has 5 s for a game and side; games of the "
              "coevolution end when both sides agree on 1,000 centipawns; openings of our book, "
              "each with both colours.");
    x->observer->show(x->observer->context, &g);
    return true;
}

const struct reproduction david_2014_phase_2 = {
    "david-2014-phase-2",
    "david-2014, section III-C: games of the paper's own phase 2 against EVOL0", run, NULL};
