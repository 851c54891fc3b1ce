#include "crew.h"

#include "clock.h"
#include "jobs_internal.h"
#include "thread.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* A thread, and the job that it is doing. */
struct hand {
    struct crew *crew;
    int number;
    pthread_t thread;
    double since; /* when its job began; 0: it has none */
    size_t job;
    double ended;   /* its last group */
    uint64_t batch; /* of that group */
};

/* Groups in the order in which they came. */
struct queue {
    struct group *first, **end;
    int count;
};

/* The lock guards the queues, and `since` and `job` of the hands. */
struct crew {
    const struct jobs *jobs;
    int started; /* threads */
    int owed;    /* groups; of the thread that gives and takes */
    bool ending;
    pthread_mutex_t lock;
    pthread_cond_t work, results;
    struct queue todo, done;
    struct hand hands[];
};

/* ---- groups ---- */

struct group *group_create(const struct job_kind *kind, size_t first, size_t count)
{
    struct group *g = calloc(1, sizeof *g + count * kind->result_size + 1);
    if (g == NULL)
        return NULL;
    g->first = first;
    g->count = count;
    return g;
}

static void queue_init(struct queue *q)
{
    q->first = NULL;
    q->end = &q->first;
    q->count = 0;
}

static void queue_add(struct queue *q, struct group *g)
{
    g->next = NULL;
    *q->end = g;
    q->end = &g->next;
    q->count++;
}

/* Takes the first group; NULL if there is none. */
static struct group *queue_take(struct queue *q)
{
    struct group *g = q->first;
    if (g == NULL)
        return NULL;
    q->first = g->next;
    q->count--;
    if (g->next == NULL)
        queue_init(q);
    return g;
}

/* Frees the groups of a list. */
static void free_groups(struct group *g)
{
    while (g != NULL) {
        struct group *next = g->next;
        free(g);
        g = next;
    }
}

/* ---- a thread ---- */

/* Notes that a thread begins a job, or with `now` 0 that it has none. */
static void note_job(struct hand *h, double now, size_t number)
{
    pthread_mutex_lock(&h->crew->lock);
    h->since = now;
    h->job = number;
    pthread_mutex_unlock(&h->crew->lock);
}

/* Does a job of the group. Returns false if the group ends with it. */
static bool do_job(struct group *g, struct job *job, const struct job_kind *kind)
{
    g->reason.text[0] = '\0';
    g->stopped = job_is_stopped(job) || atomic_load(job->cancelled);
    if (g->stopped)
        return false;
    if (kind->work(job, group_result(g, kind, job->number), &g->reason)) {
        g->done++;
        return true;
    }
    g->failed = g->reason.text[0] != '\0';
    g->stopped = !g->failed;
    return false;
}

/* Does the jobs of a group. */
static void do_group(struct hand *h, struct group *g)
{
    const struct jobs *jobs = h->crew->jobs;
    struct job job = {.context = jobs->context,
                      .worker = jobs->workers != NULL ? jobs->workers[h->number] : NULL,
                      .block = g->batch->block,
                      .stop = g->batch->stop,
                      .cancelled = &g->batch->cancelled};
    double began = clock_seconds(), before = began;
    note_job(h, began, g->first);
    g->waited = h->batch == g->batch->id ? began - h->ended : 0;
    for (job.number = g->first; job.number < g->first + g->count; job.number++) {
        bool good = do_job(g, &job, jobs->kind);
        double now = clock_seconds();
        if (now - before > g->longest)
            g->longest = now - before;
        before = now;
        if (!good)
            break;
    }
    g->seconds = before - began;
    h->ended = before;
    h->batch = g->batch->id;
}

/* Waits for a group; NULL if the crew ends. */
static struct group *next_group(struct crew *crew)
{
    pthread_mutex_lock(&crew->lock);
    while (crew->todo.first == NULL && !crew->ending)
        pthread_cond_wait(&crew->work, &crew->lock);
    struct group *g = crew->ending ? NULL : queue_take(&crew->todo);
    pthread_mutex_unlock(&crew->lock);
    return g;
}

static void *work(void *context)
{
    struct hand *h = context;
    struct crew *crew = h->crew;
    for (struct group *g; (g = next_group(crew)) != NULL;) {
        do_group(h, g);
        pthread_mutex_lock(&crew->lock);
        h->since = 0;
        queue_add(&crew->done, g);
        if (crew->todo.count <= crew->started) /* else nobody is in a hurry */
            pthread_cond_signal(&crew->results);
        pthread_mutex_unlock(&crew->lock);
    }
    return NULL;
}

