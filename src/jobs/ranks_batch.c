/* A batch of a shared list, on rank 0.
 *
 *   1. Groups of jobs go to the ranks in the order of numbers: to each so many that its threads have
 *      one at work and one to begin next. Rank 0's own threads are served in the same way.
 *   2. Short jobs go together, so that the network is not what is measured; long ones go one by one.
 *      Groups are large at first and shrink, so that the threads end together (pace.h).
 *   3. Results are taken in the order of jobs.
 *   4. A stop is passed on. Rank 0 does not wait long for what the others are doing then.
 *   5. A rank that dies or hangs ends the batch. What was taken before stays valid. A process of this
 *      machine is dead when it has ended, and not while it is stopped or slow; one of another machine
 *      when it has not spoken for long, or when mpirun ends all ranks and it does not say that it lives. */
#include "ranks_internal.h"

#include "clock.h"
#include "pace.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Seconds of rank 0 for a group, with room to spare. */
static const double SERVICE = 0.0001;

/* Bytes of results in a group. */
enum { GROUP_BYTES = 1 << 18 };

/* Seconds: between looks at the other ranks, which speak as often while they have work; for results after
 * a stop; without messages to a silent rank after SIGCONT, until mpirun would have ended this process. */
static const double LOOK = 0.25, RESULTS_LIMIT = 0.3, DOUBT_LIMIT = 5;

/* Looks of rank 0 at a silent rank of another machine: two minutes, of which none counts in which rank 0
 * is stopped. */
enum { SILENT_LOOKS = 480 };

/* The longest sleeps of rank 0, while jobs are left, and then: seconds. */
static const double NAP = 0.005, NAP_LAST = 0.001;

/* A job hangs if it takes so many times as long as the longest one before. */
enum { HANGS = 50 };

/* A running batch. */
struct shared_run {
    struct ranks *r;
    struct jobs *jobs;
    struct shared_list *list;
    const struct jobs_batch *batch;
    struct crew_batch here; /* for the threads of this process */
    void *block;            /* the copy */
    struct group **waiting; /* results that are not taken yet, by the first job of their group */
    struct checks *checks;  /* NULL: nothing is compared */
    struct pace pace;
    size_t due; /* the next result to take */
    bool enough, given_up, failed;
    size_t failed_at; /* the lowest job that returned a reason */
    struct error reason;
    bool told;    /* the others know that the batch ends early */
    double ended; /* when it did */
    double now, looked;
};

/* ---- results ---- */

/* Gives up the batch. Keeps the reason of the lowest job. */
static void give_up(struct shared_run *s, size_t number, const struct group *g)
{
    s->given_up = true;
    if (!g->failed || (s->failed && s->failed_at < number))
        return;
    s->failed = true;
    s->failed_at = number;
    s->reason = g->reason;
}

/* Takes all results that are due. */
static void take_due(struct shared_run *s)
{
    const struct jobs_batch *b = s->batch;
    struct group *g;
    while (!s->enough && s->due < b->count && (g = s->waiting[s->due]) != NULL) {
        s->waiting[s->due] = NULL;
        const size_t end = g->first + g->done;
        while (!s->enough && s->due < end) {
            s->enough = b->take != NULL &&
                        !b->take(b->taker, s->due, group_result(g, s->jobs->kind, s->due));
            s->due++;
        }
        free(g);
    }
}

/* The seconds that jobs should take in a thread of a rank. */
static double expected(const struct shared_run *s, int rank, double cost)
{
    return cost * s->list->rates[rank];
}

/* Estimates when a rank will have nothing to do. What it has at work counts in full. */
static void note_owed(struct shared_run *s, int rank, double cost)
{
    struct peer *p = &s->r->peers[rank];
    p->owed_cost += cost;
    p->idle_at = s->now + expected(s, rank, p->owed_cost) / p->threads;
}

/* Learns how long jobs take, and counts them for a rank. */
static void note_times(struct shared_run *s, int from, const struct group *g)
{
    struct shared_list *l = s->list;
    struct peer *p = &s->r->peers[from];
    s->r->times.groups++;
    s->r->times.waited += g->waited;
    p->jobs += (int64_t)g->done;
    p->busy += g->seconds;
    if (g->longest > l->longest)
        l->longest = g->longest;
    if (g->done > 0)
        l->rates[from] =
            pace_rate(l->rates[from], pace_cost(&s->pace, g->first, g->done), g->seconds);
    note_owed(s, from, -pace_cost(&s->pace, g->first, g->count));
}

