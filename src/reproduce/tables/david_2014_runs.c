#include "david_2014_runs.h"

#include <stdio.h>
#include <string.h>

enum { SETTINGS_MAX = 6, SETTING = RECIPE_PATH, SEEDS_SETTING = 8 * RECIPE_PATH };

/* ---- phase 1 ---- */

/* By size: the number of runs, also without fitted tables, of organisms and of generations. */
static const struct {
    int runs, unfitted, population, generations;
} evolutions[EXPERIMENT_SIZES] = {{2, 1, 20, 5},
                                  {PHASE_1_RUNS, UNFITTED_RUNS, 100, 200},
                                  {PHASE_1_RUNS, UNFITTED_RUNS, 100, 200}};

int phase_1_runs(const struct experiment *x)
{
    return evolutions[x->size].runs;
}

int unfitted_runs(const struct experiment *x)
{
    return evolutions[x->size].unfitted;
}

/* What the runs are called, and their space. */
struct phase_1_kind {
    const char *name, *space;
    int runs;
};

/* The name of a run of phase 1 or 2; `number`, its seed, starts at 1. */
static void run_name(const struct experiment *x, const char *kind, int number, char name[GRID_TEXT])
{
    snprintf(name, GRID_TEXT, "%s-seed%d%s", kind, number, x->size == SIZE_QUICK ? "-quick" : "");
}

static bool evolve_one(struct experiment *x, const struct phase_1_kind *kind, int number,
                       struct run_summary *summary, struct error *err)
{
    char text[5][SETTING], step[GRID_TEXT], name[GRID_TEXT];
    const char *settings[5] = {text[0], text[1], text[2], text[3], text[4]};
    snprintf(text[0], SETTING, "seed=%d", number);
    snprintf(text[1], SETTING, "data.train=%.900s/../../data/train-%d.epd", x->recipes,
             (number - 1) % 5 + 1);
    snprintf(text[2], SETTING, "ga.population=%d", evolutions[x->size].population);
    snprintf(text[3], SETTING, "ga.generations=%d", evolutions[x->size].generations);
    snprintf(text[4], SETTING, "space=%.900s/../%s.yaml", x->recipes, kind->space);
    snprintf(step, sizeof step, "%s, run %d of %d", kind->name, number, kind->runs);
    run_name(x, kind->name, number, name);
    const struct experiment_run run = {step, name, "paper.yaml", settings, 5};
    return experiment_evolve(x, &run, summary, err);
}

static bool evolve_all(struct experiment *x, const struct phase_1_kind *kind,
                       struct run_summary *runs, struct error *err)
{
    for (int i = 0; i < kind->runs; i++)
        if (!evolve_one(x, kind, i + 1, &runs[i], err)) {
            phase_1_free(runs, i);
            return false;
        }
    return true;
}

bool phase_1_evolve(struct experiment *x, struct run_summary runs[PHASE_1_RUNS], struct error *err)
{
    const struct phase_1_kind kind = {"paper", "eval-space", phase_1_runs(x)};
    return evolve_all(x, &kind, runs, err);
}

bool unfitted_evolve(struct experiment *x, struct run_summary runs[UNFITTED_RUNS],
                     struct error *err)
{
    const struct phase_1_kind kind = {"unfitted", "eval-unfitted-space", unfitted_runs(x)};
    return evolve_all(x, &kind, runs, err);
}

void phase_1_free(struct run_summary *runs, int count)
{
    for (int i = 0; i < count; i++)
        run_summary_free(&runs[i]);
}

struct eval_weights evolved_weights(const struct run_summary *run)
{
    struct eval_weights w;
    memcpy(w.value, run->best, sizeof w.value);
    return w;
}

/* The run whose winner matches most of the held-out moves. */
static const struct run_summary *best_held_out(const struct run_summary *runs, int count)
{
    const struct run_summary *best = &runs[0];
    for (int i = 1; i < count; i++)
        if (runs[i].rows[runs[i].generation].held_out > best->rows[best->generation].held_out)
            best = &runs[i];
    return best;
}

bool phase_1_winner(struct experiment *x, struct eval_weights *weights, struct error *err)
{
    struct run_summary runs[PHASE_1_RUNS];
    if (!phase_1_evolve(x, runs, err))
        return false;
    *weights = evolved_weights(best_held_out(runs, phase_1_runs(x)));
    phase_1_free(runs, phase_1_runs(x));
    return true;
}

/* ---- phase 2 ---- */

/* The settings that make a coevolution quick. */
static const char *const quick_coevolution[SETTINGS_MAX] = {
    "ga.population=4", "ga.generations=2", "fitness.limit=50", "fitness.opponent_games=2"};

/* "ga.seeds=[RUNS/paper-seed1.db, ...]", or the compressed runs. */
static bool seeds_setting(const struct experiment *x, char setting[SEEDS_SETTING],
                          struct error *err)
{
    size_t used = (size_t)snprintf(setting, SEEDS_SETTING, "ga.seeds=[");
    for (int i = 1; i <= evolutions[x->size].runs && used < SEEDS_SETTING; i++) {
        char name[GRID_TEXT], path[RECIPE_PATH];
        run_name(x, "paper", i, name);
        experiment_find_run(x, name, path);
        used += (size_t)snprintf(setting + used, SEEDS_SETTING - used, "%s\"%s\"",
                                 i > 1 ? ", " : "", path);
    }
    if (used < SEEDS_SETTING)
        used += (size_t)snprintf(setting + used, SEEDS_SETTING - used, "]");
    return used < SEEDS_SETTING || error_set(err, "the path of the runs, %s, is too long", x->runs);
}