/* ---- life cycle ---- */

/* Waits on `results` by the monotonic clock. */
static void init_locks(struct crew *crew)
{
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_mutex_init(&crew->lock, NULL);
    pthread_cond_init(&crew->work, NULL);
    pthread_cond_init(&crew->results, &monotonic);
    pthread_condattr_destroy(&monotonic);
}

/* Starts the threads. Signals go to the thread that started the program. */
static bool start_threads(struct crew *crew, struct error *err)
{
    sigset_t all, old;
    int failed = 0;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &old);
    for (; failed == 0 && crew->started < crew->jobs->threads; crew->started += failed == 0) {
        struct hand *h = &crew->hands[crew->started];
        *h = (struct hand){.crew = crew, .number = crew->started};
        failed = thread_start(&h->thread, work, h);
    }
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    return failed == 0 || error_set(err, "cannot start a thread: %s", strerror(failed));
}

struct crew *crew_create(const struct jobs *jobs, struct error *err)
{
    struct crew *crew = calloc(1, sizeof *crew + (size_t)jobs->threads * sizeof *crew->hands);
    if (crew == NULL) {
        error_set(err, "no memory for %d threads", jobs->threads);
        return NULL;
    }
    crew->jobs = jobs;
    queue_init(&crew->todo);
    queue_init(&crew->done);
    init_locks(crew);
    if (start_threads(crew, err))
        return crew;
    crew_destroy(crew);
    return NULL;
}

void crew_destroy(struct crew *crew)
{
    if (crew == NULL)
        return;
    pthread_mutex_lock(&crew->lock);
    crew->ending = true;
    pthread_cond_broadcast(&crew->work);
    pthread_mutex_unlock(&crew->lock);
    for (int i = 0; i < crew->started; i++)
        pthread_join(crew->hands[i].thread, NULL);
    free_groups(crew->todo.first);
    free_groups(crew->done.first);
    pthread_cond_destroy(&crew->work);
    pthread_cond_destroy(&crew->results);
    pthread_mutex_destroy(&crew->lock);
    free(crew);
}

/* ---- groups in and out ---- */

void crew_give(struct crew *crew, struct group *group)
{
    pthread_mutex_lock(&crew->lock);
    queue_add(&crew->todo, group);
    pthread_cond_signal(&crew->work);
    pthread_mutex_unlock(&crew->lock);
    crew->owed++;
}

/* The time of the monotonic clock in so many seconds. */
static struct timespec time_in(double seconds)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    long nanoseconds = t.tv_nsec + (long)(1e9 * seconds);
    t.tv_sec += nanoseconds / 1000000000;
    t.tv_nsec = nanoseconds % 1000000000;
    return t;
}

struct group *crew_take(struct crew *crew, double seconds)
{
    pthread_mutex_lock(&crew->lock);
    if (seconds > 0 && (crew->done.first == NULL || crew->todo.count > crew->started)) {
        const struct timespec end = time_in(seconds);
        while (pthread_cond_timedwait(&crew->results, &crew->lock, &end) != ETIMEDOUT &&
               crew->done.first == NULL)
            ;
    }
    struct group *done = crew->done.first;
    queue_init(&crew->done);
    pthread_mutex_unlock(&crew->lock);
    for (const struct group *g = done; g != NULL; g = g->next)
        crew->owed--;
    return done;
}

int crew_owes(const struct crew *crew)
{
    return crew->owed;
}

double crew_oldest(struct crew *crew, size_t *number)
{
    double now = clock_seconds(), oldest = 0;
    *number = 0;
    pthread_mutex_lock(&crew->lock);
    for (int i = 0; i < crew->started; i++)
        if (crew->hands[i].since > 0 && now - crew->hands[i].since > oldest) {
            oldest = now - crew->hands[i].since;
            *number = crew->hands[i].job;
        }
    pthread_mutex_unlock(&crew->lock);
    return oldest;
}

void crew_skip_pause(struct crew *crew, double seconds)
{
    pthread_mutex_lock(&crew->lock);
    for (int i = 0; i < crew->started; i++)
        crew->hands[i].since += crew->hands[i].since > 0 ? seconds : 0;
    pthread_mutex_unlock(&crew->lock);
}
