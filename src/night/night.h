/* A night: runs the stages of a night's recipe in order, into one file, within a given time.
 *
 * The file is a run store (store.h). Each run is a stage of it: `evolve-1` to `evolve-10` if a stage has ten runs,
 * else the name of the stage. The games of a match are in the tables of closing matches. The properties of the file's
 * own run mark it as a night and hold its time in seconds, and for each run the time it took ("coevolve.seconds"),
 * how it ended ("coevolve.ended": complete, or time), and how much of its time it took before the night was given its
 * present time ("coevolve.before").
 *
 * Whenever a run begins, the remaining time is divided among the remaining runs by their shares. A run that completes
 * early leaves its time to later ones. A run whose time is up ends with the best organism so far, like a run with
 * fewer generations. More time opens such runs again. */
#ifndef GRAYLING_NIGHT_H
#define GRAYLING_NIGHT_H

#include "night_summary.h"
#include "run.h"

/* ---- what a resumed night does (night_plan.c)
 *
 * A run that ended by its time goes on when the night gets more time. A run that is complete goes
 * on when its stage gets more generations or games. Neither goes on by itself if a later stage has
 * begun from its result: the later stage would no longer follow from its input. `again` names such
 * a stage. It goes on then, and every stage that depends on it is removed and computed anew. */

/* What the user asks of a night. */
struct night_request {
    double seconds;    /* > 0: the time from now on; 0: the rest of the night's time */
    const char *only;  /* the stage or run that goes on, by name; NULL: all */
    const char *again; /* the stage that goes on although later ones began from it; NULL: none */
    int generations;   /* > 0: the generations of the stages that go on */
    int games;         /* > 0: the games a pairing of the matches that go on */
};

/* Sets the action of every run, and the generations and games of the recipe. Fails, with what to ask
 * for instead, if the request names no stage, asks for fewer than there are, or has no time. */
bool night_plan(struct night_summary *night, const struct night_request *request,
                struct error *err);

/* Returns a later stage that has begun from the result of stage `s`, or NULL. */
const struct night_stage *night_fed(const struct night_summary *night, const struct night_stage *s);

/* ---- fitting a night to its time, before it begins (night_fit.c)
 *
 * What is sure not to get as far as one generation is not begun.
 *
 *   1. A stage of several runs has only as many as its share holds, at least one.
 *   2. A run that searches or plays by nodes has only so many, and another one only so many training
 *      positions, as it can measure a generation with in its share, but not less than is of use.
 *   3. A stage that begins from an earlier one is left out, and the earlier one stands for it.
 *
 * What needs more than its share after that takes it from the stages after it. The fitted recipe is the
 * night's: it is stored, resumed and verified like any other. */

enum {
    NIGHT_FEWEST_POSITIONS = 20,
    NIGHT_FEWEST_NODES = 500,
    NIGHT_FIT_NOTES = 3 * NIGHT_STAGES,
    NIGHT_FIT_NOTE = 200
};

/* What a run of a stage needs to the end of generation 0; 0 where not known, as of a match. */
struct night_need {
    double data, seconds; /* to read its data, and then */
    int64_t positions;    /* training positions; 0: none */
};

struct night_fit {
    double least; /* seconds that all runs of the fitted night need */
    char notes[NIGHT_FIT_NOTES][NIGHT_FIT_NOTE];
    int count; /* of the notes, a sentence each: what was changed */
};

/* Fits a recipe to so many seconds. `needs` has one for each stage that is left. */
void night_fit(struct night_recipe *recipe, double seconds, struct night_need needs[NIGHT_STAGES],
               struct night_fit *fit);

/* ---- running it ---- */

/* Lets the caller follow, stop and end a night. Any function may be NULL. */
struct night_observer {
    void *context;
    /* The flag `stop` of the runs' observers, for what is checked before; or NULL. */
    const volatile sig_atomic_t *stop;
    /* The Unix time at which the night ends, by the machine's clock, which may be set; 0: a duration. */
    int64_t until;
    /* The night is about to go on; every run has its action. */
    void (*planned)(void *context, const struct night_summary *night);
    const struct run_observer *each; /* of every run, if `begins` is NULL */
    /* A run begins or resumes, with `seconds` of wall time. When they are over, the caller must set
     * the flag `stop`, and time_up must return true. Returns the observer of the run; a match uses
     * only its `stop` and `progress` (games played of all games). */
    const struct run_observer *(*begins)(void *context, const struct night_run *run,
                                         double seconds);
    /* The run's time is over before it has gone on. The flag must stay clear until it has. */
    void (*overtime)(void *context, const struct night_run *run);
    /* The run ended: complete, or out of time. */
    void (*ends)(void *context, const struct night_run *run, bool complete);
    /* True if the flag was set because the time of begins() was over; clears the flag. */
    bool (*time_up)(void *context);
    /* The night is over, and night_resume is about to return this; `reason` says why it failed. No other
     * process can write the file before this returns. Not called if the plan was refused. */
    void (*over)(void *context, enum run_end end, const struct error *reason);
};

/* Checks that each stage that evolves would begin, as it would be refused hours later otherwise: loads
 * its data, counts what it needs with the seeds of an earlier stage. Of one that learns from games to
 * be played, checks the space and the optimiser. */
bool night_check_stages(const struct night_recipe *night, int threads, struct error *err);

/* Begins a night, checked by night_check_stages. `seconds` > 0 replaces the recipe's hours. */
enum run_end night_evolve(struct night_recipe *recipe, const char *path, bool force, double seconds,
                          int threads, const struct night_observer *observer, struct error *err);

/* Resumes a night, in the middle of any stage, as requested. It is refused, and its file stays as it
 * is, if a stage that had ended and goes on has other data, or measures otherwise, than before. */
enum run_end night_resume(const char *path, const struct night_request *request, int threads,
                          const struct night_observer *observer, struct error *err);

#endif
