/* A rank that serves: one thread carries messages, and those of the lists work. */
#define _GNU_SOURCE /* memfd_create */
#include "jobs_internal.h"

#include "clock.h"
#include "text_stream.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

/* Jobs that arrived together, and their results. */
struct group {
    struct group *next;
    struct span span;
    char *results;
    size_t size;
    FILE *out; /* of `results` */
};

struct server {
    struct ranks *r;
    const struct job_kind *const *kinds;
    const struct ranks_builder *builder;
    struct scope *scopes;
    struct jobs *list; /* of the batch; NULL: there is none */
    uint64_t batch;
    void *block;
    volatile sig_atomic_t stop; /* of the batch */
    struct group *groups;       /* the first one first */
    bool quit;
};

/* ---- data ---- */

/* Takes a piece of a file, in memory without a name: nothing is left however a rank ends. */
static void take_data(const struct arrival *a)
{
    const char *name = (const char *)a->bytes, *at = name + RANK_DATA_NAME;
    const struct rank_data *d = ranks_find_data(name);
    if (d == NULL)
        d = ranks_enter_data(name, memfd_create("grayling", MFD_CLOEXEC));
    for (const char *end = name + a->size; at < end;) {
        const ssize_t written = write(d->file, at, (size_t)(end - at));
        if (written <= 0)
            ranks_abort(EXIT_FAILURE);
        at += written;
    }
}

const char *ranks_data_path(const char *name)
{
    const struct rank_data *d = ranks_find_data(name);
    return d == NULL || d->file < 0 ? NULL : d->path;
}

/* ---- lists ---- */

/* Builds the lists of a description: the name of a kind or of the builder, then the bytes. */
static void build(struct server *v, const struct arrival *a)
{
    const char *name = (const char *)a->bytes;
    const size_t length = strlen(name) + 1;
    const struct job_kind *const *kind = v->kinds;
    void *context;
    struct scope *s = ranks_alloc(sizeof *s);
    struct error err = {""};
    const int threads = a->head.count > 0 ? (int)a->head.count : jobs_threads();
    *s = (struct scope){.next = v->scopes, .number = a->head.scope};
    v->scopes = v->r->open = s;
    while (*kind != NULL && strcmp((*kind)->name, name) != 0)
        kind++;
    if (*kind != NULL) {
        s->plan = plan_read(*kind, a->bytes + length, &context);
        s->built = jobs_create(*kind, context, threads, &err);
    } else if (v->builder != NULL && strcmp(v->builder->name, name) == 0)
        s->built = v->builder->build(a->bytes + length, a->size - length, threads, &err);
    else
        error_set(&err, "no work of the kind '%s'", name);
    v->r->open = NULL;
    const struct message head = {.kind = MESSAGE_READY,
                                 .scope = s->number,
                                 .first = (uint64_t)threads,
                                 .count = (uint64_t)s->count};
    ranks_send(v->r, 0, &head, err.text, s->built != NULL ? 0 : strlen(err.text), NULL, 0);
}

static struct scope **find_scope(struct server *v, int number)
{
    struct scope **at = &v->scopes;
    while ((*at)->number != number)
        at = &(*at)->next;
    return at;
}

/* ---- batches ---- */

static bool keep(void *taker, size_t number, void *result)
{
    const struct group *g = taker;
    const struct result *r = (const void *)((char *)result - offsetof(struct result, bytes));
    (void)number;
    fwrite(r, 1, sizeof *r + r->size, g->out);
    return true;
}

static void begin_group(struct server *v, const struct message *m)
{
    struct group *g = ranks_alloc(sizeof *g), **at = &v->groups;
    *g = (struct group){.span = {.block = v->block,
                                 .stop = &v->stop,
                                 .taker = g,
                                 .take = keep,
                                 .first = (size_t)m->first,
                                 .end = (size_t)(m->first + m->count)}};
    g->out = text_stream(&g->results, &g->size);
    if (g->out == NULL || !jobs_add_span(v->list, &g->span, NULL))
        ranks_abort(EXIT_FAILURE);
    while (*at != NULL)
        at = &(*at)->next;
    *at = g;
}

