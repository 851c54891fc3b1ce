/* What the genetic algorithm itself costs: a step and the statistics of a generation, at the size
 * of the paper, without any measuring of fitness. */
#include "default_settings.h"
#include "optimiser.h"

#include <stdio.h>
#include <time.h>

enum { GENES = 35, STEPS = 20000 };

/* 224 loci: five genes of constant, 11, 11, 11 and 11 bits, thirty of 6. */
static void fill_table(struct param params[GENES])
{
    for (int i = 0; i < GENES; i++) {
        int bits = i == 0 ? 0 : i < 5 ? 11 : 6;
        params[i] = (struct param){
            .name = "gene", .bits = bits, .max = (1 << bits) - 1, .sign = 1, .meaning = ""};
    }
}

/* The square of about as many moves as an evolved organism matches, unequal and cheap. */
static void give_fitness(struct optimiser *o)
{
    for (int i = 0; i < o->population; i++) {
        int64_t moves = 1500 + (int64_t)(o->organisms[i].chromosome[0] % 128);
        o->organisms[i].fitness = moves * moves;
    }
}

static double microseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e6 + (double)now.tv_nsec * 1e-3;
}

int main(void)
{
    struct param params[GENES];
    fill_table(params);
    const struct param_table table = {"bench", params, GENES};
    const struct optimiser_settings settings = optimiser_default_settings(OPTIMISER_GENETIC);
    struct genome genome;
    struct optimiser o;
    struct error err;
    if (!genome_init(&genome, &table, &err) || !optimiser_create(&o, &genome, &settings, 1, &err)) {
        fprintf(stderr, "bench_ga: %s\n", err.text);
        return 1;
    }
    double diversity = 0, start = microseconds();
    for (int i = 0; i < STEPS; i++) {
        give_fitness(&o);
        diversity += optimiser_statistics(&o).diversity;
        optimiser_step(&o);
    }
    double each = (microseconds() - start) / STEPS;
    optimiser_destroy(&o);
    printf("ga_step_and_statistics %.1f us\n", each);
    return diversity > 0 ? 0 : 1;
}
