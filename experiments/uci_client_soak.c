/* Whether the client of UCI engines holds out: memory and descriptors over many searches, of which
 * one worker of four is a villain.
 *
 *   uci_client_soak POSITIONS.epd COUNT NODES GOOD_ENGINE VILLAIN
 *
 * VILLAIN is the command of one that misbehaves, such as 'build/tests/villain --every 9 --crash'.
 * Searches so many positions, over and over, and starts the villain again after each fault. Prints
 * the process's memory and open descriptors ten times on the way. Exit code 1 if a position was not
 * searched, or if memory or descriptors grow after the first tenth. Positions go out in batches of the
 * same size, so that the list of jobs does not grow either. */
#include "clock.h"
#include "epd.h"
#include "jobs.h"
#include "uci_client.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORKERS = 4, LOOKS = 10, BATCH = 500, KIB_MORE = 256 };

struct soak {
    struct dataset data;
    struct uci_limits limits;
    const char *good, *villain;
    atomic_int begun;
    atomic_size_t faults;
    size_t count, searched;
    long first_memory, last_memory; /* KiB, after the first tenth and at the last look */
    int first_descriptors, last_descriptors;
    double began;
};

static void die(const char *reason)
{
    fprintf(stderr, "uci_client_soak: %s\n", reason);
    exit(2);
}

/* Resident memory of this process in KiB. */
static long memory_used(void)
{
    char line[128];
    long used = 0;
    FILE *in = fopen("/proc/self/status", "r");
    while (in != NULL && fgets(line, sizeof line, in) != NULL)
        sscanf(line, "VmRSS: %ld", &used);
    if (in != NULL)
        fclose(in);
    return used;
}

static int descriptors_open(void)
{
    int count = -3; /* the folder itself, and the names . and .. */
    DIR *d = opendir("/proc/self/fd");
    while (d != NULL && readdir(d) != NULL)
        count++;
    if (d != NULL)
        closedir(d);
    return count;
}

/* ---- jobs ---- */

static void *begin_worker(const void *context, struct error *err)
{
    struct soak *soak = (struct soak *)(uintptr_t)context;
    bool first = atomic_fetch_add(&soak->begun, 1) == 0;
    const struct uci_settings settings = {.command = first ? soak->villain : soak->good};
    return uci_client_start(&settings, err);
}

static void finish_worker(void *worker)
{
    uci_client_stop(worker);
}

/* Searches a position, again after a fault. */
static bool search_job(struct job *job, void *result, struct error *err)
{
    struct soak *soak = (struct soak *)(uintptr_t)job->context;
    const struct position *p = &soak->data.items[job->number % soak->data.count].position;
    struct error reason;
    int *done = result;
    for (;;) {
        const struct uci_outcome outcome =
            uci_client_search(job->worker, p, NULL, 0, &soak->limits, NULL, &reason);
        *done = outcome.end == UCI_MOVE;
        if (*done)
            return true;
        atomic_fetch_add(&soak->faults, 1);
        if (!uci_client_restart(job->worker, err))
            return false;
    }
}

/* Prints what is used. */
static void look(struct soak *soak)
{
    soak->last_memory = memory_used();
    soak->last_descriptors = descriptors_open();
    if (soak->first_memory == 0) {
        soak->first_memory = soak->last_memory;
        soak->first_descriptors = soak->last_descriptors;
    }
    printf("%9zu positions  %6.0f s  %7zu faults  %6ld KiB  %3d descriptors\n", soak->searched,
           clock_seconds() - soak->began, atomic_load(&soak->faults), soak->last_memory,
           soak->last_descriptors);
    fflush(stdout);
}

static bool take(void *taker, size_t number, void *result)
{
    struct soak *soak = taker;
    (void)number;
    soak->searched += *(int *)result != 0;
    return true;
}

/* Searches all positions, batch by batch. */
static bool run(struct soak *soak, struct jobs *jobs, struct error *err)
{
    const struct jobs_batch batch = {.count = BATCH, .taker = soak, .take = take};
    size_t batches = soak->count / BATCH;
    for (size_t i = 1; i <= batches; i++) {
        if (jobs_run(jobs, &batch, err) != JOBS_DONE)
            return false;
        if (i * LOOKS / batches > (i - 1) * LOOKS / batches)
            look(soak);
    }
    return true;
}

int main(int argc, char **argv)
{
    static const struct job_kind kind = {.result_size = sizeof(int),
                                         .begin = begin_worker,
                                         .finish = finish_worker,
                                         .work = search_job};
    static struct soak soak;
    struct error err;
    if (argc != 6 || (soak.count = strtoull(argv[2], NULL, 10)) < LOOKS * BATCH) {
        fputs("usage: uci_client_soak POSITIONS.epd COUNT NODES GOOD_ENGINE VILLAIN\n", stderr);
        return 2;
    }
    soak.limits.nodes = strtoull(argv[3], NULL, 10);
    soak.good = argv[4];
    soak.villain = argv[5];
    if (!dataset_load(&soak.data, argv[1], EPD_ANY, &err))
        die(err.text);
    soak.began = clock_seconds();
    struct jobs *jobs = jobs_create(&kind, &soak, WORKERS, &err);
    if (jobs == NULL || !run(&soak, jobs, &err))
        die(err.text);
    jobs_destroy(jobs);
    dataset_free(&soak.data);
    printf("%zu positions searched, %d descriptors open at the end\n", soak.searched,
           descriptors_open());
    bool flat = soak.last_memory <= soak.first_memory + KIB_MORE &&
                soak.last_descriptors <= soak.first_descriptors + 4;
    return soak.searched == soak.count / BATCH * BATCH && flat ? 0 : 1;
}
