/* David, van den Herik, Koppel and Netanyahu 2014, section III-C: whether training on the games of
 * one player mimics that player. Each player's moves of later years are matched by organisms that
 * were trained on earlier ones, of that player or of all. */
#include "control.h"
#include "reproduction.h"

#include <ctype.h>
#include <stdio.h>

enum { PLAYERS = 3, SEEDS_MAX = 5, SETTING = RECIPE_PATH };

static const char *const players[PLAYERS] = {"Ivanchuk", "Shirov", "Anand"};

/* The settings of each size. */
static const struct {
    int seeds, population, generations;
} sizes[EXPERIMENT_SIZES] = {{1, 10, 2}, {5, 100, 200}, {5, 100, 200}};

/* The project's file of a player: "ivanchuk-train". */
static void data_path(const struct experiment *x, const char *player, const char *which,
                      char path[RECIPE_PATH])
{
    int length = snprintf(path, RECIPE_PATH, "%.800s/../../data/players/", x->recipes);
    snprintf(path + length, (size_t)(RECIPE_PATH - length), "%s-%s.epd.gz", player, which);
    path[length] = (char)tolower((unsigned char)path[length]);
}

/* Trains on `trained_on`, "all" or a player, and returns the share of the player's later moves that
 * the best organism matches, in per cent. */
static bool evolve(struct experiment *x, const char *trained_on, const char *player, int seed,
                   double *share, struct error *err)
{
    char text[5][SETTING], path[RECIPE_PATH], step[GRID_TEXT], name[GRID_TEXT];
    const char *settings[5] = {text[0], text[1], text[2], text[3], text[4]};
    struct run_summary run;
    data_path(x, trained_on, "train", path);
    snprintf(text[0], SETTING, "data.train=%.1000s", path);
    data_path(x, player, "held-out", path);
    snprintf(text[1], SETTING, "data.held_out=%.1000s", path);
    snprintf(text[2], SETTING, "seed=%d", seed);
    snprintf(text[3], SETTING, "ga.population=%d", sizes[x->size].population);
    snprintf(text[4], SETTING, "ga.generations=%d", sizes[x->size].generations);
    snprintf(step, sizeof step, "%s's moves, trained on %s", player, trained_on);
    snprintf(name, sizeof name, "player-%s-%s-seed%d%s", player, trained_on, seed,
             x->size == SIZE_QUICK ? "-quick" : "");
    const struct experiment_run evolution = {step, name, "paper.yaml", settings, 5};
    if (!experiment_evolve(x, &evolution, &run, err))
        return false;
    *share = 100.0 * (double)run.rows[run.generation].held_out / (double)run.held_out_size;
    run_summary_free(&run);
    return true;
}

/* The shares over the seeds. */
static bool evolve_seeds(struct experiment *x, const char *trained_on, const char *player,
                         struct spread *spread, struct error *err)
{
    double shares[SEEDS_MAX];
    for (int i = 0; i < sizes[x->size].seeds; i++)
        if (!evolve(x, trained_on, player, i + 1, &shares[i], err))
            return false;
    *spread = spread_of(shares, sizes[x->size].seeds);
    return true;
}

/* Notes the claim, and for how many players it fails. One seed has no standard error. */
static void note_claim(struct grid *g, int better, int seeds)
{
    static const char claim[] =
        "Claim: a set of one player's games does not improve on one of everybody's; what can be "
        "learnt is a general style of grandmasters.";
    if (seeds < 2)
        grid_note(g, "%s Not measured at this size, with one seed.", claim);
    else
        grid_note(g,
                  "%s %s here: that player's moves are matched better after it, by two standard "
                  "errors of the difference, for %d of %d players.",
                  claim, better == 0 ? "Holds" : "Does not hold", better, PLAYERS);
}

static bool run(struct experiment *x, const struct reproduction *r, struct error *err)
{
    struct grid g;
    int better = 0;
    grid_begin(&g, r->title, "moves of");
    grid_column(&g, "trained on that player");
    grid_column(&g, "trained on all");
    for (int i = 0; i < PLAYERS; i++) {
        struct spread own, all;
        if (!evolve_seeds(x, players[i], players[i], &own, err) ||
            !evolve_seeds(x, "all", players[i], &all, err))
            return false;
        int row = grid_row(&g, "%s", players[i]);
        grid_set(&g, row, 0, "%.2f ± %.2f %%", own.mean, own.deviation);
        grid_set(&g, row, 1, "%.2f ± %.2f %%", all.mean, all.deviation);
        better += control_is_above(own, all, sizes[x->size].seeds);
    }
    note_claim(&g, better, sizes[x->size].seeds);
    grid_note(&g,
              "Size: %d seeds of %d organisms and %d generations; 2,000 positions up to 2007 to "
              "learn from, 1,000 of later years to match (data/README.md). The paper gives no "
              "figures.",
              sizes[x->size].seeds, sizes[x->size].population, sizes[x->size].generations);
    x->observer->show(x->observer->context, &g);
    return true;
}

const struct reproduction david_2014_players = {
    "david-2014-players", "david-2014, section III-C: training on one player's games", run, NULL};
