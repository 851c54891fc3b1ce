/* Jobs that race: each adds to one counter without a lock. ThreadSanitizer must find it (.ci/threads).
 *
 *     racing_jobs [apart]        apart: each adds to a counter of its own, which is no race */
#include "jobs.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { JOBS = 1000, THREADS = 4 };

struct counters {
    int64_t *at;
    bool apart;
};

static bool add(struct job *job, void *result, struct error *err)
{
    const struct counters *c = job->context;
    (void)err;
    nanosleep(&(struct timespec){.tv_nsec = 10000}, NULL); /* so that each thread has some jobs */
    memset(result, 0, sizeof(int64_t));
    c->at[c->apart ? job->number : 0]++;
    return true;
}

static bool take(void *taker, size_t number, void *result)
{
    (void)taker;
    (void)number;
    (void)result;
    return true;
}

int main(int count, char **words)
{
    static int64_t at[JOBS];
    static const struct job_kind kind = {.result_size = sizeof(int64_t), .work = add};
    const struct counters c = {.at = at, .apart = count > 1 && strcmp(words[1], "apart") == 0};
    const struct jobs_batch batch = {.count = JOBS, .take = take};
    struct error err = {""};
    bool done = jobs_run_once(&kind, &c, THREADS, &batch, &err) == JOBS_DONE;
    printf("%lld\n", (long long)at[0]);
    return !done;
}