/* Takes back a job that was done again. */
static void take_check(struct shared_run *s, int from, struct group *g)
{
    if (g->failed)
        give_up(s, g->first, g);
    if (g->done == 0)
        checks_return(s->checks, g);
    else if (!checks_take(s->checks, from, g))
        s->given_up = true;
}

/* Takes back a group that a rank has done, as far as it has. */
static void take_group(struct shared_run *s, int from, struct group *g)
{
    s->r->peers[from].owed--;
    note_times(s, from, g);
    if (g->checks) {
        take_check(s, from, g);
        return;
    }
    if (g->done < g->count)
        give_up(s, g->first + g->done, g);
    else if (s->checks != NULL && !checks_draw(s->checks, from, g))
        s->given_up = true;
    s->waiting[g->first] = g;
    take_due(s);
}

/* Makes a group of a message. NULL if it is none of this batch, or damaged. */
static struct group *read_group(const struct shared_run *s, const struct arrival *a)
{
    const struct message *m = &a->head;
    const struct job_kind *kind = s->jobs->kind;
    const size_t results = (size_t)m->bytes;
    if (m->kind != MESSAGE_RESULT || m->batch != s->here.id ||
        m->first + m->count > s->batch->count || m->done > m->count || results > a->size ||
        results > m->done * kind->result_size)
        return NULL;
    struct group *g = group_create(kind, (size_t)m->first, (size_t)m->done);
    if (g == NULL)
        return NULL;
    g->count = (size_t)m->count;
    g->done = (size_t)m->done;
    g->checks = (m->flags & MESSAGE_CHECKS) != 0;
    g->failed = (m->flags & MESSAGE_FAILED) != 0;
    g->stopped = (m->flags & MESSAGE_JOB_STOPPED) != 0;
    g->waited = m->waited;
    g->seconds = m->seconds;
    g->longest = m->longest;
    memcpy(g->results, a->bytes, results);
    if (g->failed)
        error_set(&g->reason, "%.*s (rank %d on host %s)", (int)(a->size - results),
                  (const char *)a->bytes + results, a->from, s->r->peers[a->from].host);
    return g;
}

/* Takes what the other ranks have sent. */
static void receive(struct shared_run *s)
{
    struct arrival a;
    while (ranks_receive(s->r, &a)) {
        struct group *g = read_group(s, &a);
        if (g != NULL)
            take_group(s, a.from, g);
        else if (a.head.kind == MESSAGE_RESULT && a.head.batch == s->here.id)
            ranks_break(s->r, "a result of rank %d on host %s arrived damaged", a.from,
                        s->r->peers[a.from].host);
        free(a.memory);
    }
}

/* Takes what the threads of this process have done. */
static void collect(struct shared_run *s, struct group *g)
{
    while (g != NULL) {
        struct group *next = g->next;
        take_group(s, 0, g);
        g = next;
    }
}

/* ---- handing out ---- */

/* The seconds that a full group of short jobs should take: the more threads there are, the longer, so
 * that rank 0 can serve all of them. */
static double group_seconds(const struct ranks *r)
{
    const double least = r->group_seconds, served = SERVICE * r->threads;
    return least > 0 && served > least ? served : least;
}

/* What all threads do in a second, as a cost; 0 if a rank has done none of these jobs yet. */
static double speed_of(const struct shared_run *s)
{
    double speed = 0;
    for (int rank = 0; rank < s->r->count; rank++) {
        if (s->list->rates[rank] <= 0)
            return 0;
        speed += s->r->peers[rank].threads / s->list->rates[rank];
    }
    return speed;
}

/* The number of jobs in the next group, if a rank gets it. */
static size_t size_for(const struct shared_run *s, int rank)
{
    const struct peer *p = &s->r->peers[rank];
    return pace_size(&s->pace, s->list->rates[rank], p->given < p->threads);
}

