/* A batch of a shared list, on rank 0.
 *
 *   1. The threads of this process take one job after another (jobs.c). Other ranks get groups of
 *      jobs, in the order of numbers: while a rank works on one, the next one waits there.
 *   2. A rank has at most a share of what is left, so that groups shrink towards the end of the batch
 *      and all threads end together (guided self-scheduling), and at most some seconds of work.
 *   3. Results are taken in the order of jobs.
 *   4. A stop is passed on. Rank 0 does not wait long for what the others are doing then: mpirun, if
 *      the signal came from it, kills it a second later. */
#include "jobs_internal.h"

#include "clock.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    GROUP_BYTES = 1 << 18, /* of the results in a group */
    HANGS = 50, /* a job hangs if it takes so many times as long as the longest one before */
};

/* The share of a rank's part of what is left that it has at most; seconds for results after a stop. */
static const double PART = 0.75, PATIENCE = 0.3;

/* A running batch. The fields of `span` are read and written with the lock of the list. */
struct batch {
    struct ranks *r;
    struct jobs *jobs;
    const struct jobs_batch *batch;
    struct span *span;
    struct check *checks; /* jobs of other ranks that are done again here */
    size_t away;          /* jobs that other ranks have */
    bool told;            /* the others know that the batch ends */
    double ended;         /* when they were told */
    double now;           /* the time of this look */
    double heard;         /* of the last message */
};

/* ---- comparing results ---- */

/* A job of another rank that this one does again. */
struct check {
    struct check *next;
    struct ranks *r;
    struct span span;
    int from;
    struct result *result; /* the other rank's */
};

static bool compare(void *taker, size_t number, const struct result *mine)
{
    const struct check *c = taker;
    const bool same =
        mine->size == c->result->size && memcmp(mine->bytes, c->result->bytes, mine->size) == 0;
    if (!same && !c->r->broken)
        error_set(&c->r->reason,
                  "rank %d on host %s and rank 0 on host %s have different results of job %zu; "
                  "one of them computes wrongly",
                  c->from, c->r->peers[c->from].host, c->r->peers[0].host, number + 1);
    c->r->broken = c->r->broken || !same;
    return true;
}

/* Draws a sample of the results that ranks send. */
static void draw_check(struct batch *b, int from, size_t number, const struct result *result)
{
    const size_t size = sizeof *result + result->size;
    b->r->check_due += b->jobs->scope->repeats ? b->r->check_share : 0;
    if (b->r->check_due < 1)
        return;
    b->r->check_due -= 1;
    struct check *c = ranks_alloc(sizeof *c);
    *c = (struct check){.next = b->checks, .r = b->r, .from = from};
    c->span = (struct span){.block = b->span->block,
                            .stop = b->span->stop,
                            .taker = c,
                            .take = compare,
                            .first = number,
                            .end = number + 1};
    c->result = memcpy(ranks_alloc(size), result, size);
    if (!jobs_add_span(b->jobs, &c->span, true, NULL))
        ranks_abort(EXIT_FAILURE);
    b->checks = c;
}

/* ---- results ---- */

/* Takes the results of a group, and learns how long jobs take. A failed job is followed by others that were
 * not done. */
static void take_group(struct batch *b, const struct arrival *a)
{
    const struct message *m = &a->head;
    const unsigned char *at = a->bytes;
    struct peer *p = &b->r->peers[a->from];
    const double rate = m->done > 0 ? m->seconds / (double)m->done + 1e-12 : b->jobs->rate;
    b->jobs->longest = fmax(b->jobs->longest, p->silent);
    b->jobs->rate = b->jobs->rate > 0 ? 0.75 * b->jobs->rate + 0.25 * rate : rate;
    p->owed -= (size_t)m->count;
    p->oldest = (size_t)(m->first + m->count);
    p->silent = 0;
    p->jobs += (int64_t)m->done;
    p->busy += m->seconds;
    b->away -= (size_t)m->count;
    b->r->times.groups++;
    for (size_t i = 0; i < m->count; i++) {
        const size_t number = (size_t)m->first + i;
        struct result head, *result = NULL;
        struct error reason = {""};
        if (i < m->done) {
            memcpy(&head, at, sizeof head);
            result = memcpy(ranks_alloc(sizeof head + head.size), at, sizeof head + head.size);
            at += sizeof head + head.size;
            draw_check(b, a->from, number, result);
        } else if (i == m->done && *at != '\0')
            error_set(&reason, "%s (rank %d on host %s)", (const char *)at, a->from, p->host);
        pthread_mutex_lock(&b->jobs->lock);
        span_put(b->span, number, result, &reason);
        pthread_mutex_unlock(&b->jobs->lock);
    }
}

/* ---- handing out ---- */

/* The number of jobs of the next group for a rank; 0: it has enough. The more threads there are, the more
 * seconds of work each has at most, so that rank 0 can serve them all. */
static size_t wanted(const struct batch *b, const struct peer *p)
{
    const struct span *span = b->span;
    const double left = (double)(span->end - span->next + span->at_work), rate = b->jobs->rate;
    const double ahead = fmax(0.04, 0.0002 * b->r->threads);
    double jobs = PART * left * p->threads / b->r->threads;
    jobs = rate > 0 ? fmin(jobs, ahead * p->threads / rate) : 0;
    jobs = fmax(jobs, p->threads);
    if ((double)p->owed >= jobs)
        return 0;
    return (size_t)fmax(1, fmin(jobs / 2, GROUP_BYTES / (b->jobs->kind->result_size + 1.0)));
}

/* Gives a group to a rank, and before the first one the block. False if the rank wants none, or none
 * is left. */
