#include "david_2014_runs.h"

#include <stdio.h>

enum { SETTINGS_MAX = 6, SETTING = RECIPE_PATH, SEEDS_SETTING = 8 * RECIPE_PATH };

/* ---- phase 1 ---- */

/* By size: the number of runs and of generations. */
static const struct {
    int runs, population, generations;
} evolutions[EXPERIMENT_SIZES] = {{2, 20, 5}, {PHASE_1_RUNS, 100, 200}, {PHASE_1_RUNS, 100, 200}};

int phase_1_runs(const struct experiment *x)
{
    return evolutions[x->size].runs;
}

/* The name of a run; `number` starts at 1. */
static void phase_1_name(const struct experiment *x, int number, char name[GRID_TEXT])
{
    snprintf(name, GRID_TEXT, "paper-seed%d%s", number, x->size == SIZE_QUICK ? "-quick" : "");
}

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
    phase_1_name(x, number, name);
    const struct experiment_run run = {step, name, "paper.yaml", settings, 4};
    return experiment_evolve(x, &run, summary, err);
}

bool phase_1_evolve(struct experiment *x, struct run_summary runs[PHASE_1_RUNS], struct error *err)
{
    for (int i = 0; i < evolutions[x->size].runs; i++)
        if (!evolve_one(x, i + 1, &runs[i], err)) {
            phase_1_free(runs, i);
            return false;
        }
    return true;
}

void phase_1_free(struct run_summary *runs, int count)
{
    for (int i = 0; i < count; i++)
        run_summary_free(&runs[i]);
}

/* ---- phase 2 ---- */

/* The settings that override the recipe, by size. */
static const char *const coevolutions[EXPERIMENT_SIZES][SETTINGS_MAX - 1] = {
    {"ga.population=4", "ga.generations=2", "fitness.limit=50", "fitness.opponent_games=2"},
};

/* "ga.seeds=[RUNS/paper-seed1.db, ...]". */
static bool seeds_setting(const struct experiment *x, char setting[SEEDS_SETTING],
                          struct error *err)
{
    size_t used = (size_t)snprintf(setting, SEEDS_SETTING, "ga.seeds=[");
    for (int i = 1; i <= evolutions[x->size].runs && used < SEEDS_SETTING; i++) {
        char name[GRID_TEXT];
        phase_1_name(x, i, name);
        used += (size_t)snprintf(setting + used, SEEDS_SETTING - used, "%s\"%s/%s.db\"",
                                 i > 1 ? ", " : "", x->runs, name);
    }
    if (used < SEEDS_SETTING)
        used += (size_t)snprintf(setting + used, SEEDS_SETTING - used, "]");
    return used < SEEDS_SETTING || error_set(err, "the path of the runs, %s, is too long", x->runs);
}

bool coevolution_evolve(struct experiment *x, struct run_summary *summary, struct error *err)
{
    char seeds[SEEDS_SETTING];
    const char *settings[SETTINGS_MAX] = {seeds};
    int count = 1;
    if (!seeds_setting(x, seeds, err))
        return false;
    for (int i = 0; coevolutions[x->size][i] != NULL; i++)
        settings[count++] = coevolutions[x->size][i];
    const struct experiment_run run = {"coevolution",
                                       x->size == SIZE_QUICK ? "coevolution-strong-quick"
                                                             : "coevolution-strong-seed1",
                                       "coevolution-strong.yaml", settings, count};
    return experiment_evolve(x, &run, summary, err);
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

bool search_evolve(struct experiment *x, struct run_summary *summary, struct error *err)
{
    char path[RECIPE_PATH], train[SETTING];
    bool whole = experiment_find_run(x, searches[SIZE_OVERNIGHT].name, path);
    enum experiment_size size = x->size == SIZE_USUAL && whole ? SIZE_OVERNIGHT : x->size;
    struct dataset d = {0};
    bool there = test_suite_load(SUITE_ECM, x->suites, &d, err);
    dataset_free(&d);
    if (!there)
        return false;
    snprintf(train, sizeof train, "data={train: %.900s/ecm879.epd}", x->suites);
    const char *settings[] = {train, searches[size].limit, searches[size].generations};
    const struct experiment_run run = {"evolution of the search", searches[size].name,
                                       "search.yaml", settings, 3};
    return experiment_evolve(x, &run, summary, err);
}