/* Sends the results of all groups that are over. True if there were any. */
static bool send_results(struct server *v)
{
    bool any = false;
    for (struct group **at = &v->groups; *at != NULL;) {
        struct group *g = *at;
        const struct span *span = &g->span;
        pthread_mutex_lock(&v->list->lock);
        const bool over = span_is_over(span);
        pthread_mutex_unlock(&v->list->lock);
        if (!over) {
            at = &g->next;
            continue;
        }
        const struct message head = {.kind = MESSAGE_RESULT,
                                     .batch = v->batch,
                                     .first = span->first,
                                     .count = span->end - span->first,
                                     .done = span->due - span->first,
                                     .seconds = span->busy};
        if (fclose(g->out) != 0)
            ranks_abort(EXIT_FAILURE);
        ranks_send(v->r, 0, &head, g->results, g->size, span->reason.text,
                   strlen(span->reason.text));
        *at = g->next;
        jobs_remove_span(v->list, &g->span);
        free(g->results);
        free(g);
        any = true;
    }
    return any;
}

/* Ends the batch early: no job begins, and those at work may return. */
static void cancel(struct server *v, int stop)
{
    v->stop = stop;
    for (struct group *g = v->groups; g != NULL; g = g->next) {
        pthread_mutex_lock(&v->list->lock);
        g->span.enough = true;
        atomic_store(&g->span.cancelled, true);
        pthread_mutex_unlock(&v->list->lock);
    }
}

/* Waits for the jobs at work, and forgets the batch. */
static void end_batch(struct server *v)
{
    cancel(v, v->stop);
    while (v->groups != NULL)
        if (!send_results(v))
            nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    free(v->block);
    v->block = NULL;
    v->list = NULL;
}

static void close_scope(struct server *v, struct scope **at)
{
    struct scope *s = *at;
    *at = s->next;
    if (v->list != NULL && v->list->scope == s)
        end_batch(v);
    if (s->plan != NULL)
        jobs_destroy(s->built);
    else if (s->built != NULL)
        v->builder->destroy(s->built);
    plan_free(s->plan);
    free(s);
}

/* ---- the loop ---- */

static void take_message(struct server *v, const struct arrival *a)
{
    switch (a->head.kind) {
    case MESSAGE_DATA:
        take_data(a);
        break;
    case MESSAGE_SHARE:
        build(v, a);
        break;
    case MESSAGE_CLOSE:
        close_scope(v, find_scope(v, a->head.scope));
        break;
    case MESSAGE_BATCH:
        end_batch(v);
        v->list = (*find_scope(v, a->head.scope))->lists[a->head.list];
        v->batch = a->head.batch;
        v->stop = 0;
        v->block = memcpy(ranks_alloc(a->size), a->bytes, a->size);
        break;
    case MESSAGE_GROUP:
        begin_group(v, &a->head);
        break;
    case MESSAGE_STOP:
        if (v->batch == a->head.batch)
            cancel(v, (int)a->head.count);
        break;
    case MESSAGE_QUIT:
        v->quit = true;
        break;
    default:
        break;
    }
}

/* Waits for a result, or until messages should be looked for. */
static void wait(struct server *v, double nap)
{
    const struct timespec sleep = {.tv_nsec = (long)(1e9 * nap)};
    bool over = false;
    if (v->groups == NULL) {
        nanosleep(&sleep, NULL);
        return;
    }
    pthread_mutex_lock(&v->list->lock);
    for (const struct group *g = v->groups; g != NULL; g = g->next)
        over = over || span_is_over(&g->span);
    if (!over)
        jobs_wait(v->list, nap);
    pthread_mutex_unlock(&v->list->lock);
}

/* The user's signals are for rank 0, and the launcher sends them to all. A rank whose launcher wants it
 * to end waits for rank 0, which may have to save something, or to be killed. */
static void wait_for_end(int number)
{
    (void)number;
}

int ranks_serve(const struct job_kind *const *kinds, const struct ranks_builder *builder)
{
    struct server v = {.r = ranks_here(), .kinds = kinds, .builder = builder};
    double heard = clock_seconds();
    const pid_t launcher = getppid();
    signal(SIGINT, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
    signal(SIGTERM, wait_for_end);
    while (!v.quit) {
        struct arrival a;
        bool any = send_results(&v);
        while (!v.quit && ranks_receive(v.r, &a)) {
            take_message(&v, &a);
            free(a.memory);
            any = true;
        }
        const double now = clock_seconds();
        if (any)
            heard = now;
        else
            wait(&v, ranks_nap(now - heard));
        if (getppid() != launcher)
            ranks_abort(128 + SIGTERM);
    }
    while (v.scopes != NULL)
        close_scope(&v, &v.scopes);
    ranks_close();
    return EXIT_SUCCESS;
}
