/* How many positions a second evaluations answer over the trace protocol, with the client's work of
 * writing, reading and checking.
 *
 *   trace_speed POSITIONS.epd WORKERS COMMAND...
 *
 * For each command so many threads, each with a process of its own, ask for all positions several
 * times. Prints the answers per second of each worker. */
#include "clock.h"
#include "epd.h"
#include "parse.h"
#include "trace_client.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { WORKERS_MAX = 64 };
#define SECONDS 2.0

struct worker {
    const char *command;
    const struct position *positions;
    size_t count, answers, counts;
    double seconds;
    bool failed;
    struct error err;
};

static bool take(void *context, size_t index, const struct leaf_counts *counts)
{
    struct worker *w = context;
    (void)index;
    w->answers++;
    w->counts += (size_t)counts->count;
    return true;
}

/* Asks for all positions again and again. */
static void *ask(void *context)
{
    struct worker *w = context;
    const struct trace_settings settings = {.command = w->command};
    struct trace_client *client = trace_client_start(&settings, &w->err);
    double start = clock_seconds();
    w->failed = client == NULL;
    while (!w->failed && w->seconds < SECONDS) {
        w->failed = !trace_client_ask(client, w->positions, w->count, take, w, &w->err);
        w->seconds = clock_seconds() - start;
    }
    trace_client_stop(client);
    return NULL;
}

/* Measures one command. */
static bool measure(const char *command, const struct position *positions, size_t count,
                    int workers)
{
    static struct worker all[WORKERS_MAX];
    pthread_t threads[WORKERS_MAX];
    double speed = 0, counts = 0;
    int started = 0;
    for (int i = 0; i < workers; i++) {
        all[i] = (struct worker){.command = command, .positions = positions, .count = count};
        if (pthread_create(&threads[i], NULL, ask, &all[i]) != 0)
            break;
        started++;
    }
    for (int i = 0; i < started; i++) {
        pthread_join(threads[i], NULL);
        if (all[i].failed) {
            fprintf(stderr, "%s\n", all[i].err.text);
            return false;
        }
        speed += (double)all[i].answers / all[i].seconds / started;
        counts = (double)all[i].counts / (double)all[i].answers;
    }
    printf("%9.0f answers a second and worker, %.1f counts each: %s\n", speed, counts, command);
    return started == workers;
}

int main(int argc, char **argv)
{
    struct dataset data = {0};
    struct error err;
    int64_t workers;
    if (argc < 4 || !parse_int64(argv[2], &workers) || workers < 1 || workers > WORKERS_MAX) {
        fputs("usage: trace_speed POSITIONS.epd WORKERS COMMAND...\n", stderr);
        return 2;
    }
    if (!dataset_load_needed(&data, argv[1], EPD_ANY, &err)) {
        fprintf(stderr, "%s\n", err.text);
        return 2;
    }
    struct position *positions = calloc(data.count + 1, sizeof *positions);
    bool good = positions != NULL;
    for (size_t i = 0; good && i < data.count; i++)
        positions[i] = data.items[i].position;
    for (int i = 3; good && i < argc; i++)
        good = measure(argv[i], positions, data.count, (int)workers);
    free(positions);
    dataset_free(&data);
    return good ? 0 : 1;
}
