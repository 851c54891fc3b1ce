/* A rank that serves: it builds the lists that rank 0 describes, and does the jobs that arrive. One
 * thread carries messages, and those of the lists' crews work. */
#include "ranks_internal.h"

#include "clock.h"
#include "pace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Seconds: between signs of life; until a rank ends that was told so by a signal; without
 * work, until it looks for messages less often, and until it does so rarely. */
static const double BEAT = 0.25, PATIENCE = 5, QUIET = 1, RECENT = 0.02;

/* The longest sleep, in seconds. */
static const double NAP = 0.005;

/* A batch whose groups are here. */
struct served {
    struct served *next;
    struct crew_batch batch;
    volatile sig_atomic_t stop;
    struct jobs *list;
    int owed;        /* groups with the crew */
    double expected; /* seconds that they should take, all together */
    double since;    /* when this was estimated */
    alignas(max_align_t) unsigned char block[];
};

struct server {
    struct ranks *r;
    const struct ranks_builder *const *builders;
    struct scope *scopes;
    struct served *batches; /* the latest first */
    struct error bad_data;  /* why data did not arrive; "" if it did */
    double now, beat, worked, ending;
    pid_t parent;
    bool quit;
};

/* Set by a signal: the launcher ends all ranks, or somebody ends this one. */
static volatile sig_atomic_t told_to_end;

static void note_signal(int number)
{
    told_to_end = number;
}

/* ---- lists ---- */

/* Finds the list of a message; NULL if there is none. */
static struct jobs *find_list(const struct server *v, const struct message *m)
{
    const struct scope *s = v->scopes;
    while (s != NULL && s->number != m->scope)
        s = s->next;
    return s != NULL && m->list >= 0 && m->list < s->count ? s->lists[m->list] : NULL;
}

/* Answers to a description. */
static void answer_ready(struct server *v, const struct scope *s, const struct error *err)
{
    const struct message head = {.kind = MESSAGE_READY,
                                 .scope = s->number,
                                 .first = (uint64_t)s->threads,
                                 .count = (uint64_t)s->count};
    ranks_send(v->r, 0, &head, err->text, s->built != NULL ? 0 : strlen(err->text), NULL, 0);
}

/* The builder of a name, or NULL. */
static const struct ranks_builder *find_builder(const struct server *v, const char *name)
{
    const struct ranks_builder *const *b = v->builders;
    while (*b != NULL && strcmp((*b)->name, name) != 0)
        b++;
    return *b;
}

/* Builds the lists of a description, which follow the name of the builder. */
static void *build_lists(struct scope *s, const struct arrival *a, struct error *err)
{
    const size_t length = strlen((const char *)a->bytes) + 1;
    return s->builder->build(a->bytes + length, a->size - length, s->threads, err);
}

/* Builds what a description says. */
static void build(struct server *v, struct scope *s, const struct arrival *a)
{
    const char *name = (const char *)a->bytes;
    struct error err = v->bad_data;
    s->number = a->head.scope;
    s->builder = find_builder(v, name);
    s->threads = a->head.count > 0 ? (int)a->head.count : jobs_threads();
    v->r->open = s;
    if (s->builder == NULL)
        error_set(&err, "no work of the kind '%s'", name);
    else if (err.text[0] == '\0')
        s->built = build_lists(s, a, &err);
    v->r->open = NULL;
    s->next = v->scopes;
    v->scopes = s;
    answer_ready(v, s, &err);
}

static void take_share(struct server *v, const struct arrival *a)
{
    struct scope *s = calloc(1, sizeof *s);
    if (s == NULL || memchr(a->bytes, '\0', a->size) == NULL)
        post_abort(v->r->post, EXIT_FAILURE);
    build(v, s, a);
}

/* ---- batches ---- */

static void free_batch(struct server *v, struct served *b)
{
    struct served **at = &v->batches;
    while (*at != b)
        at = &(*at)->next;
    *at = b->next;
    free(b);
}

/* The bytes of results up to the last one that is not 0: a game's are mostly room for moves. */
static size_t bytes_of(const struct group *g, const struct job_kind *kind)
{
    size_t size = g->done * kind->result_size;
    while (size > 0 && g->results[size - 1] == 0)
        size--;
    return size;
}

