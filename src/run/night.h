/* A night: the stages of a night's recipe one after the other, in one file, within the time given.
 *
 * The file is a run store (store.h) whose stages are the runs: `evolve-1` to `evolve-10` where a
 * stage has ten, else the stage's own name; a match is one whose games are in the tables of closing
 * matches. The properties of the file's own run say that it is a night, how many seconds it was
 * given, and of each run how long it took ("coevolve.seconds") and how it ended ("coevolve.ended":
 * complete, or time).
 *
 * The time left is divided among the runs to come by their shares, anew whenever one begins; a run
 * that is complete early leaves its time to those after it. One whose time is up ends with its best
 * so far, as a whole run cut short would. */
#ifndef GRAYLING_NIGHT_H
#define GRAYLING_NIGHT_H

#include "night_stages.h"
#include "run.h"

/* What the caller is told, and how it stops a night. No function may be NULL. */
struct night_observer {
    void *context;
    /* A run of the night begins, or goes on, and has so many seconds of wall time: when they are
     * over the flag `stop` must be set, and time_up must say so. Returns who is told of the run; of
     * a match only `stop` and `measured` (games of how many) count. */
    const struct run_observer *(*begins)(void *context, const struct night_run *run,
                                         double seconds);
    /* Its time is over, and it has nothing for those after it: it goes on to the end of its first
     * generation, for which the flag must not be set. */
    void (*overtime)(void *context, const struct night_run *run);
    /* It has ended: complete, or cut by its time. */
    void (*ends)(void *context, const struct night_run *run, bool complete);
    /* Whether the flag was set by the time that begins() gave; if so, it is cleared. */
    bool (*time_up)(void *context);
};

/* Begins a night; the recipe is as before when it returns. `seconds` > 0 is the time it has instead
 * of the recipe's hours. */
enum run_end night_evolve(struct night_recipe *recipe, const char *path, bool force, double seconds,
                          int threads, const struct night_observer *observer, struct error *err);

/* Goes on with a night, in the middle of any stage. `seconds` > 0 is the time it has from now on;
 * else it has what is left of the time it was given. */
enum run_end night_resume(const char *path, double seconds, int threads,
                          const struct night_observer *observer, struct error *err);

/* Whether a store is that of a night. */
bool night_is(const char *path);

/* ---- what there is */

enum night_state { NIGHT_WAITING, NIGHT_BEGUN, NIGHT_TIME, NIGHT_COMPLETE };

struct night_run_summary {
    struct night_run run;
    enum night_state state;
    double seconds; /* spent */
};

struct night_summary {
    struct night_recipe recipe;
    bool running;
    double given, spent;            /* seconds: what it may take in all, what it took so far */
    struct night_run_summary *runs; /* owned: in order */
    int run_count;
};

bool night_summary_read(const char *path, struct night_summary *night, struct error *err);
void night_summary_free(struct night_summary *night); /* accepts a zeroed one */

#endif
