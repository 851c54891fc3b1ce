/* The best organism of a stored run beside what it is compared with (run_defaults.h): on positions, those of the run and
 * those of a suite that the run has never seen; and the openings for games between the two. */
#ifndef GRAYLING_RUN_CONFIRM_H
#define GRAYLING_RUN_CONFIRM_H

#include "fitness.h"
#include "opening.h"
#include "run.h"
#include "run_summary.h"

enum confirm_set { CONFIRM_TRAIN, CONFIRM_HELD_OUT, CONFIRM_SUITE, CONFIRM_SETS };

/* Objective values over `size` positions, in the measure of the run. Size 0: there is no such set. */
struct confirm_row {
    int64_t size, best, defaults;
};

/* Fills the rows. What the run keeps is not measured again, except values on a batch: the training
 * positions are all that the run has. `suite` (may be NULL) is the path of an EPD file that the
 * run's recipe could have as training data. A generation must be complete. False with the reason,
 * as for a run whose organisms play each other; it is empty if `watcher` stopped the
 * measurement. */
bool run_confirm(const char *store_path, const struct run_summary *s, const char *suite,
                 int threads, run_own_values *own, const struct fitness_watcher *watcher,
                 struct confirm_row rows[CONFIRM_SETS], struct error *err);

/* Sets fresh[i] for each opening of a book from which a run by games has played none, *count to their
 * number, and *games to that of its games. Reads the run's book. */
bool run_confirm_openings(const char *store_path, const struct run_summary *s,
                          const struct book *book, bool *fresh, size_t *count, int64_t *games,
                          struct error *err);

#endif
