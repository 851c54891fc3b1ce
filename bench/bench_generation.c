/* The second core on a generation of phase search: wall time of ten random organisms on the first
 * positions of a file with one and with two threads, by turns, and the ratio of the best times. The
 * processor time beside it shows whether anything else ran meanwhile.
 *
 *   bench_generation POSITIONS.epd [POSITIONS LIMIT] */
#include "default_settings.h"
#include "fitness.h"
#include "genome.h"
#include "recipe.h"
#include "search_params.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ORGANISMS = 10, ROUNDS = 5, POSITIONS = 100, LIMIT = 10000 };

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void die(const struct error *err)
{
    fprintf(stderr, "bench_generation: %s\n", err->text);
    exit(1);
}

/* Copies the first lines of a file into a temporary one, whose name goes to `path`. */
static void copy_lines(const char *from, int count, char path[RECIPE_PATH])
{
    char line[4096];
    strcpy(path, "/tmp/bench-generation-XXXXXX");
    FILE *in = fopen(from, "r"), *out = fdopen(mkstemp(path), "w");
    if (in == NULL || out == NULL) {
        fprintf(stderr, "bench_generation: cannot copy %s to %s\n", from, path);
        exit(1);
    }
    for (int i = 0; i < count && fgets(line, sizeof line, in) != NULL; i++)
        fputs(line, out);
    fclose(in);
    fclose(out);
}

/* A random generation 0 of the paper's space. */
static void draw_values(const struct param_table *space, int32_t *values)
{
    struct error err;
    struct genome genome;
    struct optimiser e;
    struct optimiser_settings settings = optimiser_default_settings(OPTIMISER_GENETIC);
    settings.population = ORGANISMS;
    if (!genome_init(&genome, space, &err) || !optimiser_create(&e, &genome, &settings, 1, &err))
        die(&err);
    for (int o = 0; o < ORGANISMS; o++)
        genome_decode(&genome, e.organisms[o].chromosome, values + o * genome.count);
    optimiser_destroy(&e);
}

/* Seconds that a generation takes; its total goes to `*nodes`. */
static double generation(const struct recipe *recipe, int threads, int64_t *nodes)
{
    struct error err;
    int32_t values[ORGANISMS * PAPER_SEARCH_PARAMS];
    int64_t measures[ORGANISMS];
    struct fitness *f = fitness_create(recipe, threads, &err);
    if (f == NULL)
        die(&err);
    draw_values(&f->space, values);
    double start = now();
    clock_t worked = clock();
    f->method->measure_batch(f, values, ORGANISMS, &(struct fitness_watcher){0}, measures);
    double seconds = now() - start;
    printf("generation, %d thread%s: %5.2f s, processor %5.2f s\n", threads,
           threads == 1 ? " " : "s", seconds, (double)(clock() - worked) / CLOCKS_PER_SEC);
    *nodes = 0;
    for (int o = 0; o < ORGANISMS; o++)
        *nodes += measures[o];
    f->method->destroy(f);
    return seconds;
}

int main(int argc, char **argv)
{
    struct recipe recipe = {.phase = PHASE_SEARCH,
                            .measure = MEASURE_NODES_TO_SOLUTION,
                            .limit = argc == 4 ? atoi(argv[3]) : LIMIT,
                            .hash = 16,
                            .train_count = 1};
    if ((argc != 2 && argc != 4) || recipe.limit < 1) {
        fputs("usage: bench_generation POSITIONS.epd [POSITIONS LIMIT]\n", stderr);
        return 2;
    }
    copy_lines(argv[1], argc == 4 ? atoi(argv[2]) : POSITIONS, recipe.train[0]);
    double best[2] = {0};
    int64_t nodes[2];
    for (int i = 0; i < ROUNDS; i++)
        for (int t = 0; t < 2; t++) {
            double seconds = generation(&recipe, t + 1, &nodes[t]);
            best[t] = i == 0 || seconds < best[t] ? seconds : best[t];
        }
    remove(recipe.train[0]);
    printf("%.1f M nodes; second core: %.2f times (best of %d each; 1.90 is wanted)\n",
           1e-6 * (double)nodes[0], best[0] / best[1], ROUNDS);
    return nodes[0] == nodes[1] ? 0 : 1;
}
