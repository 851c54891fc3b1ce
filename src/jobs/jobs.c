#include "jobs_internal.h"

#include "ranks.h"
#include "thread.h"

#include <assert.h>
#include <errno.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

/* A running batch, shared by the threads. The lock guards the fields below it, except `cancelled`,
 * which is atomic. */
struct run {
    const struct jobs *jobs;
    const struct jobs_batch *batch;
    void *block; /* the copy */
    omp_lock_t lock;
    size_t next;    /* the next job to start */
    size_t due;     /* the next result to take */
    void **waiting; /* results that were not taken yet, by job number */
    bool enough, given_up, failed;
    size_t failed_at; /* the lowest job that returned a reason */
    struct error reason;
    atomic_bool cancelled; /* `enough` or `given_up` */
};

bool job_is_stopped(const struct job *job)
{
    return job->stop != NULL && *job->stop != 0;
}

int jobs_threads(void)
{
    return omp_get_max_threads();
}

/* ---- life cycle ---- */

/* Creates a worker for each thread. */
static bool begin_workers(struct jobs *jobs, struct error *err)
{
    if (jobs->kind->begin == NULL)
        return true;
    jobs->workers = calloc((size_t)jobs->threads, sizeof *jobs->workers);
    if (jobs->workers == NULL)
        return error_set(err, "no memory for %d threads", jobs->threads);
    for (int i = 0; i < jobs->threads; i++)
        if ((jobs->workers[i] = jobs->kind->begin(jobs->context, err)) == NULL)
            return jobs->threads > 1 ? error_prefix(err, "thread %d of %d: ", i + 1, jobs->threads)
                                     : false;
    return true;
}

/* Creates a list of this process alone. */
static struct jobs *create_here(const struct job_kind *kind, const void *context, int threads,
                                struct error *err)
{
    assert(threads >= 1);
    struct jobs *jobs = malloc(sizeof *jobs);
    if (jobs == NULL) {
        error_set(err, "no memory for a list of jobs");
        return NULL;
    }
    *jobs = (struct jobs){.kind = kind, .context = context, .threads = threads};
    if (begin_workers(jobs, err))
        return jobs;
    jobs_destroy(jobs);
    return NULL;
}

struct jobs *jobs_create(const struct job_kind *kind, const void *context, int threads,
                         struct error *err)
{
    struct jobs *jobs = create_here(kind, context, threads, err);
    if (jobs == NULL || ranks_enter_list(jobs, err))
        return jobs;
    jobs_destroy(jobs);
    return NULL;
}

/* Ends all workers at the same time: those with engines wait until these have quit. */
static void finish_workers(const struct jobs *jobs)
{
#pragma omp parallel for num_threads(jobs->threads)
    for (int i = 0; i < jobs->threads; i++)
        if (jobs->workers[i] != NULL)
            jobs->kind->finish(jobs->workers[i]);
}

void jobs_destroy(struct jobs *jobs)
{
    if (jobs == NULL)
        return;
    ranks_remove_list(jobs);
    if (jobs->workers != NULL)
        finish_workers(jobs);
    free(jobs->workers);
    free(jobs);
}

/* ---- a job ---- */

/* Assigns the next job to a thread. Returns false if no more jobs may start. */
static bool next_job(struct run *r, struct job *job)
{
    omp_set_lock(&r->lock);
    r->given_up = r->given_up || job_is_stopped(job);
    bool started = !r->given_up && !r->enough && r->next < r->batch->count;
    if (started)
        job->number = r->next++;
    omp_unset_lock(&r->lock);
    return started;
}

/* Stores a result, then takes all results that are due. The caller holds the lock. */
static void store_result(struct run *r, size_t number, void *result)
{
    const struct jobs_batch *b = r->batch;
    r->waiting[number] = result;
    while (!r->enough && r->due < b->count && r->waiting[r->due] != NULL) {
        void *due = r->waiting[r->due];
        r->enough = b->take != NULL && !b->take(b->taker, r->due, due);
        free(due);
        r->waiting[r->due++] = NULL;
    }
}

/* Gives up the batch. Keeps the reason of the lowest job. The caller holds the lock. */
static void give_up(struct run *r, size_t number, const struct error *reason)
{
    r->given_up = true;
    if (reason->text[0] == '\0' || (r->failed && r->failed_at < number))
        return;
    r->failed = true;
    r->failed_at = number;
    r->reason = *reason;
}

