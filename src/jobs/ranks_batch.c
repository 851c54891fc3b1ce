/* A batch of a shared list, on rank 0.
 *
 *   1. The threads of this process take one job after another (jobs.c). Other ranks get groups of
 *      jobs, in the order of numbers: while a rank works on one, the next one waits there.
 *   2. A rank has at most a share of what is left, so that groups shrink towards the end of the batch
 *      and all threads end together (guided self-scheduling), and at most AHEAD seconds of work.
 *   3. Results are taken in the order of jobs.
 *   4. A stop is passed on. Rank 0 does not wait long for what the others are doing then: mpirun, if
 *      the signal came from it, kills it a second later. */
#include "ranks_internal.h"

#include "clock.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* The share of a rank's part of what is left that it has at most; and seconds of work for each of its
 * threads, or for each thread of all ranks, so that rank 0 can serve many of them. */
static const double PART = 0.75, AHEAD = 0.04, SERVICE = 0.0002;

/* Bytes of the results in a group. */
enum { GROUP_BYTES = 1 << 18 };

/* Seconds for results after a stop. */
static const double PATIENCE = 0.3;

/* A job hangs if it takes so many times as long as the longest one before. */
enum { HANGS = 50 };

/* A running batch. The fields of `span` are read and written with the lock of the list. */
struct batch {
    struct ranks *r;
    struct jobs *jobs;
    struct shared_list *list;
    const struct jobs_batch *batch;
    struct span *span;
    uint64_t id;
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

/* Compares the two results. */
static bool compare(void *taker, size_t number, const struct result *mine)
{
    const struct check *c = taker;
    if (mine->size != c->result->size || memcmp(mine->bytes, c->result->bytes, mine->size) != 0)
        ranks_break(c->r,
                    "rank %d on host %s and rank 0 on host %s have different results of job %zu; "
                    "one of them computes wrongly",
                    c->from, c->r->peers[c->from].host, c->r->peers[0].host, number + 1);
    return true;
}

/* Draws a sample of the results that ranks send. */
static void draw_check(struct batch *b, int from, size_t number, const struct result *result)
{
    const size_t size = sizeof *result + result->size;
    b->r->check_due += b->list->scope->repeats ? b->r->check_share : 0;
    if (b->r->check_due < 1)
        return;
    b->r->check_due -= 1;
    struct check *c = ranks_alloc(sizeof *c);
    *c = (struct check){.next = b->checks,
                        .r = b->r,
                        .span = {.block = b->span->block,
                                 .stop = b->span->stop,
                                 .taker = c,
                                 .take = compare,
                                 .first = number,
                                 .end = number + 1},
                        .from = from,
                        .result = memcpy(ranks_alloc(size), result, size)};
    if (!span_init(&c->span, NULL))
        ranks_abort(EXIT_FAILURE);
    jobs_add_span(b->jobs, &c->span, true);
    b->checks = c;
}

/* Forgets the checks that are over; true if that are all. */
static bool end_checks(struct batch *b)
{
    for (struct check **at = &b->checks; *at != NULL;) {
        struct check *c = *at;
        pthread_mutex_lock(&b->jobs->lock);
        const bool over = span_is_over(&c->span);
        pthread_mutex_unlock(&b->jobs->lock);
        if (!over) {
            at = &c->next;
            continue;
        }
        *at = c->next;
        jobs_remove_span(b->jobs, &c->span);
        span_finish(&c->span);
        free(c->result);
        free(c);
    }
    return b->checks == NULL;
}

/* ---- results ---- */

/* Learns how long jobs take, and counts them for a rank. */
static void note_group(struct batch *b, int from, const struct message *m)
{
    struct shared_list *l = b->list;
    struct peer *p = &b->r->peers[from];
    const double rate = m->done > 0 ? m->seconds / (double)m->done + 1e-12 : 0;
    l->longest = fmax(l->longest, p->silent);
    if (rate > 0)
        l->rates[from] = l->rates[from] > 0 ? 0.75 * l->rates[from] + 0.25 * rate : rate;
    p->owed -= (size_t)m->count;
    p->oldest = (size_t)(m->first + m->count);
    p->silent = 0;
    p->jobs += (int64_t)m->done;
    p->busy += m->seconds;
    b->away -= (size_t)m->count;
    b->r->times.groups++;
}

/* Takes the results of a group. A failed job is followed by others that were not done. */
static void take_group(struct batch *b, const struct arrival *a)
{
    const struct message *m = &a->head;
    const unsigned char *at = a->bytes;
    note_group(b, a->from, m);
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
            error_set(&reason, "%s (rank %d on host %s)", (const char *)at, a->from,
                      b->r->peers[a->from].host);
        pthread_mutex_lock(&b->jobs->lock);
        span_put(b->span, number, result, &reason);
        pthread_mutex_unlock(&b->jobs->lock);
    }
}

