/* Rank 0 among the others: how they come to have its lists, and what they do in a batch.
 *
 *   1. The threads of this process take one job after another (jobs.c). Other ranks get groups of
 *      jobs, in the order of numbers: while a rank works on one, the next one waits there.
 *   2. A rank has at most a share of what is left, so that groups shrink towards the end of the batch
 *      and all threads end together (guided self-scheduling), and at most some seconds of work.
 *   3. Results are taken in the order of jobs.
 *   4. A stop is passed on. Rank 0 does not wait long for what the others are doing then: mpirun, if
 *      the signal came from it, kills it a second later. */
#include "jobs_internal.h"

#include "checksum.h"
#include "clock.h"
#include "text_stream.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    GROUP_BYTES = 1 << 18, /* of the results in a group */
    DATA_PIECE = 16 << 20, /* of a file in a message */
};

/* The share of a rank's part of what is left that it has at most; seconds for results after a stop. */
static const double PART = 0.75, PATIENCE = 0.3;

/* ---- the context of a list ---- */

/* Memory that lasts as long as a plan. */
struct piece {
    struct piece *next;
    alignas(max_align_t) unsigned char bytes[];
};

struct plan {
    FILE *out;      /* on rank 0; else: */
    const char *at; /* what is read next */
    struct piece *pieces;
};

static void *plan_alloc(struct plan *p, size_t size)
{
    struct piece *piece = ranks_alloc(sizeof *piece + size);
    piece->next = p->pieces;
    p->pieces = piece;
    return piece->bytes;
}

void plan_free(struct plan *p)
{
    while (p != NULL && p->pieces != NULL) {
        struct piece *next = p->pieces->next;
        free(p->pieces);
        p->pieces = next;
    }
    free(p);
}

void *plan_structs(struct plan *p, const void *items, size_t count, size_t size)
{
    const size_t bytes = count * size;
    if (items == NULL)
        return NULL;
    void *copy = plan_alloc(p, bytes);
    memcpy(copy, p->out != NULL ? items : p->at, bytes);
    if (p->out != NULL)
        fwrite(items, 1, bytes, p->out);
    else
        p->at += bytes;
    return copy;
}

void *plan_array(struct plan *p, const void *items, size_t count, size_t size)
{
    if (p->out == NULL)
        return plan_structs(p, items, count, size);
    if (items != NULL)
        fwrite(items, size, count, p->out);
    return (void *)(uintptr_t)items;
}

char *plan_text(struct plan *p, const char *text)
{
    uint64_t size = text == NULL || p->out == NULL ? 0 : strlen(text) + 1;
    if (text == NULL)
        return NULL;
    memcpy(&size, plan_structs(p, &size, 1, sizeof size), sizeof size);
    return plan_structs(p, text, (size_t)size, 1);
}

void ranks_offer(const struct job_kind *kind, const void *context, int threads)
{
    char *bytes = NULL;
    size_t size = 0;
    struct plan *p = ranks_alloc(sizeof *p);
    *p = (struct plan){.out = text_stream(&bytes, &size)};
    if (p->out == NULL)
        ranks_abort(EXIT_FAILURE);
    kind->describe(p, plan_structs(p, context, 1, kind->context_size));
    if (fclose(p->out) != 0)
        ranks_abort(EXIT_FAILURE);
    plan_free(p);
    ranks_share(kind->name, bytes, size, threads);
    free(bytes);
}

struct plan *plan_read(const struct job_kind *kind, const void *bytes, void **context)
{
    struct plan *p = ranks_alloc(sizeof *p);
    *p = (struct plan){.at = bytes};
    *context = plan_structs(p, bytes, 1, kind->context_size);
    kind->describe(p, *context);
    return p;
}

/* ---- lists ---- */

void ranks_enter_list(struct jobs *jobs)
{
    struct ranks *r = ranks_here();
    struct scope *s = r == NULL ? NULL : r->open;
    if (s == NULL)
        return;
    assert(s->count < SCOPE_LISTS);
    jobs->scope = s;
    jobs->number = s->count;
    s->lists[s->count++] = jobs;
    s->alive++;
}

/* Tells the others that the lists of a description are gone, and forgets it. */
static void close_scope(struct ranks *r, struct scope *s)
{
    const struct message head = {.kind = MESSAGE_CLOSE, .scope = s->number};
    ranks_send_all(r, &head, NULL, 0, NULL, 0);
    free(s);
}

void ranks_remove_list(struct jobs *jobs)
{
    struct ranks *r = ranks_here();
    struct scope *s = jobs->scope;
    if (s != NULL && --s->alive == 0 && r->rank == 0 && r->open != s)
        close_scope(r, s);
}

