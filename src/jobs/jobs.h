/* The job list: all parallel work goes through it.
 *
 *     submitter                                workers, one per thread
 *     jobs_create(kind, context)   ------->    begin(context)                  once
 *     jobs_run(block, count)       ------->    work(number) writes a result    in any order
 *     take(0), take(1), take(2)    <-------                                    in job order
 *     jobs_destroy                 ------->    finish(worker)                  once
 *
 * A job is a number. `work` reads that, the context of the list and the block of its batch, writes to
 * its worker (engines, buffers) and its result, and does not depend on earlier jobs of its worker.
 * - Each process of a run (ranks.h) builds its own, equal context, which may hold pointers. It does
 *   not change between jobs_create and jobs_destroy.
 * - The block, which the list copies, and the results are bytes without pointers.
 * - `take` runs only in the submitter's process, and may use all of the submitter's memory.
 *
 * The results taken therefore depend neither on the number of threads nor on their speed. Jobs
 * start in numerical order. An interrupted batch yields a prefix of the full result. */
#ifndef GRAYLING_JOBS_H
#define GRAYLING_JOBS_H

#include "error.h"

#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

struct plan; /* ranks.h */

/* One job, as its worker sees it. */
struct job {
    const void *context;               /* of the list */
    void *worker;                      /* of this thread; NULL if the kind has no workers */
    const void *block;                 /* of the batch */
    size_t number;                     /* in the batch, from 0 */
    const volatile sig_atomic_t *stop; /* nonzero: return soon; may be NULL */
    const atomic_bool *cancelled;      /* true: the result will not be taken; may return early */
    struct result *result;             /* for job_grow */
};

/* True if `stop` is set. */
static inline bool job_is_stopped(const struct job *job)
{
    return job->stop != NULL && *job->stop != 0;
}

/* Gives the result of a job another size, zeroed where it grows, and returns its place. NULL with the reason. */
void *job_grow(struct job *job, size_t size, struct error *err);

/* A kind of job, usually a constant. Threads call `work` concurrently. */
struct job_kind {
    size_t result_size; /* bytes */
    /* Create (NULL with the reason) and free the worker of a thread, several at once. Both NULL: no workers. */
    void *(*begin)(const void *context, struct error *err);
    void (*finish)(void *worker);
    /* Does a job and writes its result, which is zeroed before. False ends the batch, as failed if there is a reason,
     * else as stopped: no further job starts, and neither this result nor any later one is taken. */
    bool (*work)(struct job *job, void *result, struct error *err);
    const char *name; /* of the kind on other ranks (ranks.h); NULL: it is of this process alone */
    /* How other ranks get an equal context; NULL: a list is part of what ranks_share describes. */
    size_t context_size;
    void (*describe)(struct plan *p, void *context);
};

struct jobs; /* a job list */

/* A batch: jobs 0 to count - 1. Everything is borrowed until jobs_run returns. */
struct jobs_batch {
    size_t count;
    const void *block;                 /* input of all jobs; NULL if block_size is 0 */
    size_t block_size;                 /* bytes */
    const volatile sig_atomic_t *stop; /* nonzero: no job starts, running jobs see it; or NULL */
    void *taker;                       /* the first argument of `take` */
    /* Takes the next result. Any thread of the submitter's process may make the call; calls never
     * overlap. Returning false means that no more results are needed. NULL if results are empty. */
    bool (*take)(void *taker, size_t number, void *result);
};

enum jobs_end {
    JOBS_DONE,    /* all results were taken, or as many as were needed */
    JOBS_STOPPED, /* a prefix was taken: `stop` is set, or a job returned false without a reason */
    JOBS_FAILED,  /* a prefix was taken: all results before the first job that failed */
};

/* ---- life cycle ---- */

/* The default number of threads: OMP_NUM_THREADS, or the processors that this process may use. */
int jobs_threads(void);

/* Creates a job list with `threads` >= 1 threads, and their workers; where the kind has a name also on all
 * other ranks. Kind and context are borrowed until jobs_destroy. NULL with the reason on failure. */
struct jobs *jobs_create(const struct job_kind *kind, const void *context, int threads,
                         struct error *err);
void jobs_destroy(struct jobs *jobs); /* accepts NULL */

/* ---- batches ---- */

/* Runs a batch. A list runs one batch at a time. `err` may be NULL. */
enum jobs_end jobs_run(struct jobs *jobs, const struct jobs_batch *batch, struct error *err);

/* Runs one batch on a list of its own. Jobs of a kind without a name may also write to the submitter's memory
 * through the context, each to its own part. */
enum jobs_end jobs_run_once(const struct job_kind *kind, const void *context, int threads,
                            const struct jobs_batch *batch, struct error *err);

#endif