static bool give(struct batch *b, int to)
{
    struct peer *p = &b->r->peers[to];
    struct message head = {.kind = MESSAGE_BATCH,
                           .scope = b->jobs->scope->number,
                           .list = b->jobs->number,
                           .batch = b->r->batch};
    pthread_mutex_lock(&b->jobs->lock);
    head.first = b->span->next;
    head.count = span_claim(b->span, wanted(b, p));
    pthread_mutex_unlock(&b->jobs->lock);
    if (head.count == 0)
        return false;
    if (!p->told)
        ranks_send(b->r, to, &head, b->span->block, b->batch->block_size, NULL, 0);
    p->told = true;
    head.kind = MESSAGE_GROUP;
    ranks_send(b->r, to, &head, NULL, 0, NULL, 0);
    if (p->owed == 0) {
        p->oldest = (size_t)head.first;
        p->silent = 0;
    }
    p->owed += (size_t)head.count;
    b->away += (size_t)head.count;
    return true;
}

/* ---- the end ---- */

/* Breaks if a job of a rank hangs. Time in which this process was stopped does not count. */
static void look_for_hanging(struct batch *b, double seconds)
{
    const double limit =
        fmax(fmax(HANGS * b->jobs->longest, b->batch->job_seconds), b->r->job_limit);
    for (int rank = 1; rank < b->r->count; rank++) {
        struct peer *p = &b->r->peers[rank];
        p->silent += p->owed > 0 ? fmin(seconds, 0.1) : 0;
        if (p->silent <= limit || b->r->broken)
            continue;
        error_set(&b->r->reason, "rank %d on host %s hangs: its job %zu has taken %.0f s", rank,
                  p->host, p->oldest + 1, p->silent);
        b->r->broken = true;
    }
}

/* True if the batch is over, or what other ranks have is not waited for: after a stop, or where a rank cannot
 * be trusted. */
static bool is_over(const struct batch *b, int stop)
{
    const bool leaves = b->r->broken || (b->told && stop != 0 && b->now - b->ended > PATIENCE);
    bool over = span_is_over(b->span) || (leaves && b->span->at_work == b->away);
    for (const struct check *c = b->checks; over && c != NULL; c = c->next)
        over = span_is_over(&c->span);
    return over;
}

/* Adds the time of threads that have no job because none is left. */
static void note_idle(struct batch *b, double seconds)
{
    if (b->span->next < b->span->end)
        return;
    for (int rank = 0; rank < b->r->count; rank++) {
        const struct peer *p = &b->r->peers[rank];
        const double jobs = (double)(rank > 0 ? p->owed : b->span->at_work - b->away);
        b->r->times.ending += fmax(0, p->threads - jobs) * seconds;
    }
}

/* ---- the loop ---- */

/* Hands out jobs and takes results until the batch is over. */
static void serve(struct batch *b)
{
    pthread_mutex_t *lock = &b->jobs->lock;
    for (bool over = false; !over;) {
        struct arrival a;
        while (ranks_receive(b->r, &a)) {
            b->heard = b->now;
            if (a.head.kind == MESSAGE_RESULT && a.head.batch == b->r->batch)
                take_group(b, &a);
            free(a.memory);
        }
        pthread_mutex_lock(lock);
        if (b->r->broken) { /* give up what is not done */
            span_cancel(b->span);
            for (struct check *c = b->checks; c != NULL; c = c->next)
                span_cancel(&c->span);
        }
        pthread_mutex_unlock(lock);
        for (bool any = true;
             any;) { /* to each as much as it should have; while jobs are few a bit to all */
            any = false;
            for (int rank = 1; rank < b->r->count; rank++)
                any = give(b, rank) || any;
        }
        const int stop = b->batch->stop != NULL ? *b->batch->stop : 0;
        if (!b->told && (atomic_load(&b->span->cancelled) || stop != 0)) {
            const struct message head = {
                .kind = MESSAGE_STOP, .batch = b->r->batch, .count = (uint64_t)stop};
            ranks_send_all(b->r, &head, NULL, 0, NULL, 0);
            b->told = true;
            b->ended = b->now;
        }
        pthread_mutex_lock(lock);
        over = is_over(b, stop);
        if (!over)
            jobs_wait(b->jobs, ranks_nap(b->now - b->heard));
        const double before = b->now;
        b->now = clock_seconds();
        note_idle(b, b->now - before);
        pthread_mutex_unlock(lock);
        look_for_hanging(b, b->now - before);
    }
    while (b->checks != NULL) {
        struct check *c = b->checks;
        b->checks = c->next;
        jobs_remove_span(b->jobs, &c->span);
        free(c->result);
        free(c);
    }
}

bool ranks_run(struct jobs *jobs, const struct jobs_batch *batch, struct span *span,
               struct error *err)
{
    struct ranks *r = ranks_here();
    const double began = clock_seconds(), served = clock_of_thread();
    struct batch b = {
        .r = r, .jobs = jobs, .batch = batch, .span = span, .now = began, .heard = began};
    r->batch++;
    r->began = r->began > 0 ? r->began : began;
    for (int rank = 0; rank < r->count; rank++) {
        r->peers[rank].told = false;
        r->peers[rank].owed = 0;
    }
    serve(&b);
    const double seconds = clock_seconds() - began;
    r->peers[0].jobs += span->done;
    r->peers[0].busy += span->busy;
    r->times.batches++;
    r->times.in_batches += seconds;
    r->in_few += batch->count < (size_t)r->threads ? seconds : 0;
    r->times.serving += clock_of_thread() - served;
    return !r->broken || error_set(err, "%s", r->reason.text);
}
