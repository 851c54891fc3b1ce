/* A run: evolves from a recipe to a finished store, and resumes after a stop.
 *
 * The recipe and its data determine the run to the bit. With any number of threads, stopped and
 * resumed anywhere, the store holds the same organisms with the same fitness. */
#ifndef GRAYLING_RUN_H
#define GRAYLING_RUN_H

#include "fitness.h"
#include "opening.h"
#include "run_summary.h"
#include "values.h"

/* How far the measurement of a generation is. */
struct run_progress {
    int generation;   /* of a closing match: the pairing */
    bool held_out;    /* its best organism on held-out data; false: all of it on training data */
    const char *unit; /* what is counted: "position", "search", "game" */
    int64_t done, total;
};

/* Writes the values that our engine plays with by itself, where a run evolves values of this table, and
 * returns their table, which may be another one (values.h). */
typedef const struct param_table *run_own_values(const struct param_table *space,
                                                 int32_t values[VALUES_MAX]);

/* Lets the caller follow and stop a run. Any function may be NULL. */
struct run_observer {
    void *context;
    /* The data is loaded; generation `next` is measured first, or after the last only defaults. */
    void (*begun)(void *context, const struct recipe *recipe, const struct fitness *fitness,
                  int next);
    /* A generation is stored (in a replay: compared). Returns false to stop after it. */
    bool (*generation)(void *context, const struct generation_row *row, int generations);
    /* Before that, what a run by games has gained so far. NULL: nobody asks. */
    void (*gain)(void *context, const struct run_gain *gain);
    /* Work on the current generation is done: very often, serialised, perhaps from another thread. */
    void (*progress)(void *context, const struct run_progress *p);
    int64_t deadline;    /* Unix time at which the caller stops the run; 0: none. Readers see it. */
    bool one_generation; /* stop after the next generation */
    /* Nonzero stops soon and abandons the current generation. SIGALRM: its time is over. */
    const volatile sig_atomic_t *stop;
    run_own_values *own; /* what runs of our own parameters are compared with; NULL: with nothing */
};

/* RUN_REFUSED: the input is wrong, nothing was begun. RUN_FAILED: it had begun, and its store can be resumed. */
enum run_end { RUN_COMPLETE, RUN_STOPPED, RUN_REFUSED, RUN_FAILED };

/* Creates the store and runs from generation 0. Fails on an existing file, unless `force`. */
enum run_end run_evolve(const struct recipe *recipe, const char *store_path, bool force,
                        int threads, const struct run_observer *observer, struct error *err);

/* Checks that run_evolve would begin: loads the data, and forgets it again. Seeds are counted, not read. */
bool run_check(const struct recipe *recipe, int threads, struct error *err);

/* Checks that the recipe's optimiser can work on so many genes. */
bool run_check_size(const struct recipe *recipe, const struct param_table *space,
                    struct error *err);

/* Continues after the last organism or game in the store, to generation `generations`, 0: as before.
 * Refuses changed data, a program whose measurements differ, and a shorter run. The result is that of a run
 * which had this length from the beginning, as no optimiser depends on it. */
enum run_end run_resume(const char *store_path, int generations, int threads,
                        const struct run_observer *observer, struct error *err);

/* Lets a run that was stopped in generation 0 go on with a population of the organisms that it has measured,
 * and the first that its optimiser needs; not one that is measured as a whole. */
bool run_settle(const char *store_path, struct error *err);

/* Checks that run_resume would not refuse the run, and writes nothing: RUN_COMPLETE. RUN_STOPPED: the
 * flag `stop` (may be NULL) was set first. */
enum run_end run_check_resume(const char *store_path, int generations, int threads,
                              const volatile sig_atomic_t *stop, struct error *err);

/* What a replay has compared. */
struct run_verified {
    int generations;
    int64_t organisms; /* checked to follow from the generation before */
    int64_t measured;  /* genomes measured again */
    int64_t held_out;  /* genomes measured again on held-out data */
};

/* Replays the run from its seed and checks that every population follows from the one before and
 * every objective value repeats. With `sample` > 0, measures only that many organisms of each
 * generation, its best among them; where a generation is measured as a whole, by games or on a batch,
 * only that share of the generations. The reason of RUN_FAILED names generation and organism. */
enum run_end run_verify(const char *store_path, int sample, int threads,
                        const struct run_observer *observer, struct run_verified *verified,
                        struct error *err);

/* ---- a run that is to be confirmed (run_confirm.c) ---- */

/* The best organism of a stored run beside what it is compared with (run_work.h): on positions, those of the
 * run and those of a suite that the run has never seen. */
enum confirm_set { CONFIRM_TRAIN, CONFIRM_HELD_OUT, CONFIRM_SUITE, CONFIRM_SETS };

/* Objective values over `size` positions, in the measure of the run. Size 0: there is no such set. */
struct confirm_row {
    int64_t size, best, defaults;
};

/* Fills the rows. What the run keeps is not measured again, except values on a batch. `suite` (may be NULL) is an EPD
 * file. A generation must be complete. False with the reason, "" if `watcher` stopped it. */
bool run_confirm(const char *store_path, const struct run_summary *s, const char *suite,
                 int threads, run_own_values *own, const struct fitness_watcher *watcher,
                 struct confirm_row rows[CONFIRM_SETS], struct error *err);

/* Leaves in a book the openings from which a run by games has played none, and sets *games to the number of its games.
 * Reads the run's book. */
bool run_confirm_openings(const char *store_path, const struct run_summary *s, struct book *book,
                          int64_t *games, struct error *err);

#endif
