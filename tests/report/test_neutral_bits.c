/* Neutral bits: in evolutions with known genes, those that count are told from those that do not. */
#include "neutral_bits.h"

#include <criterion/criterion.h>

enum { GENES = 10, COUNTING = 5, BITS = 8, GENERATIONS = 120 };

static const struct param *make_genes(struct param genes[GENES])
{
    for (int i = 0; i < GENES; i++)
        genes[i] = (struct param){.name = "G", .bits = BITS, .max = 255, .sign = 1};
    return genes;
}

/* How many ones the first genes have; the others do nothing. */
static int64_t ones(const uint64_t *c)
{
    return __builtin_popcountll(c[0] & (((uint64_t)1 << COUNTING * BITS) - 1));
}

/* Evolves with these settings and writes each gene's chance. */
static void evolve(struct optimiser_settings settings, uint64_t seed, double chances[GENES])
{
    struct param genes[GENES];
    struct genome g;
    struct optimiser e;
    const struct param_table table = {"test", make_genes(genes), GENES};
    cr_assert(genome_init(&g, &table, NULL));
    cr_assert(optimiser_create(&e, &g, &settings, seed, NULL));
    struct neutral_bits *b = neutral_bits_create(&g, &settings, seed, 0, NULL);
    cr_assert_not_null(b);
    for (int t = 0; t <= GENERATIONS; t++) {
        for (int i = 0; i < settings.population; i++)
            e.organisms[i].fitness = ones(e.organisms[i].chromosome);
        neutral_bits_add(b, e.organisms);
        optimiser_step(&e);
    }
    for (int i = 0; i < GENES; i++)
        chances[i] = neutral_bits_chance(b, i);
    neutral_bits_destroy(b);
    optimiser_destroy(&e);
}

/* Over some seeds: how many of the genes that count, and of those that do not, have a chance below
 * 5 %. */
static void count_moved(struct optimiser_settings settings, int seeds, int *counting, int *idle)
{
    *counting = *idle = 0;
    for (int seed = 1; seed <= seeds; seed++) {
        double chances[GENES];
        evolve(settings, (uint64_t)seed, chances);
        for (int i = 0; i < GENES; i++)
            *(i < COUNTING ? counting : idle) += chances[i] < 0.05;
    }
}

Test(neutral_bits, genes_that_count_are_told_from_idle_ones)
{
    struct optimiser_settings settings = optimiser_default_settings(OPTIMISER_GENETIC);
    settings.genetic.selection = SELECTION_RANK;
    int counting, idle;
    count_moved(settings, 8, &counting, &idle);
    cr_assert_geq(counting, 39, "of 40 genes that count %d were seen to", counting);
    cr_assert_leq(idle, 4, "of 40 idle genes %d seemed to count", idle);
}

Test(neutral_bits, small_populations_with_an_elite_are_no_other_matter)
{
    struct optimiser_settings settings = optimiser_default_settings(OPTIMISER_GENETIC);
    settings.population = 16;
    settings.genetic.elitism = 2;
    settings.genetic.selection = SELECTION_TOURNAMENT;
    settings.variation.mutation_rate = 0.02;
    int counting, idle;
    count_moved(settings, 8, &counting, &idle);
    cr_assert_geq(counting, 39, "of 40 genes that count %d were seen to", counting);
    cr_assert_leq(idle, 4, "of 40 idle genes %d seemed to count", idle);
}

Test(neutral_bits, nothing_is_told_of_a_single_generation_or_a_constant)
{
    const struct param genes[2] = {{"CONSTANT", 0, 1, 1, 1, 1, NULL, ""},
                                   {"G", 8, 0, 255, 0, 1, NULL, ""}};
    const struct param_table table = {"test", genes, 2};
    struct optimiser_settings settings = optimiser_default_settings(OPTIMISER_GENETIC);
    struct genome g;
    cr_assert(genome_init(&g, &table, NULL));
    struct organism *population = population_create(&g, settings.population);
    struct neutral_bits *b = neutral_bits_create(&g, &settings, 1, 0, NULL);
    cr_assert_eq(neutral_bits_count(b), 1016);
    neutral_bits_add(b, population);
    cr_assert_float_eq(neutral_bits_chance(b, 1), 1, 1e-15);
    neutral_bits_add(b, population);
    cr_assert_float_eq(neutral_bits_chance(b, 0), 1, 1e-15);
    neutral_bits_destroy(b);
    free(population);
}

Test(neutral_bits, wrong_settings_are_refused_with_their_reason)
{
    const struct param gene = {"G", 8, 0, 255, 0, 1, NULL, ""};
    const struct param_table table = {"test", &gene, 1};
    struct optimiser_settings settings = optimiser_default_settings(OPTIMISER_GENETIC);
    struct genome g;
    struct error err = {""};
    settings.population = 0;
    cr_assert(genome_init(&g, &table, NULL));
    cr_assert_null(neutral_bits_create(&g, &settings, 1, 0, &err));
    cr_assert(strstr(err.text, "population") != NULL, "%s", err.text);
    neutral_bits_destroy(NULL);
}

/* A genome of any length has neutral bits beside it, a multiple of whole words or not. */
Test(neutral_bits, there_are_enough_beside_a_long_genome)
{
    const int lengths[] = {512, 513, 1024, 3000};
    struct optimiser_settings settings = optimiser_default_settings(OPTIMISER_GENETIC);
    settings.population = 10;
    for (int k = 0; k < 4; k++) {
        struct param *genes = calloc((size_t)lengths[k], sizeof *genes);
        struct genome g;
        struct error err = {""};
        for (int i = 0; i < lengths[k]; i++)
            genes[i] = (struct param){.name = "G", .bits = 1, .max = 1, .sign = 1};
        cr_assert(genome_init(&g, &(struct param_table){"test", genes, lengths[k]}, &err));
        struct organism *population = population_create(&g, settings.population);
        struct neutral_bits *b = neutral_bits_create(&g, &settings, 1, 0, &err);
        cr_assert_not_null(b, "%s", err.text);
        for (int generation = 0; generation < 3; generation++)
            neutral_bits_add(b, population);
        cr_assert_eq(neutral_bits_count(b), 512);
        cr_assert_gt(neutral_bits_chance(b, lengths[k] - 1), 0.5, "a bit that no organism has");
        neutral_bits_destroy(b);
        free(population);
        free(genes);
    }
}