/* The number of groups that a rank should have, where the next one has so many jobs. */
static int wanted(const struct shared_run *s, int rank, size_t size)
{
    const double cost = pace_cost(&s->pace, s->pace.next, size);
    const int threads = rank == 0 ? s->jobs->threads : s->r->peers[rank].threads;
    return pace_groups(expected(s, rank, cost), threads, rank == 0);
}

/* Sends a group to another rank, and before the first one the block. */
static bool send_group(struct shared_run *s, int to, const struct group *g)
{
    struct peer *p = &s->r->peers[to];
    struct message head = {.kind = MESSAGE_BATCH,
                           .scope = s->list->scope->number,
                           .list = s->list->number,
                           .batch = s->here.id};
    bool sent = p->told || ranks_send(s->r, to, &head, s->block, s->batch->block_size, NULL, 0);
    p->told = true;
    head.kind = MESSAGE_GROUP;
    head.flags = g->checks ? MESSAGE_CHECKS : 0;
    head.first = g->first;
    head.count = g->count;
    head.seconds = g->expected;
    if (p->owed == 0)
        p->heard = s->now; /* from now on it beats */
    p->owed++;
    return (sent && ranks_send(s->r, to, &head, NULL, 0, NULL, 0)) ||
           ranks_break(s->r, "cannot reach rank %d on host %s", to, p->host);
}

/* Gives a group to a rank. Another rank needs its numbers only. */
static bool give(struct shared_run *s, int to, struct group *g)
{
    const double cost = pace_cost(&s->pace, g->first, g->count);
    g->expected = expected(s, to, cost);
    note_owed(s, to, cost);
    s->r->peers[to].given++;
    if (to == 0) {
        g->batch = &s->here;
        s->r->peers[0].owed++;
        crew_give(s->list->crew, g);
        return true;
    }
    bool sent = send_group(s, to, g);
    free(g);
    return sent;
}

/* The next group for a rank: a job to compare, or the next jobs. NULL if there is none. */
static struct group *next_group(struct shared_run *s, int rank, size_t size)
{
    struct group *g = s->checks != NULL ? checks_next(s->checks, rank) : NULL;
    if (g != NULL || s->pace.next == s->batch->count)
        return g;
    g = group_create(s->jobs->kind, s->pace.next, rank == 0 ? size : 0);
    if (g == NULL) {
        s->given_up = true;
        error_set(&s->reason, "no memory for the results of %zu jobs", size);
        s->failed = true;
        s->failed_at = s->pace.next;
        return NULL;
    }
    g->count = size;
    pace_give(&s->pace, size);
    return g;
}

/* The rank that should be the first to have nothing to do, of those that may want a group; -1: none. */
static int idlest(const struct shared_run *s)
{
    int best = -1;
    for (int rank = 0; rank < s->r->count; rank++) {
        const struct peer *p = &s->r->peers[rank], *q = &s->r->peers[best < 0 ? rank : best];
        const bool sooner =
            p->idle_at < q->idle_at || (p->idle_at <= q->idle_at && p->owed < q->owed);
        if (!p->full && (best < 0 || sooner))
            best = rank;
    }
    return best;
}

/* Gives each rank as many groups as it should have; while jobs are few, to whom they serve most. A rank
 * that may be dead gets nothing: MPI may never return from sending to it. */
static void hand_out(struct shared_run *s)
{
    for (int rank = 0; rank < s->r->count; rank++)
        s->r->peers[rank].full = ranks_is_doubtful(s->r, rank);
    for (int rank; !s->enough && !s->given_up && !s->r->broken && (rank = idlest(s)) >= 0;) {
        const size_t size = size_for(s, rank);
        const bool wants = s->r->peers[rank].owed < wanted(s, rank, size);
        struct group *g = wants ? next_group(s, rank, size) : NULL;
        s->r->peers[rank].full = g == NULL || !give(s, rank, g);
    }
}

/* ---- faults ---- */

/* Seconds that a job may take now. */
static double job_limit(const struct shared_run *s)
{
    return fmax(fmax(HANGS * s->list->longest, s->batch->job_seconds), s->r->job_limit);
}

