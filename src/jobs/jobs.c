#define _GNU_SOURCE /* sched_getaffinity */
#include "jobs_internal.h"

#include "clock.h"
#include "process.h"

#include <assert.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* ---- a job ---- */

void *job_grow(struct job *job, size_t size, struct error *err)
{
    const size_t before = job->result->size;
    struct result *r = realloc(job->result, sizeof *r + size);
    if (r == NULL)
        return error_null(err, "no memory for the result of a job");
    if (size > before)
        memset(r->bytes + before, 0, size - before);
    r->size = size;
    job->result = r;
    return r->bytes;
}

/* ---- a span ---- */

static void fail(struct span *span, size_t number, const struct error *reason)
{
    if (number >= span->failed_at)
        return;
    span->failed_at = number;
    span->reason = *reason;
}

size_t span_claim(struct span *span, size_t most)
{
    const struct error none = {""};
    const size_t left = span->end - span->next, count = left < most ? left : most;
    if (left > 0 && span->stop != NULL && *span->stop != 0)
        fail(span, span->next, &none);
    if (span->enough || span->failed_at != SIZE_MAX)
        return 0;
    span->next += count;
    span->at_work += count;
    return count;
}

void span_put(struct span *span, size_t number, struct result *result, const struct error *reason)
{
    span->at_work--;
    if (result != NULL)
        span->waiting[number - span->first] = result;
    else
        fail(span, number, reason);
    /* Jobs below one that failed are done, so that the first failure is the one that is told. */
    const size_t end = span->failed_at < span->end ? span->failed_at : span->end;
    while (!span->enough && span->due < end && span->waiting[span->due - span->first] != NULL) {
        struct result **due = &span->waiting[span->due - span->first];
        span->enough = span->take != NULL && !span->take(span->taker, span->due, (*due)->bytes);
        free(*due);
        *due = NULL;
        span->due++;
    }
    if (span->enough || span->due >= span->failed_at)
        atomic_store(&span->cancelled, true);
}

bool span_is_over(const struct span *span)
{
    return span->at_work == 0 &&
           (span->enough || span->failed_at != SIZE_MAX || span->next == span->end);
}

/* ---- a thread ---- */

/* Does a job of a span. The caller holds the lock, which is free meanwhile. */
static void do_job(const struct hand *h, struct span *span, size_t number)
{
    struct jobs *jobs = h->jobs;
    struct error reason = {""};
    struct job job = {.context = jobs->context,
                      .worker = h->worker,
                      .block = span->block,
                      .number = number,
                      .stop = span->stop,
                      .cancelled = &span->cancelled};
    pthread_mutex_unlock(&jobs->lock);
    const double began = clock_seconds();
    bool good = false;
    if ((job.result = calloc(1, sizeof *job.result + jobs->kind->result_size)) != NULL) {
        job.result->size = jobs->kind->result_size;
        good = jobs->kind->work(&job, job.result->bytes, &reason);
    } else
        error_set(&reason, "no memory for the result of a job");
    if (!good) {
        free(job.result);
        job.result = NULL;
    }
    const double seconds = clock_seconds() - began;
    pthread_mutex_lock(&jobs->lock);
    span->done += good;
    span->busy += seconds;
    span_put(span, number, job.result, &reason);
}

/* Starts a job of the first span that has one, else NULL. A span of which no more can start leaves. */
static struct span *next_span(struct jobs *jobs, size_t *number)
{
    for (; jobs->spans != NULL; jobs->spans = jobs->spans->after) {
        *number = jobs->spans->next;
        if (span_claim(jobs->spans, 1) == 1)
            return jobs->spans;
    }
    return NULL;
}

static void *work(void *hand)
{
    const struct hand *h = hand;
    struct jobs *jobs = h->jobs;
    size_t number;
    pthread_mutex_lock(&jobs->lock);
    while (!jobs->ending) {
        struct span *span = next_span(jobs, &number);
        if (span != NULL) {
            do_job(h, span, number);
            if (span_is_over(span))
                pthread_cond_signal(&jobs->progress);
        } else {
            pthread_cond_signal(&jobs->progress);
            pthread_cond_wait(&jobs->work, &jobs->lock);
        }
    }
    pthread_mutex_unlock(&jobs->lock);
    if (h->worker != NULL)
        jobs->kind->finish(h->worker);
    return NULL;
}

/* ---- life cycle ---- */

int jobs_threads(void)
{
    const char *text = getenv("OMP_NUM_THREADS");
    const long given = text == NULL ? 0 : strtol(text, NULL, 10);
    cpu_set_t usable;
    if (given > 0 && given <= 100000)
        return (int)given;
    return sched_getaffinity(0, sizeof usable, &usable) == 0 ? CPU_COUNT(&usable)
                                                             : (int)sysconf(_SC_NPROCESSORS_ONLN);
}

static bool begin_workers(struct jobs *jobs, struct error *err)
{
    for (int i = 0; jobs->kind->begin != NULL && i < jobs->threads; i++)
        if ((jobs->hands[i].worker = jobs->kind->begin(jobs->context, err)) == NULL)
            return jobs->threads > 1 ? error_prefix(err, "thread %d of %d: ", i + 1, jobs->threads)
                                     : false;
    return true;
}

/* Starts the threads. Signals go to the thread that started the program. */
static bool start_threads(struct jobs *jobs, struct error *err)
{
    sigset_t all, old;
    int failed = 0;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &old);
    for (; failed == 0 && jobs->started < jobs->threads; jobs->started += failed == 0) {
        struct hand *h = &jobs->hands[jobs->started];
        h->jobs = jobs;
        failed = thread_start(&h->thread, work, h);
    }
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    return failed == 0 || error_set(err, "cannot start a thread: %s", strerror(failed));
}