/* A coevolution of the winners of phase 1: its recipe, and the settings of all sizes but the quick one. The
 * published ones began without pairs. */
struct coevolution_kind {
    const char *name, *recipe;
    const char *settings[SETTINGS_MAX]; /* NULL after the last */
};

static bool coevolve(struct experiment *x, const struct coevolution_kind *kind, int seed,
                     struct run_summary *summary, struct error *err)
{
    char seeds[SEEDS_SETTING], number[SETTING], name[GRID_TEXT];
    const char *settings[SETTINGS_MAX + 3] = {seeds, number, "fitness.pairs=no"};
    const char *const *more = x->size == SIZE_QUICK ? quick_coevolution : kind->settings;
    int count = 3;
    if (!seeds_setting(x, seeds, err))
        return false;
    snprintf(number, sizeof number, "seed=%d", seed);
    for (int i = 0; more[i] != NULL; i++)
        settings[count++] = more[i];
    run_name(x, kind->name, seed, name);
    const struct experiment_run run = {"coevolution", name, kind->recipe, settings, count};
    return experiment_evolve(x, &run, summary, err);
}

bool coevolution_evolve(struct experiment *x, struct run_summary *summary, struct error *err)
{
    static const struct coevolution_kind kind = {.name = "coevolution-strong",
                                                 .recipe = "coevolution-strong.yaml"};
    return coevolve(x, &kind, 1, summary, err);
}

bool genetic_coevolution_evolve(struct experiment *x, int seed, struct run_summary *summary,
                                struct error *err)
{
    static const struct coevolution_kind kind = {
        .name = "coevolution-paper",
        .recipe = "coevolution.yaml",
        .settings = {"fitness.limit=20000", "fitness.opponent_games=20", "fitness.win_score=1000"}};
    return coevolve(x, &kind, seed, summary, err);
}

/* ---- phase 3 ---- */

/* By size: nodes per position, generations, and the run's name. */
static const struct {
    const char *limit, *generations, *name;
} searches[EXPERIMENT_SIZES] = {
    {"fitness.limit=300", "ga.generations=3", "search-ecm-quick"},
    {"fitness.limit=10000", "ga.generations=50", "search-ecm-small"},
    {"fitness.limit=500000", "ga.generations=50", "search-seed1"},
};

/* "data={train: SUITES/ecm879.epd}", with the first positions only unless `first` is 0. */
static bool train_setting(const struct experiment *x, int first, char setting[SETTING],
                          struct error *err)
{
    struct dataset d = {0};
    bool there = test_suite_load(SUITE_ECM, x->suites, &d, err);
    dataset_free(&d);
    snprintf(setting, SETTING, "data={train: %.900s/ecm879.epd, first: %d}", x->suites, first);
    return there;
}

bool search_evolve(struct experiment *x, struct run_summary *summary, struct error *err)
{
    char train[SETTING];
    bool whole = experiment_run_is_complete(x, searches[SIZE_OVERNIGHT].name);
    enum experiment_size size = x->size == SIZE_USUAL && whole ? SIZE_OVERNIGHT : x->size;
    if (!train_setting(x, 0, train, err))
        return false;
    const char *settings[] = {train, searches[size].limit, searches[size].generations};
    const struct experiment_run run = {"evolution of the search", searches[size].name,
                                       "search.yaml", settings, 3};
    return experiment_evolve(x, &run, summary, err);
}

/* ---- phase 3 and random search ---- */

/* By size: seeds, positions (0: all), nodes per position, and generations of evolution and of random
 * search. Evolution makes nine new organisms a generation and keeps one; random search makes ten. */
static const struct {
    int seeds, positions;
    const char *limit, *evolved, *random, *ending;
} controls[EXPERIMENT_SIZES] = {
    {2, 50, "fitness.limit=100", "ga.generations=10", "ga.generations=9", "-quick"},
    {3, 150, "fitness.limit=2000", "ga.generations=50", "ga.generations=45", "-small"},
    {3, 0, "fitness.limit=500000", "ga.generations=50", "ga.generations=45", ""},
};

int search_control_seeds(const struct experiment *x)
{
    return controls[x->size].seeds;
}

/* The name of a run. Evolution at the paper's size is "search-seed1" and so on. */
static void control_name(const struct experiment *x, bool random, int seed, char name[GRID_TEXT])
{
    if (x->size == SIZE_OVERNIGHT && !random)
        snprintf(name, GRID_TEXT, "search-seed%d", seed);
    else
        snprintf(name, GRID_TEXT, "search-%s%s-seed%d", random ? "random" : "evolved",
                 controls[x->size].ending, seed);
}

bool search_control_evolve(struct experiment *x, enum optimiser_kind kind, int seed,
                           struct run_summary *summary, struct error *err)
{
    char train[SETTING], number[GRID_TEXT], name[GRID_TEXT], step[GRID_TEXT];
    bool random = kind == OPTIMISER_RANDOM;
    const char *settings[] = {train, number, controls[x->size].limit,
                              random ? controls[x->size].random : controls[x->size].evolved,
                              "optimiser.kind=random"};
    if (!train_setting(x, controls[x->size].positions, train, err))
        return false;
    snprintf(number, sizeof number, "seed=%d", seed);
    snprintf(step, sizeof step, "%s, seed %d", random ? "random search" : "evolution", seed);
    control_name(x, random, seed, name);
    const struct experiment_run run = {step, name, "search.yaml", settings, random ? 5 : 4};
    return experiment_evolve(x, &run, summary, err);
}
