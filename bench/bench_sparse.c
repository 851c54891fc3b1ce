/* Moves matched by an evaluation of many weights: a made-up tapered one of 1,000 weights over the
 * positions of a file. Prints what a set costs to compile and to keep, and the time of a generation
 * of 100 organisms by each kernel, on one and two threads.
 *
 *   bench_sparse TRAIN.epd [WEIGHTS [spread]] */
#include "compiled.h"
#include "replay.h"
#include "stream.h"
#include "tapered.h"

#include <math.h>
#include <time.h>

enum { ORGANISMS = 100, TRIES = 5 };

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
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
    double start = now();
    struct compiled_set *set =
        compiled_create(data->items, data->count, LEAF_QUIESCENCE, s, threads, &err);
    if (set == NULL)
        die(&err);
    double seconds = now() - start;
    printf("compile, %d thread%s: %.2f s, %.0f leaves/s\n", threads, threads == 1 ? "" : "s",
           seconds, (double)compiled_leaves(set) / seconds);
    return set;
}

/* The mean number of counts that are not 0, in the positions of the file. */
static double counts_of(const struct dataset *data, const struct evaluator_source *source)
{
    struct error err;
    struct evaluator *e = source->create(source->context, &err);
    double counts = 0;
    if (e == NULL)
        die(&err);
    for (size_t i = 0; i < data->count; i++)
        counts += tapered_list((struct tapered_evaluator *)e, &data->items[i].position);
    e->method->destroy(e);
    return counts / (double)data->count;
}

/* Seconds for a generation, the best of several. */
static double generation(const struct compiled_set *set, const struct replay *replay, int threads,
                         const int32_t *values)
{
    struct error err;
    int32_t matched[ORGANISMS];
    double best = INFINITY;
    struct compiled_matcher *m = compiled_matcher_create(set, replay, threads, &err);
    if (m == NULL)
        die(&err);
    for (int i = 0; i < TRIES; i++) {
        double start = now();
        if (!compiled_matcher_run(m, values, ORGANISMS, matched, NULL, &err))
            die(&err);
        best = fmin(best, now() - start);
    }
    compiled_matcher_destroy(m);
    return best;
}

static int32_t *random_rows(const struct param_table *table)
{
    struct stream s;
    const size_t count = (size_t)table->count * ORGANISMS;
    int32_t *values = malloc(count * sizeof *values);
    stream_init(&s, 1, STREAM_TEST, 0, 0);
    for (size_t i = 0; values != NULL && i < count; i++)
        values[i] = (int32_t)stream_below(&s, 1001) - 500;
    return values;
}

static void print_set(const struct compiled_set *set, double counts)
{
    double leaves = (double)compiled_leaves(set);
    printf("%d weights, %zu positions, %zu leaves; %.1f counts a position, %.2f terms kept a leaf; "
           "%.1f bytes a leaf in all\n",
           compiled_table(set)->count, compiled_positions(set), compiled_leaves(set), counts,
           (double)compiled_terms(set) / leaves, (double)compiled_bytes(set) / leaves);
}

int main(int argc, char **argv)
{
    struct error err;
    struct dataset data = {0};
    if (argc < 2 || !dataset_load(&data, argv[1], true, &err)) {
        fputs("usage: bench_sparse TRAIN.epd [WEIGHTS [spread]]\n", stderr);
        return 2;
    }
    struct tapered tapered = tapered_make(argc > 2 ? atoi(argv[2]) : 1000, -500, 500);
    tapered.spread = argc > 3;
    const struct evaluator_source source = tapered_source(&tapered);
    struct compiled_set *set = compile(&data, &source, 1);
    compiled_destroy(set);
    set = compile(&data, &source, 2);
    print_set(set, counts_of(&data, &source));
    int32_t *values = random_rows(compiled_table(set));
    for (int k = 0; replay_kernels[k] != NULL && values != NULL; k++)
        if (replay_kernels[k]->supported())
            printf("generation of %d, %-10s  %.3f s on one thread, %.3f s on two\n", ORGANISMS,
                   replay_kernels[k]->name, generation(set, replay_kernels[k], 1, values),
                   generation(set, replay_kernels[k], 2, values));
    free(values);
    compiled_destroy(set);
    tapered_free(&tapered);
    dataset_free(&data);
    return 0;
}
