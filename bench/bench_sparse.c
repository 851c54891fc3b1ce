/* Moves matched by an evaluation of many weights: a made-up tapered one of 1,000 weights over the
 * positions of a file. Prints what a set costs to compile and to keep, and the time of a generation
 * of 100 organisms by each kernel, on one and two threads.
 *
 *   bench_sparse TRAIN.epd [WEIGHTS [spread]]
 *   bench_sparse TRAIN.epd SPACE.yaml           the weights of a space instead */
#include "compiled_set.h"
#include "replay.h"
#include "stream.h"
#include "tapered.h"
#include "tuned_evaluation.h"

#include <math.h>
#include <time.h>

enum { ORGANISMS = 100, TRIES = 5 };

/* Seconds of the wall clock, or of the processors. */
static double now(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* A stretch of time. */
struct times {
    double wall, processors;
};

static struct times times_now(void)
{
    return (struct times){now(CLOCK_MONOTONIC), now(CLOCK_PROCESS_CPUTIME_ID)};
}

static struct times times_since(struct times start)
{
    struct times end = times_now();
    return (struct times){end.wall - start.wall, end.processors - start.processors};
}

static void die(const struct error *err)
{
    fprintf(stderr, "bench_sparse: %s\n", err->text);
    exit(1);
}

static struct compiled_set *compile(const struct dataset *data, const struct evaluator_source *s,
                                    int threads)
{
    struct error err;
    const struct times start = times_now();
    const struct compiled_settings settings = {.source = s, .threads = threads};
    struct compiled_set *set = compiled_create(data->items, data->count, &settings, &err);
    if (set == NULL)
        die(&err);
    const struct times t = times_since(start);
    printf("compile, %d thread%s: %.2f s (processors %.2f s), %.0f leaves/s of processor\n",
           threads, threads == 1 ? "" : "s", t.wall, t.processors,
           (double)set->row_count / t.processors);
    return set;
}

/* Prints the mean number of counts that are not 0 in the positions of the file, and what the
 * evaluation itself costs. */
static void print_evaluation(const struct dataset *data, const struct evaluator_source *source)
{
    struct error err;
    struct evaluator *e = source->create(source->context, &err);
    double counts = 0;
    if (e == NULL)
        die(&err);
    const struct times start = times_now();
    for (size_t i = 0; i < data->count; i++)
        counts += tapered_list((struct tapered_evaluator *)e, &data->items[i].position);
    printf("the evaluation alone: %.0f leaves/s of processor, %.1f counts a position\n",
           (double)data->count / times_since(start).processors, counts / (double)data->count);
    e->destroy(e);
}

/* Measures a generation, the best of several. */
static struct times generation(const struct compiled_set *set, const struct replay *replay,
                               int threads, const int32_t *values)
{
    struct error err;
    int64_t matched[ORGANISMS] = {0};
    struct times best = {INFINITY, INFINITY};
    struct compiled_matcher *m = compiled_matcher_create(set, replay, NULL, NULL, threads, &err);
    if (m == NULL)
        die(&err);
    for (int i = 0; i < TRIES; i++) {
        const struct times start = times_now();
        if (!compiled_matcher_run(m, NULL, values, ORGANISMS, matched, NULL, &err))
            die(&err);
        const struct times t = times_since(start);
        best.wall = fmin(best.wall, t.wall);
        best.processors = fmin(best.processors, t.processors);
    }
    compiled_matcher_destroy(m);
    return best;
}

static int32_t random_value(const struct param *p, struct stream *s)
{
    return p->min + (int32_t)stream_below(s, (uint64_t)((int64_t)p->max - p->min) + 1);
}

static int32_t *random_rows(const struct param_table *table)
{
    struct stream s;
    const size_t count = (size_t)table->count * ORGANISMS;
    int32_t *values = malloc(count * sizeof *values);
    stream_init(&s, 1, STREAM_TEST, 0, 0);
    for (size_t i = 0; values != NULL && i < count; i++)
        values[i] = random_value(&table->params[i % (size_t)table->count], &s);
    return values;
}

static void print_set(const struct compiled_set *set)
{
    double leaves = (double)set->row_count;
    printf("%d weights, %zu positions, %zu leaves, %.2f terms a leaf\n", set->table.count,
           set->count, set->row_count, (double)set->term_count / leaves);
}

/* Prints the time of a generation by each kernel. */
static void print_generations(const struct compiled_set *set)
{
    int32_t *values = random_rows(&set->table);
    for (int k = 0; replay_kernels[k] != NULL && values != NULL; k++)
        for (int threads = 1; replay_kernels[k]->supported() && threads <= 2; threads++) {
            const struct times t = generation(set, replay_kernels[k], threads, values);
            printf("generation of %d, %-10s  %d thread%s: %.3f s (processors %.3f s)\n", ORGANISMS,
                   replay_kernels[k]->name, threads, threads == 1 ? " " : "s", t.wall,
                   t.processors);
        }
    free(values);
}

/* Compiles and measures. */
static void measure(const struct dataset *data, const struct evaluator_source *source)
{
    compiled_destroy(compile(data, source, 1));
    struct compiled_set *set = compile(data, source, 2);
    print_set(set);
    print_generations(set);
    compiled_destroy(set);
}

/* Measures the made-up evaluation. */
static void measure_tapered(const struct dataset *data, int weights, bool spread)
{
    struct tapered tapered = tapered_make(weights, -500, 500);
    tapered.spread = spread;
    const struct evaluator_source source = tapered_source(&tapered);
    print_evaluation(data, &source);
    measure(data, &source);
    tapered_free(&tapered);
}

/* Measures the evaluation of a space. */
static void measure_space(const struct dataset *data, const char *path)
{
    struct tuned_evaluation t;
    struct error err;
    if (!tuned_evaluation_open(&t, path, &err))
        die(&err);
    if (tuned_evaluation_source(&t) == NULL)
        die(&(struct error){"the paper's evaluation is not sparse"});
    measure(data, tuned_evaluation_source(&t));
    tuned_evaluation_close(&t);
}

int main(int argc, char **argv)
{
    struct error err;
    struct dataset data = {0};
    if (argc < 2 || !dataset_load(&data, argv[1], EPD_ANY, &err)) {
        fputs("usage: bench_sparse TRAIN.epd [WEIGHTS [spread] | SPACE.yaml]\n", stderr);
        return 2;
    }
    const int weights = argc > 2 ? atoi(argv[2]) : 1000;
    if (weights > 0)
        measure_tapered(&data, weights, argc > 3);
    else
        measure_space(&data, argv[2]);
    dataset_free(&data);
    return 0;
}