static struct jobs *create_here(const struct job_kind *kind, const void *context, int threads,
                                struct error *err)
{
    pthread_condattr_t monotonic;
    assert(threads >= 1);
    struct jobs *jobs = calloc(1, sizeof *jobs);
    struct hand *hands = calloc((size_t)threads, sizeof *hands);
    if (jobs == NULL || hands == NULL) {
        free(jobs);
        free(hands);
        return error_null(err, "no memory for %d threads", threads);
    }
    jobs->kind = kind;
    jobs->context = context;
    jobs->threads = threads;
    jobs->hands = hands;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_mutex_init(&jobs->lock, NULL);
    pthread_cond_init(&jobs->work, NULL);
    pthread_cond_init(&jobs->progress, &monotonic);
    pthread_condattr_destroy(&monotonic);
    if (begin_workers(jobs, err) && start_threads(jobs, err))
        return jobs;
    jobs_destroy(jobs);
    return NULL;
}

struct jobs *jobs_create(const struct job_kind *kind, const void *context, int threads,
                         struct error *err)
{
    const bool offered = kind->describe != NULL && ranks_many();
    if (offered)
        ranks_offer(kind, context, threads);
    struct jobs *jobs = create_here(kind, context, threads, err);
    if (jobs != NULL && kind->name != NULL)
        ranks_enter_list(jobs);
    if (!offered || ranks_shared(jobs != NULL, err))
        return jobs;
    jobs_destroy(jobs);
    return NULL;
}

void jobs_destroy(struct jobs *jobs)
{
    if (jobs == NULL)
        return;
    ranks_remove_list(jobs);
    pthread_mutex_lock(&jobs->lock);
    jobs->ending = true;
    pthread_cond_broadcast(&jobs->work);
    pthread_mutex_unlock(&jobs->lock);
    for (int i = 0; i < jobs->started; i++)
        pthread_join(jobs->hands[i].thread, NULL);
    for (int i = jobs->started; i < jobs->threads; i++)
        if (jobs->hands[i].worker != NULL)
            jobs->kind->finish(jobs->hands[i].worker);
    pthread_cond_destroy(&jobs->progress);
    pthread_cond_destroy(&jobs->work);
    pthread_mutex_destroy(&jobs->lock);
    free(jobs->hands);
    free(jobs);
}

/* ---- batches ---- */

bool jobs_add_span(struct jobs *jobs, struct span *span, struct error *err)
{
    struct span **at = &jobs->spans;
    span->next = span->due = span->first;
    span->failed_at = SIZE_MAX;
    span->waiting = calloc(span->end - span->first + 1, sizeof *span->waiting);
    if (span->waiting == NULL)
        return error_set(err, "no memory for %zu jobs", span->end - span->first);
    pthread_mutex_lock(&jobs->lock);
    while (*at != NULL)
        at = &(*at)->after;
    *at = span;
    pthread_cond_broadcast(&jobs->work);
    pthread_mutex_unlock(&jobs->lock);
    return true;
}

void jobs_remove_span(struct jobs *jobs, struct span *span)
{
    struct span **at = &jobs->spans;
    pthread_mutex_lock(&jobs->lock);
    while (*at != NULL && *at != span)
        at = &(*at)->after;
    if (*at != NULL)
        *at = span->after;
    pthread_mutex_unlock(&jobs->lock);
    for (size_t i = span->due; i < span->next; i++)
        free(span->waiting[i - span->first]);
    free(span->waiting);
}

void jobs_wait(struct jobs *jobs, double seconds)
{
    struct timespec end;
    clock_gettime(CLOCK_MONOTONIC, &end);
    const long nanoseconds = end.tv_nsec + (long)(1e9 * seconds);
    end.tv_sec += nanoseconds / 1000000000;
    end.tv_nsec = nanoseconds % 1000000000;
    pthread_cond_timedwait(&jobs->progress, &jobs->lock, &end);
}

enum jobs_end jobs_run(struct jobs *jobs, const struct jobs_batch *batch, struct error *err)
{
    void *block = malloc(batch->block_size + 1);
    struct span span = {.block = block,
                        .stop = batch->stop,
                        .taker = batch->taker,
                        .take = batch->take,
                        .end = batch->count};
    const bool good = block != NULL || error_set(err, "no memory for %zu jobs", batch->count);
    if (good && batch->block_size > 0)
        memcpy(block, batch->block, batch->block_size);
    if (!good || !jobs_add_span(jobs, &span, err)) {
        free(block);
        return JOBS_FAILED;
    }
    if (jobs->scope != NULL && ranks_many())
        ranks_run(jobs, batch, &span);
    else {
        pthread_mutex_lock(&jobs->lock);
        while (!span_is_over(&span))
            pthread_cond_wait(&jobs->progress, &jobs->lock);
        pthread_mutex_unlock(&jobs->lock);
    }
    jobs_remove_span(jobs, &span);
    free(block);
    if (span.enough || span.due == span.end)
        return JOBS_DONE;
    if (span.reason.text[0] == '\0')
        return JOBS_STOPPED;
    error_set(err, "%s", span.reason.text);
    return JOBS_FAILED;
}

enum jobs_end jobs_run_once(const struct job_kind *kind, const void *context, int threads,
                            const struct jobs_batch *batch, struct error *err)
{
    struct jobs *jobs = jobs_create(kind, context, threads, err);
    const enum jobs_end end = jobs != NULL ? jobs_run(jobs, batch, err) : JOBS_FAILED;
    jobs_destroy(jobs);
    return end;
}
