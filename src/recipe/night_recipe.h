/* The recipe of a night: stages one after the other, from random parameters to a whole engine and a
 * closing match.
 *
 *     name: night
 *     phase: night
 *     seed: 1
 *     hours: 8
 *     stages:
 *       evolve:   {recipe: paper.yaml, runs: 10, share: 1}
 *       coevolve: {recipe: coevolution.yaml, seeds: evolve, share: 30}
 *       search:   {recipe: search.yaml, evaluation: coevolve, share: 55}
 *       match:
 *         share: 14
 *         games: 1000
 *         limit: 5000
 *         openings: ../../data/openings.epd
 *         players:
 *           evolved: {evaluation: coevolve, search: search}
 *           paper:   {evaluation: ../paper-eval.yaml, search: ../paper-search.yaml}
 *           chance:  {evaluation: random, search: random}
 *
 * A stage is a run of its own (phase, seed and settings are those of its recipe; `set` holds values
 * that go over them), or several that differ in their seeds, or a match in which all players meet.
 * A stage reads earlier ones by name: their best organism; of several runs that with the best
 * held-out measure, or, as seeds, all of them. The night's hours are divided by shares.
 *
 * `runs` and `set` may also stand before the stages, for all of them; what a stage says goes over
 * that. So a few lines compare optimisers (comparison.h):
 *
 *     runs: 10
 *     set: {ga: {population: 10, generations: 49}}
 *     stages:
 *       genetic: {recipe: search-quick.yaml}
 *       cma-es:  {recipe: search-quick.yaml, set: {optimiser: {kind: cma-es}}} */
#ifndef GRAYLING_NIGHT_RECIPE_H
#define GRAYLING_NIGHT_RECIPE_H

#include "recipe.h"
#include "store.h"

enum { NIGHT_STAGES = 16, NIGHT_PLAYERS = 8, NIGHT_RUNS = 64 };

/* Where half of a player's parameters come from: an earlier stage, a file or one of these words. */
#define NIGHT_RANDOM "random" /* a random organism of the parameter table */
#define NIGHT_PLAIN  "plain"  /* of a search: all selective methods off */

struct night_player {
    char name[RECIPE_NAME];
    char evaluation[RECIPE_PATH], search[RECIPE_PATH];
};

struct night_stage {
    char name[STORE_STAGE];
    double share; /* of the time, among the shares of the stages still to come */
    bool is_match;
    /* of a run: */
    struct recipe *recipe; /* owned */
    int runs;
    bool evolves_evaluation;                          /* else it evolves a search */
    char seeds[STORE_STAGE], evaluation[STORE_STAGE]; /* earlier stages, or empty */
    /* of a match: */
    struct night_player players[NIGHT_PLAYERS];
    int player_count;
    int games; /* of each two players: even */
    int limit; /* nodes a move */
    int hash;  /* MiB an engine */
    char openings[RECIPE_PATH];
};

/* Owned by the caller between read and free. */
struct night_recipe {
    char name[RECIPE_NAME];
    uint64_t seed;
    double hours;
    struct night_stage *stages; /* owned */
    int stage_count;
};

/* Whether a recipe file is that of a night. */
bool night_recipe_recognise(const char *path, bool *is_night, struct error *err);

/* Reads a night's recipe and those of its stages, each setting "key.path=value" put over the file
 * before (as stages.search.set.fitness.limit=5000). Everything is checked: files are there, names
 * of stages are of earlier ones, of the right sort. */
bool night_recipe_read(const char *path, const char *const *settings, int setting_count,
                       struct night_recipe *night, struct error *err);
void night_recipe_free(struct night_recipe *night); /* accepts a zeroed one */

/* The night's recipe with every value and every stage's recipe spelled out, as a text that reads
 * back (malloc'ed; NULL without memory). */
char *night_recipe_text(const struct night_recipe *night);
bool night_recipe_from_text(const char *name, const char *text, struct night_recipe *night,
                            struct error *err);

/* Calls `visit` for each file that the recipe names, those of its stages' recipes too. */
bool night_recipe_each_file(struct night_recipe *night, recipe_visit *visit, void *context,
                            struct error *err);

/* The stage with this name, or NULL. */
const struct night_stage *night_stage_find(const struct night_recipe *night, const char *name);

#endif