/* Breaks if a rank that has work says nothing, or if a job of it hangs. */
static bool has_word(const struct shared_run *s, int rank)
{
    struct peer *p = &s->r->peers[rank];
    p->silent_looks = p->local || p->owed == 0 || p->heard >= s->looked ? 0 : p->silent_looks + 1;
    if (p->owed == 0)
        return true;
    if (p->silent_looks > SILENT_LOOKS)
        return ranks_break(s->r, "rank %d on host %s has not answered for %.0f s", rank, p->host,
                           s->now - p->heard);
    return p->job_age <= job_limit(s) ||
           ranks_break(s->r, "rank %d on host %s hangs: its job %zu has taken %.0f s", rank,
                       p->host, p->job + 1, p->job_age);
}

/* Looks at the other ranks now and then. */
static void look(struct shared_run *s)
{
    if (s->now - s->looked < LOOK)
        return;
    bool good = ranks_all_live(s->r);
    for (int rank = 1; good && rank < s->r->count; rank++)
        good = has_word(s, rank);
    s->looked = s->now;
}

/* Notes SIGCONT: a rank may have died, or this process was stopped. All that live say so then. */
static void note_call(struct shared_run *s)
{
    struct ranks *r = s->r;
    if (ranks_were_continued()) {
        r->called = s->now;
        ranks_all_live(r);
    } else if (s->now - r->called > DOUBT_LIMIT)
        r->called = 0;
}

/* ---- the end of a batch ---- */

static bool is_stopped(const struct shared_run *s)
{
    return s->batch->stop != NULL && *s->batch->stop != 0;
}

/* Tells all others that the batch ends early. */
static void tell_end(struct shared_run *s)
{
    const struct message head = {
        .kind = MESSAGE_STOP,
        .batch = s->here.id,
        .count = is_stopped(s) ? (uint64_t)*s->batch->stop : 0,
    };
    s->told = true;
    s->ended = s->now;
    atomic_store(&s->here.cancelled, true);
    for (int to = 1; to < s->r->count; to++)
        if (!ranks_is_doubtful(s->r, to))
            ranks_send(s->r, to, &head, NULL, 0, NULL, 0);
}

/* True if the others have nothing that this batch waits for. */
static bool may_leave(const struct shared_run *s)
{
    int owed = 0;
    for (int rank = 1; rank < s->r->count; rank++)
        owed += ranks_is_doubtful(s->r, rank) ? 0 : s->r->peers[rank].owed;
    return owed == 0 ||
           (s->told && (s->enough || s->r->broken || s->now - s->ended > RESULTS_LIMIT));
}

/* True if the batch is over, and no thread of this process works on it. */
static bool is_over(struct shared_run *s)
{
    s->given_up = s->given_up || is_stopped(s) || s->r->broken;
    /* Jobs below one that failed may fail as well, and are taken. */
    const bool below = s->failed && s->due < s->failed_at && !is_stopped(s) && !s->r->broken;
    const bool early = s->enough || (s->given_up && !below);
    const bool taken = s->due == s->batch->count && (s->checks == NULL || !checks_wait(s->checks));
    if (early && !taken && !s->told)
        tell_end(s);
    return (early || taken) && crew_owes(s->list->crew) == 0 && may_leave(s);
}

/* Looks who has died, where mpirun ends all ranks: it sends SIGCONT, and SIGTERM a second later. */
static void call_roll(struct shared_run *s)
{
    struct ranks *r = s->r;
    if (!is_stopped(s) || *s->batch->stop != SIGTERM)
        return;
    ranks_all_live(r);
    for (int rank = 1; rank < r->count; rank++)
        if (ranks_is_doubtful(r, rank))
            ranks_break(
                r, "rank %d on host %s has died, or does not answer; what was measured is kept",
                rank, r->peers[rank].host);
}

/* ---- the loop ---- */

/* Adds the time of threads that have no job because none is left. */
static void note_idle(struct shared_run *s, double seconds)
{
    struct rank_times *t = &s->r->times;
    double idle = 0;
    if (s->pace.next < s->batch->count)
        return;
    for (int rank = 0; rank < s->r->count; rank++) {
        const struct peer *p = &s->r->peers[rank];
        idle += p->owed < p->threads ? p->threads - p->owed : 0;
    }
    *(s->batch->count < (size_t)s->r->threads ? &t->few : &t->tail) += idle * seconds;
}

/* Seconds to sleep before the next look for messages: until half of the time has passed in which a rank
 * may do all that it has. Towards the end of the batch, and where threads have no queue, a result is
 * wanted at once. The threads of this process wake it. */
