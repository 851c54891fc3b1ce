/* A night: runs the stages of a night's recipe in order, into one file, within a given time.
 *
 * The file is a run store (store.h). Each run is a stage of it: `evolve-1` to `evolve-10` if a
 * stage has ten runs, else the name of the stage. The games of a match are in the tables of closing
 * matches. The properties of the file's own run mark it as a night and hold its time in seconds,
 * and for each run the time it took ("coevolve.seconds"), how it ended ("coevolve.ended": complete,
 * or time), and how much of its time it took before the night was given its present time
 * ("coevolve.before").
 *
 * Whenever a run begins, the remaining time is divided among the remaining runs by their shares. A
 * run that completes early leaves its time to later ones. A run whose time is up ends with the best
 * organism so far, like a run with fewer generations. More time opens such runs again
 * (night_plan.h). */
#ifndef GRAYLING_NIGHT_H
#define GRAYLING_NIGHT_H

#include "night_plan.h"
#include "run.h"

/* Lets the caller follow, stop and end a night. Any function may be NULL. */
struct night_observer {
    void *context;
    /* The flag `stop` of the runs' observers, for what is checked before the first of them goes on. May
     * be NULL. */
    const volatile sig_atomic_t *stop;
    /* The Unix time at which the night ends, in place of a duration; 0: it has one. Each run gets its share
     * of what is left until then by the machine's clock, which may be set meanwhile. */
    int64_t until;
    /* The night is about to go on; every run has its action. */
    void (*planned)(void *context, const struct night_summary *night);
    const struct run_observer *each; /* of every run, if `begins` is NULL */
    /* A run begins or resumes, with `seconds` of wall time. When they are over, the caller must set
     * the flag `stop`, and time_up must return true. Returns the observer of the run; a match uses
     * only its `stop` and `progress` (games played of all games). */
    const struct run_observer *(*begins)(void *context, const struct night_run *run,
                                         double seconds);
    /* The run's time is over before it has gone on. It continues to the end of a generation, a match
     * to its first games; the flag must stay clear until then. */
    void (*overtime)(void *context, const struct night_run *run);
    /* The run ended: complete, or out of time. */
    void (*ends)(void *context, const struct night_run *run, bool complete);
    /* True if the flag was set because the time of begins() was over; clears the flag. */
    bool (*time_up)(void *context);
    /* The night is over, and night_resume is about to return this; `reason` says why it failed. No other
     * process can write the file before this returns. Not called if the plan was refused. */
    void (*over)(void *context, enum run_end end, const struct error *reason);
};

/* Checks that each stage that evolves would begin: loads its data, counts what it needs with the seeds
 * that an earlier stage gives it, and forgets it again. A stage would be refused hours later otherwise,
 * when its recipe cannot be changed any more. Of one that learns from games which are not played yet,
 * checks the space and the optimiser. */
bool night_check_stages(const struct night_recipe *night, int threads, struct error *err);

/* Begins a night. On return the recipe is unchanged. `seconds` > 0 replaces the recipe's hours. What may
 * refuse a later stage is told by night_check_stages, before anything is created. */
enum run_end night_evolve(struct night_recipe *recipe, const char *path, bool force, double seconds,
                          int threads, const struct night_observer *observer, struct error *err);

/* Resumes a night, in the middle of any stage, as requested. A stage that had ended is checked before
 * anything is changed for it: if its data, or what this program measures, is not as before, the night
 * is refused and its file stays as it is. */
enum run_end night_resume(const char *path, const struct night_request *request, int threads,
                          const struct night_observer *observer, struct error *err);

#endif
