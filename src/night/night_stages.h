/* The runs of a night's stages, and the best run of a stage. */
#ifndef GRAYLING_NIGHT_STAGES_H
#define GRAYLING_NIGHT_STAGES_H

#include "night_recipe.h"
#include "run_summary.h"
#include "store.h"

enum {
    NIGHT_PATH = RECIPE_PATH,
    NIGHT_FILE_MAX = NIGHT_PATH - STORE_STAGE - 1, /* the longest path of a night's file */
};

/* One run of a stage. */
struct night_run {
    const struct night_stage *stage;
    int index;              /* among the stage's runs, from 0 */
    char name[STORE_STAGE]; /* "evolve-3" */
    char path[NIGHT_PATH];  /* "night.db#evolve-3" */
};

/* Fails if the path of a night's file is longer than that. */
bool night_check_path(const char *path, struct error *err);

/* Run `index` of a stage of the night at `path`. */
struct night_run night_run_named(const char *path, const struct night_stage *s, int index);

/* True if the name is that of the run, or of its stage. */
bool night_run_is_named(const struct night_run *run, const char *name);

/* Says that a night has no stage of this name, and which it has. Returns false. */
bool night_fail_name(const struct night_recipe *recipe, const char *name, struct error *err);

/* True once the run has begun, and so has a store. */
bool night_run_has_store(const struct night_run *run);

/* True if a's best organism is better than b's, by held-out value, else by training value. Both
 * runs have a generation and belong to the same stage. */
bool night_run_better(const struct run_summary *a, const struct run_summary *b);

/* Writes the path of the stage's best run, as night_run_better compares them. False when a run
 * cannot be read or has no complete generation. */
bool night_best_run(const char *path, const struct night_stage *stage, char best[NIGHT_PATH],
                    struct error *err);

#endif