/* Does a job and stores its result or its failure. */
static void do_job(struct run *r, struct job *job)
{
    const struct job_kind *kind = r->jobs->kind;
    struct error reason;
    reason.text[0] = '\0';
    void *result = calloc(1, kind->result_size + 1);
    bool good = result != NULL ? kind->work(job, result, &reason)
                               : error_set(&reason, "no memory for the result of a job");
    omp_set_lock(&r->lock);
    if (good)
        store_result(r, job->number, result);
    else {
        free(result);
        give_up(r, job->number, &reason);
    }
    if (r->enough || r->given_up)
        atomic_store(&r->cancelled, true);
    omp_unset_lock(&r->lock);
}

/* ---- batches ---- */

/* A thread's part of a batch. */
struct part {
    struct run *run;
    int thread;
};

/* Does jobs until no more may start. */
static void *do_jobs(void *part)
{
    const struct part *p = part;
    struct run *r = p->run;
    const struct jobs *jobs = r->jobs;
    struct job job = {.context = jobs->context,
                      .worker = jobs->workers != NULL ? jobs->workers[p->thread] : NULL,
                      .block = r->block,
                      .stop = r->batch->stop,
                      .cancelled = &r->cancelled};
    while (next_job(r, &job))
        do_job(r, &job);
    return NULL;
}

/* Does jobs for this thread of OpenMP. OMP_STACKSIZE may have made its stack too small for them. */
static void do_part(struct run *r)
{
    struct part part = {r, omp_get_thread_num()};
    struct error reason;
    if (thread_call(do_jobs, &part))
        return;
    error_set(&reason, "cannot start a thread: %s", strerror(errno));
    omp_set_lock(&r->lock);
    give_up(r, r->batch->count, &reason);
    omp_unset_lock(&r->lock);
}

static bool run_init(struct run *r, const struct jobs *jobs, const struct jobs_batch *batch,
                     struct error *err)
{
    *r = (struct run){.jobs = jobs,
                      .batch = batch,
                      .block = malloc(batch->block_size + 1),
                      .waiting = calloc(batch->count + 1, sizeof *r->waiting)};
    omp_init_lock(&r->lock);
    if (r->block == NULL || r->waiting == NULL)
        return error_set(err, "no memory for %zu jobs", batch->count);
    if (batch->block_size > 0)
        memcpy(r->block, batch->block, batch->block_size);
    return true;
}

static void run_finish(struct run *r)
{
    for (size_t i = r->due; r->waiting != NULL && i < r->next; i++)
        free(r->waiting[i]);
    free(r->waiting);
    free(r->block);
    omp_destroy_lock(&r->lock);
}

/* Returns how the batch ended. */
static enum jobs_end end_of(const struct run *r, struct error *err)
{
    if (r->enough || r->due == r->batch->count)
        return JOBS_DONE;
    if (!r->failed)
        return JOBS_STOPPED;
    error_set(err, "%s", r->reason.text);
    return JOBS_FAILED;
}

/* Runs a batch in the threads of this process. */
static enum jobs_end run_here(struct jobs *jobs, const struct jobs_batch *batch, struct error *err)
{
    struct run r;
    enum jobs_end end = JOBS_FAILED;
    if (run_init(&r, jobs, batch, err)) {
#pragma omp parallel num_threads(jobs->threads)
        do_part(&r);
        end = end_of(&r, err);
    }
    run_finish(&r);
    return end;
}

enum jobs_end jobs_run(struct jobs *jobs, const struct jobs_batch *batch, struct error *err)
{
    return jobs->shared != NULL && ranks_many() ? ranks_run(jobs, batch, err)
                                                : run_here(jobs, batch, err);
}

enum jobs_end jobs_run_here(const struct job_kind *kind, const void *context, int threads,
                            const struct jobs_batch *batch, struct error *err)
{
    struct jobs *jobs = create_here(kind, context, threads, err);
    enum jobs_end end = jobs != NULL ? run_here(jobs, batch, err) : JOBS_FAILED;
    jobs_destroy(jobs);
    return end;
}
