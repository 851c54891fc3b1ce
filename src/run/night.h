/* A night: runs the stages of a night's recipe in order, into one file, within a given time.
 *
 * The file is a run store (store.h). Each run is a stage of it: `evolve-1` to `evolve-10` if a
 * stage has ten runs, else the name of the stage. The games of a match are in the tables of closing
 * matches. The properties of the file's own run mark it as a night and hold its time in seconds,
 * and for each run the time it took ("coevolve.seconds") and how it ended ("coevolve.ended":
 * complete, or time).
 *
 * Whenever a run begins, the remaining time is divided among the remaining runs by their shares. A
 * run that completes early leaves its time to later ones. A run whose time is up ends with the best
 * organism so far, like a run with fewer generations. */
#ifndef GRAYLING_NIGHT_H
#define GRAYLING_NIGHT_H

#include "night_stages.h"
#include "run.h"

/* Lets the caller follow and stop a night. No function may be NULL. */
struct night_observer {
    void *context;
    /* A run begins or resumes, with `seconds` of wall time. When they are over, the caller must set
     * the flag `stop`, and time_up must return true. Returns the observer of the run; a match uses
     * only its `stop` and `measured` (games played of all games). */
    const struct run_observer *(*begins)(void *context, const struct night_run *run,
                                         double seconds);
    /* The run's time is over before it has a result for later stages. It continues to the end of
     * its first generation; the flag must stay clear until then. */
    void (*overtime)(void *context, const struct night_run *run);
    /* The run ended: complete, or out of time. */
    void (*ends)(void *context, const struct night_run *run, bool complete);
    /* True if the flag was set because the time of begins() was over; clears the flag. */
    bool (*time_up)(void *context);
};

/* Begins a night. On return the recipe is unchanged. `seconds` > 0 replaces the recipe's hours. */
enum run_end night_evolve(struct night_recipe *recipe, const char *path, bool force, double seconds,
                          int threads, const struct night_observer *observer, struct error *err);

/* Resumes a night, in the middle of any stage. `seconds` > 0 is the time from now on; otherwise the
 * night has the rest of its time. */
enum run_end night_resume(const char *path, double seconds, int threads,
                          const struct night_observer *observer, struct error *err);

/* True if the store is a night's. */
bool night_is(const char *path);

/* ---- summary ---- */

enum night_state { NIGHT_WAITING, NIGHT_BEGUN, NIGHT_TIME, NIGHT_COMPLETE };

struct night_run_summary {
    struct night_run run;
    enum night_state state;
    double seconds; /* spent */
};

struct night_summary {
    struct night_recipe recipe;
    bool running;
    double given, spent;            /* seconds: time limit, time used */
    struct night_run_summary *runs; /* owned, in order */
    int run_count;
};

bool night_summary_read(const char *path, struct night_summary *night, struct error *err);
void night_summary_free(struct night_summary *night); /* accepts a zeroed one */

#endif