void ranks_share(const char *builder, const void *bytes, size_t size, int threads)
{
    struct ranks *r = ranks_here();
    if (!ranks_many())
        return;
    const bool given = threads != jobs_threads();
    const struct message head = {
        .kind = MESSAGE_SHARE, .scope = ++r->scopes, .count = given ? (uint64_t)threads : 0};
    r->open = ranks_alloc(sizeof *r->open);
    *r->open = (struct scope){.number = r->scopes};
    ranks_send_all(r, &head, builder, strlen(builder) + 1, bytes, size);
    r->peers[0].threads = threads;
    for (int to = 1; to < r->count; to++)
        r->peers[to].builds = true;
    r->method->flush(r->post); /* so that they build while this rank does */
}

static void take_ready(struct ranks *r, const struct arrival *a, struct error *first)
{
    struct peer *p = &r->peers[a->from];
    p->builds = false;
    p->threads = (int)a->head.first;
    if (first->text[0] == '\0' && a->size > 0)
        error_set(first, "rank %d on host %s: %s", a->from, p->host, (const char *)a->bytes);
    else if (first->text[0] == '\0' && (int)a->head.count != r->open->count)
        error_set(first, "rank %d on host %s has other lists of jobs", a->from, p->host);
}

bool ranks_shared(bool good, struct error *err)
{
    struct ranks *r = ranks_here();
    struct error first = {""}; /* of the ranks that failed */
    if (!ranks_many() || r->open == NULL)
        return good;
    r->threads = r->peers[0].threads;
    for (int rank = 1; rank < r->count; r->threads += r->peers[rank++].threads)
        while (r->peers[rank].builds) {
            struct arrival a;
            if (!ranks_receive(r, &a)) {
                nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
                continue;
            }
            if (a.head.kind == MESSAGE_READY && a.head.scope == r->scopes)
                take_ready(r, &a, &first);
            free(a.memory);
        }
    if (r->open->alive == 0)
        close_scope(r, r->open);
    r->open = NULL;
    return good && (first.text[0] == '\0' || error_set(err, "%s", first.text));
}

/* ---- data ---- */

void ranks_put_data(const void *bytes, size_t size, char name[RANK_DATA_NAME])
{
    const struct message head = {.kind = MESSAGE_DATA};
    struct ranks *r = ranks_here();
    char sha256[CHECKSUM_MAX];
    checksum_bytes(bytes, size, sha256);
    memset(name, 0, RANK_DATA_NAME);
    snprintf(name, RANK_DATA_NAME, "rank-data-%s", sha256);
    if (r == NULL || ranks_find_data(name) != NULL)
        return;
    ranks_enter_data(name, -1);
    for (size_t at = 0; at == 0 || at < size; at += DATA_PIECE)
        ranks_send_all(r, &head, name, RANK_DATA_NAME, (const char *)bytes + at,
                       size - at < DATA_PIECE ? size - at : DATA_PIECE);
}

/* ---- a batch ---- */

/* A running batch. The fields of `span` are read and written with the lock of the list. */
struct batch {
    struct ranks *r;
    struct jobs *jobs;
    const struct jobs_batch *batch;
    struct span *span;
    size_t away;  /* jobs that other ranks have */
    bool told;    /* the others know that the batch ends */
    double ended; /* when they were told */
    double now;   /* the time of this look */
    double heard; /* of the last message */
};

/* Takes the results of a group, and learns how long jobs take. */
static void take_group(struct batch *b, const struct arrival *a)
{
    const struct message *m = &a->head;
    const unsigned char *at = a->bytes;
    struct peer *p = &b->r->peers[a->from];
    const double rate = m->done > 0 ? m->seconds / (double)m->done + 1e-12 : b->jobs->rate;
    b->jobs->rate = b->jobs->rate > 0 ? 0.75 * b->jobs->rate + 0.25 * rate : rate;
    p->owed -= (size_t)m->count;
    p->jobs += (int64_t)m->done;
    p->busy += m->seconds;
    b->away -= (size_t)m->count;
    b->r->times.groups++;
    for (size_t i = 0; i < m->count; i++) {
        struct result head, *result = NULL;
        struct error reason = {""};
        if (i < m->done) {
            memcpy(&head, at, sizeof head);
            result = memcpy(ranks_alloc(sizeof head + head.size), at, sizeof head + head.size);
            at += sizeof head + head.size;
        } else if (i == m->done && *at != '\0')
            error_set(&reason, "%s (rank %d on host %s)", (const char *)at, a->from, p->host);
        pthread_mutex_lock(&b->jobs->lock);
        span_put(b->span, (size_t)m->first + i, result, &reason);
        pthread_mutex_unlock(&b->jobs->lock);
    }
}

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

