/* Jobs for other ranks whose results can be seen through, and ranks that misbehave.
 *
 *     mpirun -n 4 ranks_toy WHAT [RANK]
 *
 *     sum          several batches of two lists; prints what was taken
 *     enough       takes 100 results of 1,000,000 jobs, then runs another batch
 *     stop         sets the stop flag after 100 results
 *     fail         job 700 and later ones fail
 *     die          RANK kills itself in a job
 *     refuse       RANK cannot build the lists
 *     sleep        five batches of 400 jobs that sleep for 10 to 30 ms: a cluster with any number of
 *                  cores; the seconds of a batch, and what the model of docs/cluster.md needs
 *
 * Prints "grayling: reason" and returns 1 where a batch fails. */
#include "clock.h"
#include "ranks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { LISTS = 2 };

/* What the lists are created from, on each rank. */
struct toy {
    char what[16];
    int rank, villain;
    uint64_t factor[LISTS]; /* of a list's results */
    struct toy_list {
        const struct toy *toy;
        int number;
        struct jobs *jobs;
    } lists[LISTS];
};

/* What rank 0 takes. */
struct taken {
    size_t count, enough;
    uint64_t sum;
    bool disorder;
    volatile sig_atomic_t stop;
    size_t stop_at;
};

static int own_rank, villain = -1;

static bool is(const struct toy *t, const char *what)
{
    return strcmp(t->what, what) == 0;
}

/* Sleeps for some milliseconds. */
static void rest(int milliseconds)
{
    const struct timespec t = {milliseconds / 1000, milliseconds % 1000 * 1000000L};
    nanosleep(&t, NULL);
}

static bool work(struct job *job, void *result, struct error *err)
{
    const struct toy_list *l = job->context;
    const struct toy *t = l->toy;
    const uint64_t *add = job->block;
    uint64_t *sum = result;
    *sum = job->number * t->factor[l->number] + (add == NULL ? 0 : *add);
    if (is(t, "sleep"))
        rest(10 + (int)(job->number * 2654435761U % 21));
    if (is(t, "stop") || is(t, "die"))
        rest(2); /* long enough for each rank to get some */
    if (is(t, "fail") && job->number >= 700)
        return error_set(err, "job %zu fails", job->number);
    if (is(t, "die") && t->rank == t->villain && job->number > 20)
        raise(SIGKILL);
    return true;
}

static const struct job_kind kind = {.result_size = sizeof(uint64_t), .work = work, .name = "toy"};

static void destroy(void *built)
{
    struct toy *t = built;
    for (int i = 0; i < LISTS; i++)
        jobs_destroy(t->lists[i].jobs);
    free(t);
}

static struct toy *create(const char *text, int threads, struct error *err)
{
    struct toy *t = calloc(1, sizeof *t);
    if (t == NULL)
        abort();
    snprintf(t->what, sizeof t->what, "%s", text);
    t->rank = own_rank;
    t->villain = villain;
    bool good =
        !is(t, "refuse") || own_rank != villain || error_set(err, "cannot start 'no-such-engine'");
    for (int i = 0; good && i < LISTS; i++) {
        t->factor[i] = 3 + 4 * (uint64_t)i;
        t->lists[i] = (struct toy_list){.toy = t, .number = i};
        t->lists[i].jobs = jobs_create(&kind, &t->lists[i], threads, err);
        good = t->lists[i].jobs != NULL;
    }
    if (good)
        return t;
    destroy(t);
    return NULL;
}

static void *build(const void *text, size_t size, int threads, struct error *err)
{
    (void)size;
    return create(text, threads, err);
}

static const struct ranks_builder builder = {"toy", build, destroy};

static bool take(void *taker, size_t number, void *result)
{
    struct taken *t = taker;
    const uint64_t *sum = result;
    t->disorder = t->disorder || number != t->count;
    t->sum = t->sum * 31 + *sum;
    t->count++;
    if (t->count == t->stop_at)
        t->stop = SIGINT;
    return t->enough == 0 || t->count < t->enough;
}