static double next_nap(const struct shared_run *s)
{
    double first = HUGE_VAL, most = s->pace.next == s->batch->count ? NAP_LAST : NAP;
    for (int rank = 1; rank < s->r->count; rank++) {
        const struct peer *p = &s->r->peers[rank];
        if (p->owed == 0)
            continue;
        if (p->owed <= p->threads && s->pace.next < s->batch->count)
            most = NAP_LAST;
        first = p->idle_at < first ? p->idle_at : first;
    }
    return first < HUGE_VAL ? pace_nap(first - s->now, most) : most;
}

/* Hands out jobs and takes results until the batch is over. */
static void serve(struct shared_run *s)
{
    s->now = s->looked = clock_seconds();
    note_call(s);
    hand_out(s);
    while (!is_over(s)) {
        struct group *done = crew_take(s->list->crew, next_nap(s));
        const double now = clock_seconds();
        note_idle(s, now - s->now);
        s->now = now;
        collect(s, done);
        receive(s);
        note_call(s);
        hand_out(s);
        look(s);
    }
    call_roll(s);
}

static bool init(struct shared_run *s, struct error *err)
{
    const struct jobs_batch *b = s->batch;
    struct ranks *r = s->r;
    s->block = malloc(b->block_size + 1);
    s->waiting = calloc(b->count + 1, sizeof *s->waiting);
    if (s->block == NULL || s->waiting == NULL)
        return error_set(err, "no memory for %zu jobs", b->count);
    if (r->check_share > 0 && s->list->scope->repeats &&
        (s->checks = checks_create(r, s->jobs->kind)) == NULL)
        return error_set(err, "no memory to compare results");
    if (b->block_size > 0)
        memcpy(s->block, b->block, b->block_size);
    s->pace = (struct pace){.count = b->count,
                            .costs = b->costs,
                            .cost_count = b->cost_count,
                            .group_seconds = group_seconds(r),
                            .fits = GROUP_BYTES / (s->jobs->kind->result_size + 1) + 1,
                            .threads = r->threads,
                            .speed = speed_of(s)};
    pace_begin(&s->pace);
    s->here.id = ++r->batches;
    s->here.block = s->block;
    s->here.stop = b->stop;
    for (int rank = 0; rank < r->count; rank++) {
        struct peer *p = &r->peers[rank];
        p->told = false;
        p->silent_looks = 0;
        p->given = p->owed = 0;
        p->owed_cost = p->idle_at = 0;
        p->job_age = 0;
    }
    return true;
}

static void finish(struct shared_run *s)
{
    for (size_t i = s->due; s->waiting != NULL && i < s->pace.next; i++)
        free(s->waiting[i]);
    free(s->waiting);
    free(s->block);
    checks_destroy(s->checks);
}

/* Returns how the batch ended. */
static enum jobs_end end_of(const struct shared_run *s, struct error *err)
{
    const struct ranks *r = s->r;
    if (r->broken) {
        error_set(err, "%s", r->reason.text);
        return JOBS_FAILED;
    }
    if (s->enough || s->due == s->batch->count)
        return JOBS_DONE;
    if (!s->failed)
        return JOBS_STOPPED;
    error_set(err, "%s", s->reason.text);
    return JOBS_FAILED;
}

/* The processor time of this thread, in seconds. */
static double thread_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

enum jobs_end ranks_run(struct jobs *jobs, const struct jobs_batch *batch, struct error *err)
{
    struct ranks *r = ranks_here();
    struct shared_run s = {.r = r, .jobs = jobs, .list = jobs->shared, .batch = batch};
    enum jobs_end end = JOBS_FAILED;
    const double began = clock_seconds(), served = thread_seconds();
    if (r->times.began <= 0)
        r->times.began = began;
    if (r->broken)
        error_set(err, "%s", r->reason.text);
    else if (init(&s, err)) {
        serve(&s);
        end = end_of(&s, err);
    }
    finish(&s);
    const double seconds = clock_seconds() - began;
    r->times.batches++;
    r->times.in_batches += seconds;
    r->times.in_few += batch->count < (size_t)r->threads ? seconds : 0;
    r->times.serving += thread_seconds() - served;
    return end;
}