/* Gives a group to a rank, and before the first one the block. False if none is wanted or left. */
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
    p->owed += (size_t)head.count;
    b->away += (size_t)head.count;
    return true;
}

static void serve(struct batch *b)
{
    for (bool over = false; !over;) {
        struct arrival a;
        while (ranks_receive(b->r, &a)) {
            b->heard = b->now;
            if (a.head.kind == MESSAGE_RESULT && a.head.batch == b->r->batch)
                take_group(b, &a);
            free(a.memory);
        }
        /* To each as much as it should have; while jobs are few a bit to all. */
        for (bool any = true; any;) {
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
        pthread_mutex_lock(&b->jobs->lock);
        const bool leaves = b->told && stop != 0 && b->now - b->ended > PATIENCE;
        over = span_is_over(b->span) || (leaves && b->span->at_work == b->away);
        if (!over)
            jobs_wait(b->jobs, ranks_nap(b->now - b->heard));
        b->now = clock_seconds();
        pthread_mutex_unlock(&b->jobs->lock);
    }
}

void ranks_run(struct jobs *jobs, const struct jobs_batch *batch, struct span *span)
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
    r->peers[0].jobs += span->done;
    r->peers[0].busy += span->busy;
    r->times.batches++;
    r->times.in_batches += clock_seconds() - began;
    r->times.serving += clock_of_thread() - served;
}

/* ---- what the ranks did ---- */

/* The first rank of the host of this number; the count of ranks if there is none. */
static int first_of(const struct ranks *r, int host)
{
    for (int rank = 0; rank < r->count; rank++) {
        int other = 0;
        while (strcmp(r->peers[other].host, r->peers[rank].host) != 0)
            other++;
        if (other == rank && host-- == 0)
            return rank;
    }
    return r->count;
}

/* The reason for most of the idle time, if it is worth telling. */
static enum ranks_idle reason_of(const struct ranks_report *p)
{
    const double between = (p->seconds - p->in_batches) / p->seconds;
    if (p->idle <= 0.1)
        return IDLE_LITTLE;
    if (p->jobs < p->batches * p->threads)
        return IDLE_FEW_JOBS;
    if (2 * between > p->idle)
        return IDLE_MASTER;
    return 2 * p->serving > p->in_batches ? IDLE_SERVICE : IDLE_LONG_JOBS;
}

bool ranks_report(struct ranks_report *p)
{
    const struct ranks *r = ranks_here();
    *p = (struct ranks_report){0};
    if (!ranks_many() || r->began <= 0)
        return false;
    *p = r->times;
    p->ranks = r->count;
    p->threads = r->threads;
    p->seconds = clock_seconds() - r->began;
    while (first_of(r, p->hosts) < r->count)
        p->hosts++;
    for (int rank = 0; rank < r->count; rank++) {
        p->jobs += r->peers[rank].jobs;
        p->busy += r->peers[rank].busy;
    }
    p->idle = p->seconds > 0 ? fmax(0, 1 - p->busy / (p->seconds * p->threads)) : 0;
    p->reason = reason_of(p);
    return true;
}

bool ranks_report_host(int host, struct rank_host *p)
{
    const struct ranks *r = ranks_here();
    const int first = ranks_many() ? first_of(r, host) : -1;
    double busy = 0;
    if (first < 0 || first == r->count)
        return false;
    *p = (struct rank_host){0};
    snprintf(p->name, sizeof p->name, "%s", r->peers[first].host);
    for (const struct peer *peer = r->peers + first; peer < r->peers + r->count; peer++)
        if (strcmp(peer->host, p->name) == 0) {
            p->ranks++;
            p->threads += peer->threads;
            p->jobs += peer->jobs;
            busy += peer->busy;
        }
    const double time = (clock_seconds() - r->began) * p->threads;
    p->idle = time > 0 ? fmax(0, 1 - busy / time) : 0;
    return true;
}

const char *ranks_idle_text(enum ranks_idle reason)
{
    static const char *const texts[] = {
        [IDLE_LITTLE] = "",
        [IDLE_FEW_JOBS] = "there are fewer jobs than threads",
        [IDLE_LONG_JOBS] = "threads wait for the last jobs of each batch, or for the network",
        [IDLE_MASTER] = "rank 0 is busy with its own work between the batches",
        [IDLE_SERVICE] = "rank 0 is slower than the jobs",
    };
    return texts[reason];
}
