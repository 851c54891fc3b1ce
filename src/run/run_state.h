/* The state of a run or a night, as its file tells it to other processes.
 *
 * Five properties of the store hold it. `state` is "running" until the work ends in order, and then how it ended;
 * `reason` is why, if it failed; `process` identifies who runs it (process.h); `began` is the Unix time at which the
 * work began, and `deadline` the one at which it stops by itself, or 0. A file that says "running" while no process
 * runs it belongs to a process that died. Of a night, `current` names the run that goes on.
 *
 * `progress` is the position inside the current generation: "GENERATION train|held-out UNIT DONE TOTAL". It is
 * written at most once a second, and is absent from a run that ended in order. With it goes `hosts` (hosts_kept.h),
 * if other ranks work on the run. None of these is part of what a run computes. */
#ifndef GRAYLING_RUN_STATE_H
#define GRAYLING_RUN_STATE_H

#include "run.h"
#include "store.h"

enum run_state {
    RUN_STATE_NEW,      /* a store that never said: not run yet, or of an older program */
    RUN_STATE_RUNNING,  /* a process runs it now */
    RUN_STATE_STOPPED,  /* by the user, or by a signal */
    RUN_STATE_ENDED,    /* by its time */
    RUN_STATE_COMPLETE, /* all generations, or all stages */
    RUN_STATE_FAILED,   /* by an error */
    RUN_STATE_DIED,     /* its process vanished */
};

/* "running", "stopped", ...; the state `new` reads "stopped". */
const char *run_state_name(enum run_state state);

/* Notes in the open store that this process runs it. `deadline` is a Unix time, or 0. */
bool run_state_begin(struct store *s, int64_t deadline, struct error *err);

/* Takes a little of the disk of the run at `path`, in a file without a name, until its end is noted: that
 * can be noted on a full disk too. Returns a descriptor, or -1: not every file system has such files. */
int run_state_reserve(const char *path);
void run_state_release(int reserve); /* accepts -1 */

/* Notes how it ended. `by_time` makes a stop the end of its time; `reason` is why it failed, or NULL. */
bool run_state_end(struct store *s, enum run_end end, bool by_time, const char *reason,
                   struct error *err);

/* The state, from the store and from what is known about its process. */
enum run_state run_state_read(struct store *s);

enum { RUN_REASON = 1024 };

/* Reads why it failed, as a line without control characters; "" if no reason is noted. Returns `reason`. */
const char *run_state_reason(struct store *s, char reason[RUN_REASON]);

/* The state as the store notes it: "running" may be about a process that died. */
enum run_state run_state_noted(struct store *s);

enum { RUN_UNIT = 16 };

/* Puts the progress, within a transaction. */
bool run_progress_put(struct store *s, const struct run_progress *p, struct error *err);

/* Reads the progress; its unit is written to `unit`. False if there is none. */
bool run_progress_get(struct store *s, struct run_progress *p, char unit[RUN_UNIT]);

#endif
