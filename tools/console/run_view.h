/* Shared by `evolve` and `resume`: the head, the progress and the end of a run, of a night, and of a dry run.
 *
 *     run_view.c      one run, and what a night shares with it
 *     night_view.c    a night
 *     dry_run.c       what would run, and how long */
#ifndef GRAYLING_RUN_VIEW_H
#define GRAYLING_RUN_VIEW_H

#include "live_page.h"
#include "night.h"
#include "night_recipe.h"
#include "outcome.h"
#include "progress.h"
#include "run.h"

/* A run, with the options of its command. */
struct run_view {
    const char *store_path;        /* RUN.db; the outcome is written beside it (outcome.h) */
    char output[RECIPE_NAME + 64]; /* the same, if the command names none */
    const char *until;             /* a time for interrupt_parse_time, or NULL */
    double hours;                  /* stop after this time; 0: not given */
    int threads;
    bool force;
    bool dry_run;          /* only say what would run */
    bool brief;            /* print no head: an earlier run of the same stage has printed it */
    double seconds;        /* of run_view_seconds, as the next line */
    time_t end;            /* the Unix time of --until, if the run ends by it; else 0 */
    struct live_page page; /* rewritten while it runs */
    const char *at_end;    /* a command that runs when it is over, or NULL */
    const volatile sig_atomic_t *stop;
    struct progress progress;
    int64_t deadline;                    /* Unix time at which it stops by itself; 0: none */
    const struct objective_value *value; /* for the progress, like the next line */
    int64_t train_size, held_out_size;
    const struct engine_faults *faults; /* so far; the fitness's */
    struct run_gain gain;               /* so far */
};

/* Names the file of a run or night whose command names none: NAME-seedN.db, with hyphens for spaces and slashes. */
void run_view_name(struct run_view *view, const char *name, uint64_t seed);

/* Lists the files of a run's outcome. */
bool run_view_outcome(const struct run_view *view, struct outcome *o, struct error *err);

/* Checks that the files of an outcome can be written, and that the live page is none of them but the report. Call it
 * before the run. */
bool run_view_check(const struct run_view *view, const struct outcome *o, struct error *err);

/* Prints the names of the files that would be written. */
void run_view_print_files(const struct run_view *view, const struct outcome *o);

/* Installs the signals and the time limit that stop the run. Call it before the data is read. */
bool run_view_begin(struct run_view *view, struct error *err);

/* Sets the seconds left by --until or --hours, the smaller one; 0 if neither is given. Hours are a duration, also
 * when the machine is suspended; --until is a time of the machine's clock, which may be set while the run goes on. */
bool run_view_seconds(struct run_view *view, struct error *err);

/* Prints when the run stops, if --until or --hours is given: date, time zone and time left. */
void run_view_print_until(const struct run_view *view);

/* Prints the head when the run starts, and the progress after each generation. */
struct run_observer run_view_observer(struct run_view *view);

/* Starts the live page, if there is one and its writer does not work yet. A failure is printed. */
void run_view_start_page(struct run_view *view);

/* -- the end; each of these returns the exit code */

/* Says how a run or night has ended, or calls `tell`, which writes the outcome, if it was not interrupted; then how it
 * goes on. */
int run_view_over(const struct run_view *view, enum run_end end, const struct error *reason,
                  int (*tell)(const struct run_view *view));

/* Writes the last live page and runs the command of --at-end. `code` is EXIT_DONE if the files of the outcome are
 * written; it is returned unless the page fails. */
int run_view_close(struct run_view *view, int code);

/* Reports how the run ended, writes its outcome, and closes it. */
int run_view_finish(struct run_view *view, enum run_end end, const struct error *reason);

/* -- a night */

/* Runs a recipe of kind night. `view` has the options and the store's path, which is made from the recipe's name and
 * seed if it is NULL. Returns the exit code. */
int night_view_evolve(const char *recipe_path, const char *const *settings, int setting_count,
                      struct run_view *view);

/* Continues a night and returns the exit code. The time of the request is that of `view`. */
int night_view_resume(struct run_view *view, const struct night_request *asked);

/* Prints the table of a closing match. */
bool night_view_print_match(const struct night_run *run, struct error *err);

/* -- a dry run: what would run, which files it would write, and how long it would take. The time comes from a short
 * calibration: the beginning of the run itself, in a temporary folder. All but the last return the exit code. */

/* Calibrates a run and prints its head, files and time. */
int dry_run_evolve(const struct recipe *recipe, struct run_view *view, const struct outcome *o);

/* Calibrates each stage of a night or comparison, and prints its share of the time and the time that it needs. Needs
 * run_view_seconds. */
int dry_run_night(struct night_recipe *recipe, struct run_view *view);

/* Measures what the stages of a night that is about to begin need at least, fits it to its time (night.h),
 * and says so. That is part of its time. */
int dry_run_fit(struct night_recipe *recipe, struct run_view *view);

/* Runs the beginning of a recipe for so many seconds, or longer until something is measured, and returns the
 * seconds that a generation takes: 0 if none is known. Below 0, with the reason, if the run fails; or
 * without one if the user interrupts it. */
double dry_run_generation(const struct recipe *recipe, int threads, double seconds,
                          struct error *err);

#endif