/* Runs a batch of a list and prints what was taken. */
static bool run_batch(struct toy *t, int list, size_t count, struct taken *taken, struct error *err)
{
    static const char *const ends[] = {"done", "stopped", "failed"};
    const uint64_t add = count;
    const struct jobs_batch batch = {.count = count,
                                     .block = &add,
                                     .block_size = sizeof add,
                                     .stop = &taken->stop,
                                     .taker = taken,
                                     .take = take};
    enum jobs_end end = jobs_run(t->lists[list].jobs, &batch, err);
    if (taken->stop_at > 0)
        printf("%s %s\n", ends[end], taken->disorder ? "disorder" : "in order");
    else
        printf("%s %zu %llu %s\n", ends[end], taken->count, (unsigned long long)taken->sum,
               taken->disorder ? "disorder" : "in order");
    return end != JOBS_FAILED;
}

/* The seconds of a batch whose jobs sleep. */
static bool sleep_batches(struct toy *t, struct error *err)
{
    enum { BATCHES = 5, JOBS = 400 };
    struct ranks_report all;
    const double began = clock_seconds();
    for (int i = 0; i < BATCHES; i++) {
        struct taken taken = {0};
        if (!run_batch(t, 0, JOBS, &taken, err))
            return false;
    }
    const double seconds = clock_seconds() - began;
    if (!ranks_report(&all))
        return true;
    printf("threads %d\nbatch %.4f s\njobs %d\n", all.threads, seconds / BATCHES, JOBS);
    printf("job %.3f ms\nservice %.2f us\n", 1e3 * all.busy / (double)all.jobs,
           1e6 * all.serving / (double)all.groups);
    return true;
}

/* Runs the batches. */
static bool run(struct toy *t, struct error *err)
{
    struct taken taken[6] = {0};
    const size_t many = 1000000;
    if (is(t, "sleep"))
        return sleep_batches(t, err);
    if (is(t, "enough")) {
        taken[0].enough = 100;
        return run_batch(t, 0, many, &taken[0], err) && run_batch(t, 0, 500, &taken[1], err);
    }
    if (is(t, "stop")) {
        taken[0].stop_at = 100;
        return run_batch(t, 1, many, &taken[0], err) && run_batch(t, 0, 50, &taken[1], err);
    }
    const size_t few = is(t, "die") ? 1000 : 2000; /* jobs of 2 ms */
    for (int i = 0; i < 6; i++)
        if (!run_batch(t, i % 2, i == 3 ? 3 : few, &taken[i], err))
            return false;
    return true;
}

/* Creates the lists on all ranks, and runs. */
static int lead(const char *what)
{
    struct error err = {""};
    ranks_share("toy", what, strlen(what), jobs_threads());
    struct toy *t = create(what, jobs_threads(), &err);
    bool good = ranks_shared(t != NULL, &err) && run(t, &err);
    if (t != NULL)
        destroy(t);
    if (!good)
        fprintf(stderr, "grayling: %s\n", err.text);
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}

int main(int argc, char **argv)
{
    static const struct job_kind *const kinds[] = {NULL};
    const char *rank = getenv("OMPI_COMM_WORLD_RANK");
    struct error err;
    rank = rank != NULL ? rank : getenv("PMI_RANK");
    own_rank = rank != NULL ? atoi(rank) : 0;
    villain = argc > 2 ? atoi(argv[2]) : -1;
    enum ranks_role role = ranks_begin(argc, argv, &err);
    if (role == RANKS_OTHER)
        return ranks_serve(kinds, &builder);
    int code = role == RANKS_REFUSED || argc < 2 ? EXIT_FAILURE : lead(argv[1]);
    if (role == RANKS_REFUSED)
        fprintf(stderr, "grayling: %s\n", err.text);
    else
        ranks_end();
    return code;
}
