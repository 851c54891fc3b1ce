/* The state of a night: its recipe, the runs of its stages, and how far each of them is. */
#ifndef GRAYLING_NIGHT_SUMMARY_H
#define GRAYLING_NIGHT_SUMMARY_H

#include "night_recipe.h"
#include "run_summary.h"
#include "store.h"

/* ---- the runs of stages ---- */

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

/* Writes the path of the stage's best run. False when one cannot be read or has no complete generation. */
bool night_best_run(const char *path, const struct night_stage *stage, char best[NIGHT_PATH],
                    struct error *err);

/* ---- how far they are ---- */

enum night_state { NIGHT_WAITING, NIGHT_BEGUN, NIGHT_TIME, NIGHT_COMPLETE };

/* What a resumed night does with a run (night.h). */
enum night_action {
    NIGHT_STAYS,   /* nothing */
    NIGHT_GOES_ON, /* begins it, or continues it */
    NIGHT_REOPENS, /* continues it although it had ended */
    NIGHT_ANEW,    /* removes it, and begins it again */
};

struct night_run_summary {
    struct night_run run;
    enum night_state state;
    enum night_action action; /* set by night_plan */
    double seconds;           /* spent */
    double before;            /* of these, spent before the present time limit was given */
};

struct night_summary {
    struct night_recipe recipe;
    bool running;
    double given, spent;            /* seconds: time limit, time used */
    struct night_run_summary *runs; /* owned, in order */
    int run_count;
};

/* Fails if the file at `path` is no night. The paths of the recipe are absolute. */
bool night_summary_read(const char *path, struct night_summary *night, struct error *err);
void night_summary_free(struct night_summary *night); /* accepts a zeroed one */

bool night_is_limited(const struct night_summary *night);

/* True if all runs of the stage have ended, complete or by their time. */
bool night_has_ended(const struct night_summary *night, const struct night_stage *stage);

/* The seconds that all runs have taken. */
double night_spent(const struct night_summary *night);

/* ---- the notes about a run, in the properties of the night's own run */

/* Puts a note about a run: what it took and how it ended. NULL removes it. */
bool night_put_note(struct store *s, const struct night_run *run, const char *what,
                    const char *text, struct error *err);
bool night_put_seconds(struct store *s, const struct night_run *run, const char *what,
                       double seconds, struct error *err);

/* Reads such a number of seconds, 0 if it is absent. */
double night_get_seconds(struct store *s, const struct night_run *run, const char *what);

/* Seconds that the run itself has noted, known even if it was killed: those of its complete
 * generations, or what a match notes in its property NIGHT_PLAYED. */
#define NIGHT_PLAYED "played.seconds"
double night_recorded_seconds(const struct night_run *run);

bool night_is(const char *path);

/* Splits NIGHT.db#NAME if NIGHT.db is a night: writes the path of its file, and returns NAME, which
 * need not be a stage. NULL if the path is something else. */
const char *night_split(const char *path, char file[NIGHT_PATH]);

#endif
