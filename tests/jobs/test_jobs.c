/* The list of jobs: the same results in the same order, whoever does them and whenever. */
#include "jobs.h"

#include <criterion/criterion.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { COUNT = 200, BEYOND = 60, THREADS_MAX = 5 };

/* What the jobs know: those that should not be begun take so long that a thread which the machine
 * holds up does not make it look as if they had to be. */
struct context {
    size_t give_up_at, fail_at; /* COUNT: none */
    bool slow;                  /* jobs beyond BEYOND take long */
    int most_workers;           /* so many can be begun */
    atomic_int *workers;        /* begun and not finished */
    atomic_bool *begun;         /* by job */
};

struct worker {
    atomic_bool busy; /* one thread is with it */
    int jobs;
    atomic_int *workers;
};

/* What the submitter has of a batch. */
struct submitter {
    size_t enough_at; /* so many are enough; COUNT + 1: never */
    size_t stop_at;   /* `stop` is set when so many are taken; 0: never */
    volatile sig_atomic_t stop;
    size_t taken;
    uint64_t sum;
    bool out_of_order;
};

static void *begin(const void *context, struct error *err)
{
    const struct context *c = context;
    if (*c->workers == c->most_workers) {
        error_set(err, "no room");
        return NULL;
    }
    struct worker *w = calloc(1, sizeof *w);
    w->workers = c->workers;
    ++*w->workers;
    return w;
}

static void finish(void *worker)
{
    struct worker *w = worker;
    --*w->workers;
    free(w);
}

/* number^2 + the block's number. */
static bool work(struct job *job, void *result, struct error *err)
{
    const struct context *c = job->context;
    const uint64_t *block = job->block;
    struct worker *w = job->worker;
    uint64_t *out = result;
    const size_t n = job->number;
    cr_assert_not(atomic_exchange(&w->busy, true), "two threads with one worker");
    cr_assert_eq(*out, 0);
    bool slow = c->slow && n > BEYOND;
    const struct timespec nap = {.tv_nsec = slow ? 5000000 : n % 7 == 0 ? 300000 : 1000};
    nanosleep(&nap, NULL);
    atomic_store(&c->begun[n], true);
    w->jobs++;
    *out = n * n + *block;
    atomic_store(&w->busy, false);
    if (n == c->fail_at)
        return error_set(err, "job %zu has failed", n);
    return n != c->give_up_at;
}

static bool take(void *taker, size_t number, void *result)
{
    struct submitter *s = taker;
    const uint64_t *value = result;
    s->out_of_order = s->out_of_order || number != s->taken;
    s->sum += *value * (number + 1);
    s->taken++;
    if (s->taken == s->stop_at)
        s->stop = 1;
    return s->taken < s->enough_at;
}

static const struct job_kind kind = {
    .result_size = sizeof(uint64_t), .begin = begin, .finish = finish, .work = work};

/* A list with what it borrows. */
struct list {
    struct context context;
    atomic_int workers;
    atomic_bool begun[COUNT];
    struct jobs *jobs;
};

static void list_init(struct list *l, int threads)
{
    struct error err = {""};
    *l = (struct list){.context = {.give_up_at = COUNT, .fail_at = COUNT, .most_workers = threads}};
    l->context.workers = &l->workers;
    l->context.begun = l->begun;
    l->jobs = jobs_create(&kind, &l->context, threads, &err);
    cr_assert_not_null(l->jobs, "%s", err.text);
    cr_assert_eq(l->workers, threads);
}

static void list_finish(struct list *l)
{
    jobs_destroy(l->jobs);
    cr_expect_eq(l->workers, 0, "workers are finished");
}

static enum jobs_end run(struct list *l, struct submitter *s, uint64_t block, struct error *err)
{
    const struct jobs_batch batch = {.count = COUNT,
                                     .block = &block,
                                     .block_size = sizeof block,
                                     .stop = &s->stop,
                                     .taker = s,
                                     .take = take};
    l->context.slow = l->context.give_up_at < COUNT || l->context.fail_at < COUNT ||
                      s->enough_at <= COUNT || s->stop_at > 0;
    enum jobs_end end = jobs_run(l->jobs, &batch, err);
    cr_expect_not(s->out_of_order);
    return end;
}

/* The sum of the first `count` results. */
static uint64_t sum_of(size_t count, uint64_t block)
{
    uint64_t sum = 0;
    for (size_t n = 0; n < count; n++)
        sum += (n * n + block) * (n + 1);
    return sum;
}

/* What ends a batch: nothing, enough results, a job that gives up or fails, a stop of the submitter. Results are
 * taken in order up to there, by any number of threads, and jobs after it are not done. */
