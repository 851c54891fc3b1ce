/* The list of numbered jobs: the one place where work runs in parallel.
 *
 *     submitter                                workers, one a thread
 *     jobs_create(kind, context)   ------->    begin(context)                  once
 *     jobs_run(block, count)       ------->    work(number) writes a result    in any order
 *     take(0), take(1), take(2)    <-------                                    in job order
 *     jobs_destroy                 ------->    finish(worker)                  once
 *
 * A job is a number. Its input is the context from which the list was created, the block of bytes
 * of its batch, and its number; its output is a result, a block of bytes of fixed size. Submitter
 * and workers need not share memory beyond these:
 * - Every process of a run makes an equal context for itself, which may hold pointers. Jobs see the
 *   same context from jobs_create to jobs_destroy.
 * - The block and the results hold no pointers. The list copies the block.
 * - Work reads nothing else, and changes nothing but its worker (engines, buffers) and its result.
 *   No result depends on what its worker did before.
 * - Only the submitter's process takes results: `take` may use all that the submitter has.
 *
 * So what is taken depends on neither the number of threads nor their speed. Jobs begin in the
 * order of their numbers. An interrupted batch yields a prefix of the full result. Work that
 * follows from results is the next batch. */
#ifndef GRAYLING_JOBS_H
#define GRAYLING_JOBS_H

#include "error.h"

#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>

/* One job, as its worker sees it. */
struct job {
    const void *context;               /* from which the list was created */
    void *worker;                      /* this thread's own; NULL where the kind has none */
    const void *block;                 /* the batch's */
    size_t number;                     /* in the batch, from 0 */
    const volatile sig_atomic_t *stop; /* not 0: give up soon; may be NULL */
    const atomic_bool *cancelled;      /* true: nobody takes the result, it is free to give up */
};

/* Whether `stop` is set. */
bool job_is_stopped(const struct job *job);

/* A kind of job; usually a constant. Threads call `work` side by side. */
struct job_kind {
    size_t result_size; /* bytes */
    /* Makes what only one thread needs. NULL, with the reason, where there is no memory. A kind
     * without workers leaves both functions out. */
    void *(*begin)(const void *context, struct error *err);
    void (*finish)(void *worker);
    /* Does a job and writes its result, which is zeroed. False gives the batch up: with a reason,
     * it has failed; without, it was stopped. Then no job is begun, and none is taken from this one
     * on. */
    bool (*work)(struct job *job, void *result, struct error *err);
};

struct jobs; /* a list */

/* A batch: the jobs 0 to count - 1. Everything is borrowed until jobs_run returns. */
struct jobs_batch {
    size_t count;
    const void *block;                 /* what all jobs read; NULL where block_size is 0 */
    size_t block_size;                 /* bytes */
    const volatile sig_atomic_t *stop; /* not 0: no job is begun, those in work are told; or NULL */
    void *taker;
    /* Takes the next result, one call at a time, by any thread of the submitter's process. False:
     * that is enough; no other is taken. NULL where results are empty. */
    bool (*take)(void *taker, size_t number, void *result);
};

enum jobs_end {
    JOBS_DONE,    /* all results are taken, or enough of them */
    JOBS_STOPPED, /* a prefix is taken: `stop` is set, or a job gave up without a reason */
    JOBS_FAILED,  /* a prefix is taken; the reason is that of the lowest number that failed */
};

/* ---- life cycle ---- */

/* As many threads as the machine has processors for, or as OMP_NUM_THREADS says. */
int jobs_threads(void);

/* A list with `threads` >= 1 workers, all of them begun. Context and kind are borrowed until
 * jobs_destroy. NULL with the reason. */
struct jobs *jobs_create(const struct job_kind *kind, const void *context, int threads,
                         struct error *err);
void jobs_destroy(struct jobs *jobs); /* accepts NULL */

/* ---- batches ---- */

/* Runs a batch; one at a time. `err` may be NULL. */
enum jobs_end jobs_run(struct jobs *jobs, const struct jobs_batch *batch, struct error *err);

/* Runs one batch on a list of its own, always in this process alone. So jobs may also write to
 * memory of the submitter through the context, each to a place of its own: for what makes a
 * context. */
enum jobs_end jobs_run_here(const struct job_kind *kind, const void *context, int threads,
                            const struct jobs_batch *batch, struct error *err);

#endif
