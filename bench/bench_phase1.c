/* Phase 1 at the paper's size (100 organisms x 200 generations x 5,000 positions), compilation
 * included: wall time on one and two threads, the rate of each kernel,
 * what the genetic algorithm itself costs, and the memory of a compiled set.
 *
 *   bench_phase1 TRAIN.epd */
#include "compiled.h"
#include "default_settings.h"
#include "optimiser.h"
#include "replay.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { GENERATIONS = 200 };

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void die(const struct error *err)
{
    fprintf(stderr, "bench_phase1: %s\n", err->text);
    exit(1);
}

/* Where the time of a run went, in seconds. */
struct times {
    double compile, match, algorithm, total;
    int64_t measured; /* organisms */
    int32_t best;
};

static struct dataset load(const char *path)
{
    struct error err;
    struct dataset data = {0};
    if (!dataset_load(&data, path, EPD_ANY, &err))
        die(&err);
    return data;
}

static struct compiled_set *compile(const struct dataset *data, int threads)
{
    struct error err;
    struct compiled_set *set = compiled_create(
        data->items, data->count, &(struct compiled_settings){.threads = threads}, &err);
    if (set == NULL)
        die(&err);
    return set;
}

/* Measures the whole population, as a run without a fitness cache would. */
static void measure(struct optimiser *e, struct compiled_matcher *matcher)
{
    struct error err;
    int n = e->population;
    struct eval_weights *weights = malloc((size_t)n * sizeof *weights);
    int64_t *matched = calloc((size_t)n, sizeof *matched);
    for (int o = 0; o < n; o++)
        genome_decode(e->genome, e->organisms[o].chromosome, weights[o].value);
    if (!compiled_matcher_run(matcher, NULL, weights->value, n, matched, NULL, &err))
        die(&err);
    for (int o = 0; o < n; o++)
        e->organisms[o].fitness = matched[o] * matched[o];
    free(weights);
    free(matched);
}

/* One run of the paper's settings. */
static struct times run(const struct dataset *data, int threads)
{
    struct error err;
    struct times t = {0};
    struct genome genome;
    struct optimiser e;
    struct optimiser_settings settings = optimiser_default_settings(OPTIMISER_GENETIC);
    double start = now();
    struct compiled_set *set = compile(data, threads);
    struct compiled_matcher *matcher =
        compiled_matcher_create(set, NULL, NULL, NULL, threads, &err);
    t.compile = now() - start;
    if (matcher == NULL || !genome_init(&genome, &eval_table, &err) ||
        !optimiser_create(&e, &genome, &settings, 1, &err))
        die(&err);
    for (int g = 0; g <= GENERATIONS; g++) {
        double before = now();
        measure(&e, matcher);
        t.match += now() - before;
        before = now();
        struct population_stats stats = optimiser_statistics(&e);
        t.best = (int32_t)(sqrt((double)stats.best_fitness) + 0.5);
        if (g < GENERATIONS)
            optimiser_step(&e);
        t.algorithm += now() - before;
        t.measured += settings.population;
    }
    t.total = now() - start;
    optimiser_destroy(&e);
    compiled_matcher_destroy(matcher);
    compiled_destroy(set);
    return t;
}

/* Leaves of an organism that a kernel replays a second on the set, one core, lanes full; the best of several. */
static double rate(const struct compiled_set *set, const struct replay *replay)
{
    enum { ORGANISMS = 4 * REPLAY_LANES };
    struct eval_weights weights[ORGANISMS];
    int64_t matched[ORGANISMS] = {0};
    struct error err;
    double best = 0;
    for (int o = 0; o < ORGANISMS; o++) {
        weights[o] = eval_initial_weights();
        weights[o].value[KNIGHT_VALUE] += o;
    }
    const double leaves = (double)set->row_count * ORGANISMS;
    for (int i = 0; i < 5; i++) {
        double start = now();
        if (!compiled_match(set, weights->value, ORGANISMS, 1, replay, matched, &err))
            die(&err);
        best = fmax(best, leaves / (now() - start));
    }
    return best;
}

static void print_kernels(const struct compiled_set *set)
{
    for (int k = 0; replay_kernels[k] != NULL; k++) {
        const struct replay *replay = replay_kernels[k];
        if (!replay->supported())
            continue;
        printf("kernel %-10s  replay %6.2f billion leaves/s\n", replay->name,
               1e-9 * rate(set, replay));
    }
}

static void print_times(int threads, const struct times *t)
{
    printf("phase 1, %d thread%s: %.2f s (compile %.2f, match %.2f, GA %.4f = %.2f %% of a "
           "generation), best %d\n",
           threads, threads == 1 ? "" : "s", t->total, t->compile, t->match, t->algorithm,
           100 * t->algorithm / (t->match + t->algorithm), t->best);
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fputs("usage: bench_phase1 TRAIN.epd\n", stderr);
        return 2;
    }
    struct dataset train = load(argv[1]);
    struct compiled_set *set = compile(&train, 2);
    printf("compiled %zu positions: %zu leaves, %.1f a position\n", set->count, set->row_count,
           (double)set->row_count / (double)set->count);
    print_kernels(set);
    compiled_destroy(set);
    struct times best[2];
    for (int i = 0; i < 3; i++)
        for (int threads = 1; threads <= 2; threads++) {
            struct times t = run(&train, threads);
            print_times(threads, &t);
            if (i == 0 || t.total < best[threads - 1].total)
                best[threads - 1] = t;
        }
    printf("second core: %.2f times (best of 3 each)\n", best[0].total / best[1].total);
    dataset_free(&train);
    return 0;
}
