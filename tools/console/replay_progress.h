/* The progress of a replay: a run that is verified, or repeated from its evidence. */
#ifndef GRAYLING_REPLAY_PROGRESS_H
#define GRAYLING_REPLAY_PROGRESS_H

#include "progress.h"
#include "run.h"

struct replay_progress {
    struct progress progress;
    const char *done; /* what a generation is when it is done: "as stored" */
};

/* An observer that shows each generation and stops when the user interrupts. Shows that data is
 * being read until the run begins. Borrows `p`; the caller ends p->progress. */
struct run_observer replay_progress_observer(struct replay_progress *p);

#endif