/* Sends the results of a group. */
static void send_result(struct server *v, struct served *b, struct group *g)
{
    const size_t size = bytes_of(g, b->list->kind);
    const struct message head = {
        .kind = MESSAGE_RESULT,
        .flags = (g->checks ? MESSAGE_CHECKS : 0) | (g->failed ? MESSAGE_FAILED : 0) |
                 (g->stopped ? MESSAGE_JOB_STOPPED : 0),
        .batch = b->batch.id,
        .first = g->first,
        .count = g->count,
        .done = g->done,
        .bytes = size,
        .waited = g->waited,
        .seconds = g->seconds,
        .longest = g->longest,
    };
    ranks_send(v->r, 0, &head, g->results, size, g->reason.text,
               g->failed ? strlen(g->reason.text) : 0);
}

/* Notes that there is more to do, or less. */
static void note_owed(struct served *b, double seconds)
{
    b->expected += seconds;
    b->since = clock_seconds();
}

/* Sends what the crew of a batch has done. True if it was anything. */
static bool send_done(struct server *v, struct served *b, double nap)
{
    struct group *g = b->owed > 0 ? crew_take(b->list->shared->crew, nap) : NULL;
    bool any = g != NULL;
    kept_files_send(v->r);
    while (g != NULL) {
        struct group *next = g->next;
        struct served *of = v->batches;
        while (&of->batch != g->batch)
            of = of->next;
        send_result(v, of, g);
        of->owed--;
        note_owed(of, -g->expected);
        free(g);
        g = next;
    }
    return any;
}

/* Forgets the batches without groups, except the latest, for which more may come. */
static void sweep(struct server *v)
{
    struct served *b = v->batches == NULL ? NULL : v->batches->next;
    while (b != NULL) {
        struct served *next = b->next;
        if (b->owed == 0)
            free_batch(v, b);
        b = next;
    }
}

/* Ends a batch early: groups that have not begun come back at once. */
static void cancel(struct served *b, int stop)
{
    b->stop = stop;
    atomic_store(&b->batch.cancelled, true);
}

static void take_batch(struct server *v, const struct arrival *a)
{
    struct served *b = calloc(1, sizeof *b + a->size + 1);
    struct jobs *list = find_list(v, &a->head);
    if (b == NULL || list == NULL)
        post_abort(v->r->post, EXIT_FAILURE);
    memcpy(b->block, a->bytes, a->size);
    b->batch.id = a->head.batch;
    b->batch.block = b->block;
    b->batch.stop = &b->stop;
    b->list = list;
    b->next = v->batches;
    v->batches = b;
    sweep(v);
}

static void take_group(struct server *v, const struct arrival *a)
{
    struct served *b = v->batches;
    if (b == NULL || b->batch.id != a->head.batch)
        return;
    struct group *g = group_create(b->list->kind, (size_t)a->head.first, (size_t)a->head.count);
    if (g == NULL)
        post_abort(v->r->post, EXIT_FAILURE);
    g->checks = (a->head.flags & MESSAGE_CHECKS) != 0;
    g->batch = &b->batch;
    g->expected = a->head.seconds;
    b->owed++;
    note_owed(b, g->expected);
    crew_give(b->list->shared->crew, g);
}

static void take_stop(struct server *v, const struct arrival *a)
{
    for (struct served *b = v->batches; b != NULL; b = b->next)
        if (b->batch.id == a->head.batch)
            cancel(b, (int)a->head.count);
}

/* Waits for the jobs at work on the lists of a description, and forgets these. */
static void close_scope(struct server *v, struct scope *s)
{
    struct served *b = v->batches;
    while (b != NULL) {
        struct served *next = b->next;
        if (b->list->shared->scope == s) {
            cancel(b, b->stop);
            while (b->owed > 0)
                send_done(v, b, 0.01);
            free_batch(v, b);
        }
        b = next;
    }
    if (s->built != NULL)
        s->builder->destroy(s->built);
    free(s);
}

static void take_close(struct server *v, const struct arrival *a)
{
    for (struct scope **at = &v->scopes; *at != NULL; at = &(*at)->next)
        if ((*at)->number == a->head.scope) {
            struct scope *s = *at;
            *at = s->next;
            close_scope(v, s);
            return;
        }
}

/* ---- the loop ---- */