/* Takes what the other ranks have sent. */
static void receive(struct batch *b)
{
    struct arrival a;
    while (ranks_receive(b->r, &a)) {
        b->heard = b->now;
        if (a.head.kind == MESSAGE_RESULT && a.head.batch == b->id)
            take_group(b, &a);
        free(a.memory);
    }
}

/* ---- handing out ---- */

/* The number of jobs of the next group for a rank; 0: it has enough. */
static size_t wanted(const struct batch *b, int rank)
{
    const struct peer *p = &b->r->peers[rank];
    const struct span *span = b->span;
    const double rate = b->list->rates[rank], most = fmax(AHEAD, SERVICE * b->r->threads);
    const double left = (double)(span->end - span->next + span->at_work);
    double jobs = PART * left * p->threads / b->r->threads;
    jobs = rate > 0 ? fmin(jobs, most * p->threads / rate) : 0;
    jobs = fmax(jobs, p->threads);
    if ((double)p->owed >= jobs)
        return 0;
    jobs = fmin(jobs / 2, GROUP_BYTES / (double)(b->jobs->kind->result_size + 1));
    return jobs > 1 ? (size_t)jobs : 1;
}

/* Gives a group to a rank, and before the first one the block. False if the rank wants none, or none
 * is left. */
static bool give(struct batch *b, int to)
{
    struct peer *p = &b->r->peers[to];
    struct message head = {.kind = MESSAGE_BATCH,
                           .scope = b->list->scope->number,
                           .list = b->list->number,
                           .batch = b->id};
    pthread_mutex_lock(&b->jobs->lock);
    const size_t most = wanted(b, to);
    head.first = b->span->next;
    head.count = most > 0 ? span_claim(b->span, most) : 0;
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

/* Gives each rank as much as it should have, and while jobs are few a bit to all. */
static void hand_out(struct batch *b)
{
    for (bool any = true; any;) {
        any = false;
        for (int rank = 1; rank < b->r->count; rank++)
            any = give(b, rank) || any;
    }
}

/* ---- the end ---- */

static bool is_stopped(const struct batch *b)
{
    return b->batch->stop != NULL && *b->batch->stop != 0;
}

/* Tells all others that the batch ends. */
static void tell_end(struct batch *b)
{
    const struct message head = {.kind = MESSAGE_STOP,
                                 .batch = b->id,
                                 .count = is_stopped(b) ? (uint64_t)*b->batch->stop : 0};
    b->told = true;
    b->ended = b->now;
    for (int to = 1; to < b->r->count; to++)
        ranks_send(b->r, to, &head, NULL, 0, NULL, 0);
}

/* Breaks if a job of a rank hangs. Time in which this process was stopped does not count. */
static void look(struct batch *b, double seconds)
{
    const double limit =
        fmax(fmax(HANGS * b->list->longest, b->batch->job_seconds), b->r->job_limit);
    for (int rank = 1; rank < b->r->count; rank++) {
        struct peer *p = &b->r->peers[rank];
        p->silent += p->owed > 0 ? fmin(seconds, 0.1) : 0;
        if (p->silent > limit)
            ranks_break(b->r, "rank %d on host %s hangs: its job %zu has taken %.0f s", rank,
                        p->host, p->oldest + 1, p->silent);
    }
}

/* Gives up what is not done, where a rank cannot be trusted. */
static void give_up(struct batch *b)
{
    pthread_mutex_lock(&b->jobs->lock);
    b->span->enough = true;
    atomic_store(&b->span->cancelled, true);
    for (struct check *c = b->checks; c != NULL; c = c->next)
        c->span.enough = true;
    pthread_mutex_unlock(&b->jobs->lock);
}

/* True if the batch is over, or what other ranks have is not waited for. The caller holds the lock. */
static bool is_over(const struct batch *b)
{
    const bool leaves = b->r->broken || (b->told && is_stopped(b) && b->now - b->ended > PATIENCE);
    return span_is_over(b->span) || (leaves && b->span->at_work == b->away);
}

/* Adds the time of threads that have no job because none is left. */
static void note_idle(struct batch *b, double seconds)
{
    const size_t here = b->span->at_work - b->away, threads = (size_t)b->jobs->threads;
    double idle = here < threads ? (double)(threads - here) : 0;
    if (b->span->next < b->span->end)
        return;
    for (int rank = 1; rank < b->r->count; rank++) {
        const struct peer *p = &b->r->peers[rank];
        idle += p->owed < (size_t)p->threads ? p->threads - (double)p->owed : 0;
    }
    b->r->times.ending += idle * seconds;
}

/* ---- the loop ---- */

/* Hands out jobs and takes results until the batch is over. */
static void serve(struct batch *b)
{
    for (bool over = false; !over;) {
        receive(b);
        if (b->r->broken)
            give_up(b);
        hand_out(b);
        if (!b->told && (atomic_load(&b->span->cancelled) || is_stopped(b)))
            tell_end(b);
        const bool checked = end_checks(b);
        pthread_mutex_lock(&b->jobs->lock);
        over = checked && is_over(b);
        if (!over)
            jobs_wait(b->jobs, ranks_nap(b->now - b->heard));
        const double before = b->now;
        b->now = clock_seconds();
        note_idle(b, b->now - before);
        pthread_mutex_unlock(&b->jobs->lock);
        look(b, b->now - before);
    }
}

/* The processor time of this thread, in seconds. */
static double thread_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

bool ranks_run(struct jobs *jobs, const struct jobs_batch *batch, struct span *span,
               struct error *err)
{
    struct ranks *r = ranks_here();
    struct rank_times *t = &r->times;
    const double began = clock_seconds(), served = thread_seconds();
    struct batch b = {.r = r,
                      .jobs = jobs,
                      .list = jobs->shared,
                      .batch = batch,
                      .span = span,
                      .id = ++r->batches,
                      .now = began,
                      .heard = began};
    int64_t others = 0, done = 0;
    for (int rank = 0; rank < r->count; rank++) {
        others += rank > 0 ? r->peers[rank].jobs : 0;
        r->peers[rank].told = false;
        r->peers[rank].owed = 0;
    }
    if (t->began <= 0)
        t->began = began;
    serve(&b);
    for (int rank = 1; rank < r->count; rank++)
        done += r->peers[rank].jobs;
    r->peers[0].jobs += (int64_t)(span->next - span->first - b.away) - (done - others);
    r->peers[0].busy += span->busy;
    const double seconds = clock_seconds() - began;
    t->batches++;
    t->in_batches += seconds;
    t->in_few += batch->count < (size_t)r->threads ? seconds : 0;
    t->serving += thread_seconds() - served;
    return !r->broken || error_set(err, "%s", r->reason.text);
}