Test(jobs, a_batch_yields_its_results_or_a_prefix)
{
    enum { NEVER = COUNT + 1 };
    static const struct {
        size_t enough_at, stop_at, give_up_at, fail_at;
        enum jobs_end end;
        size_t taken; /* at least so many where it is stopped by the submitter */
        const char *reason;
    } cases[] = {
        {NEVER, 0, COUNT, COUNT, JOBS_DONE, COUNT, ""},
        {30, 0, COUNT, COUNT, JOBS_DONE, 30, ""},
        {NEVER, 0, 0, COUNT, JOBS_STOPPED, 0, ""},
        {NEVER, 0, 49, COUNT, JOBS_STOPPED, 49, ""},
        {NEVER, 0, 41, 40, JOBS_FAILED, 40, "job 40 has failed"}, /* the first that failed */
        {40, 0, COUNT, 40, JOBS_DONE, 40, ""},
        {NEVER, 20, COUNT, COUNT, JOBS_STOPPED, 20, ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        for (int threads = 1; threads <= THREADS_MAX; threads++) {
            struct list l;
            struct error err = {""};
            struct submitter s = {.enough_at = cases[i].enough_at, .stop_at = cases[i].stop_at};
            list_init(&l, threads);
            l.context.give_up_at = cases[i].give_up_at;
            l.context.fail_at = cases[i].fail_at;
            cr_expect_eq(run(&l, &s, 1, &err), cases[i].end, "case %zu", i);
            cr_expect_str_eq(err.text, cases[i].reason);
            cr_expect(s.taken == cases[i].taken ||
                          (s.stop_at > 0 && s.taken > s.stop_at && s.taken < COUNT),
                      "case %zu: %zu", i, s.taken);
            cr_expect_eq(s.sum, sum_of(s.taken, 1));
            cr_expect(i == 0 || !l.begun[COUNT - 1], "the rest is not done");
            l.context.give_up_at = l.context.fail_at = COUNT;
            for (uint64_t block = 3; block < 6; block++) {
                s = (struct submitter){.enough_at = NEVER};
                cr_expect_eq(run(&l, &s, block, NULL), JOBS_DONE, "it can be run again");
                cr_expect(s.taken == COUNT && s.sum == sum_of(COUNT, block), "%d threads", threads);
                cr_expect_eq(l.workers, threads, "with the same workers");
            }
            list_finish(&l);
        }
}

/* As a worker whose engine is slow to quit: it waits until all others finish, too, or half a minute. */
static void finish_together(void *worker)
{
    const struct timespec millisecond = {.tv_nsec = 1000000};
    struct worker *w = worker;
    --*w->workers;
    for (int i = 0; *w->workers > 0 && i < 30000; i++)
        nanosleep(&millisecond, NULL);
    cr_expect_eq(*w->workers, 0, "a worker waits for another one to finish");
    free(w);
}

Test(jobs, workers_finish_at_the_same_time)
{
    static const struct job_kind slow = {.begin = begin, .finish = finish_together};
    atomic_int workers = 0;
    const struct context context = {.most_workers = 8, .workers = &workers};
    struct error err = {""};
    struct jobs *jobs = jobs_create(&slow, &context, 8, &err);
    cr_assert_not_null(jobs, "%s", err.text);
    cr_expect_eq(workers, 8);
    jobs_destroy(jobs);
}

Test(jobs, a_worker_that_cannot_begin_is_a_sentence)
{
    struct error err = {""};
    atomic_int workers = 0;
    const struct context context = {.most_workers = 2, .workers = &workers};
    cr_expect_null(jobs_create(&kind, &context, 4, &err));
    cr_expect_str_eq(err.text, "thread 3 of 4: no room");
    cr_expect_eq(workers, 0, "those that had begun are finished");
    jobs_destroy(NULL);
}

/* ---- what a job is told ---- */

/* Waits until its result is not wanted, or for half a minute. */
static bool wait_if_second(struct job *job, void *result, struct error *err)
{
    const struct timespec nap = {.tv_nsec = 1000000};
    (void)result, (void)err;
    for (int i = 0; i < 30000 && job->number > 0 && !atomic_load(job->cancelled); i++)
        nanosleep(&nap, NULL);
    return job->number == 0;
}

static bool take_one(void *taker, size_t number, void *result)
{
    (void)taker, (void)number, (void)result;
    return false;
}

Test(jobs, jobs_that_are_not_wanted_any_more_are_told)
{
    const struct job_kind waits = {.work = wait_if_second};
    const struct jobs_batch batch = {.count = 2, .take = take_one};
    time_t began = time(NULL);
    cr_expect_eq(jobs_run_once(&waits, NULL, 2, &batch, NULL), JOBS_DONE);
    cr_expect_lt(time(NULL) - began, 20);
}

/* The block is the list's own: the submitter may write into what it was given. */
static bool copy_block(struct job *job, void *result, struct error *err)
{
    (void)err;
    memcpy(result, job->block, sizeof(uint64_t));
    return true;
}

static bool overwrite_block(void *taker, size_t number, void *result)
{
    uint64_t *block = taker;
    const uint64_t *seen = result;
    cr_expect_eq(*seen, 7, "job %zu", number);
    *block = 8;
    return true;
}

Test(jobs, the_block_is_copied)
{
    const struct job_kind copies = {.result_size = sizeof(uint64_t), .work = copy_block};
    uint64_t block = 7;
    const struct jobs_batch batch = {.count = 50,
                                     .block = &block,
                                     .block_size = sizeof block,
                                     .taker = &block,
                                     .take = overwrite_block};
    cr_expect_eq(jobs_run_once(&copies, NULL, 2, &batch, NULL), JOBS_DONE);
    cr_expect_eq(block, 8);
}

Test(jobs, there_may_be_none)
{
    struct list l;
    const struct jobs_batch batch = {.take = take_one};
    list_init(&l, 2);
    cr_expect_eq(jobs_run(l.jobs, &batch, NULL), JOBS_DONE);
    list_finish(&l);
    cr_expect_geq(jobs_threads(), 1);
}