static void take_message(struct server *v, const struct arrival *a)
{
    switch (a->head.kind) {
    case MESSAGE_DATA:
        if (v->bad_data.text[0] == '\0')
            rank_data_take(a, &v->bad_data);
        break;
    case MESSAGE_SHARE:
        take_share(v, a);
        break;
    case MESSAGE_CLOSE:
        take_close(v, a);
        break;
    case MESSAGE_BATCH:
        take_batch(v, a);
        break;
    case MESSAGE_GROUP:
        take_group(v, a);
        break;
    case MESSAGE_STOP:
        take_stop(v, a);
        break;
    case MESSAGE_QUIT:
        v->quit = true;
        break;
    default:
        break;
    }
}

/* Tells rank 0 now and then that this rank lives, while it has work, and after SIGCONT. `before`: the time
 * of the look before this one. After SIGCONT this process may have been stopped since. */
static void tell_life(struct server *v, double before)
{
    struct served *b = v->batches;
    const bool works = b != NULL && b->owed > 0, continued = ranks_were_continued();
    size_t number = 0;
    if (continued && works)
        crew_skip_pause(b->list->shared->crew, v->now - before);
    if (!continued && (!works || v->now - v->beat < BEAT))
        return;
    struct message head = {.kind = MESSAGE_BEAT};
    if (works)
        head.seconds = crew_oldest(b->list->shared->crew, &number);
    head.first = number;
    ranks_send(v->r, 0, &head, NULL, 0, NULL, 0);
    v->beat = v->now;
}

/* Ends the process if the launcher is gone, or some time after a signal: rank 0 then had the time to
 * hear that this rank is well. */
static void end_if_told(struct server *v)
{
    if (told_to_end != 0 && v->ending <= 0)
        v->ending = v->now;
    if (getppid() != v->parent || (v->ending > 0 && v->now - v->ending > PATIENCE))
        post_abort(v->r->post, 128 + SIGTERM);
}

/* Seconds to wait for results before the next look for messages. While each thread has a group that
 * waits, no message is urgent. Batches often follow each other. */
static double next_nap(const struct server *v)
{
    const struct served *b = v->batches;
    const double since = v->now - v->worked;
    if (b == NULL || b->owed == 0)
        return since > QUIET ? NAP : since > RECENT ? NAP / 5 : NAP / 50;
    const int threads = b->list->threads;
    const double until_idle = b->since + b->expected / threads - v->now;
    return b->owed >= 2 * threads ? NAP : pace_nap(until_idle, NAP);
}

/* Waits, for the crew if it has work. True if it had results. */
static bool wait_for_work(struct server *v, double nap)
{
    const struct timespec sleep = {.tv_nsec = (long)(1e9 * nap)};
    bool any = false;
    for (struct served *b = v->batches; b != NULL; b = b->next)
        any = send_done(v, b, b == v->batches ? nap : 0) || any;
    if (v->batches == NULL || (!any && v->batches->owed == 0))
        nanosleep(&sleep, NULL);
    return any;
}

static void serve(struct server *v)
{
    while (!v->quit) {
        struct arrival a;
        bool any = wait_for_work(v, next_nap(v));
        while (!v->quit && ranks_receive(v->r, &a)) {
            take_message(v, &a);
            free(a.memory);
            any = true;
        }
        const double before = v->now;
        v->now = clock_seconds();
        if (any)
            v->worked = v->now;
        tell_life(v, before);
        end_if_told(v);
    }
}

/* Frees all lists. */
static void finish(struct server *v)
{
    while (v->scopes != NULL) {
        struct scope *s = v->scopes;
        v->scopes = s->next;
        close_scope(v, s);
    }
}

/* The user's signals are for rank 0; the launcher sends them to all. */
static void watch_signals(void)
{
    struct sigaction note = {.sa_handler = note_signal}, ignore = {.sa_handler = SIG_IGN};
    sigemptyset(&note.sa_mask);
    ranks_watch_continued();
    sigaction(SIGTERM, &note, NULL);
    sigaction(SIGINT, &ignore, NULL);
    sigaction(SIGHUP, &ignore, NULL);
}

int ranks_serve(const struct ranks_builder *const *builders)
{
    const struct message bye = {.kind = MESSAGE_BYE};
    struct ranks *r = ranks_here();
    struct server v = {.r = r, .builders = builders, .parent = getppid()};
    if (!r->broken) {
        watch_signals();
        serve(&v);
        ranks_send(r, 0, &bye, NULL, 0, NULL, 0);
        finish(&v);
    }
    post_close(r->post);
    ranks_free(r);
    return EXIT_SUCCESS;
}
