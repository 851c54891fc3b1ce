/* The signs of genes: in evolutions with known genes, by every optimiser, those that count are told
 * from those that do not. */
#include "../helpers/known_genes.h"
#include "default_settings.h"

#include <criterion/criterion.h>

enum { SEEDS = 12 };

/* A method, and how many per cent of the genes that count show a sign at least: those that move one
 * point show the least. */
struct expected {
    enum optimiser_kind kind;
    int least;
};

static const struct expected methods[] = {
    {OPTIMISER_GENETIC, 60},
    {OPTIMISER_CMA_ES, 90},
    {OPTIMISER_EVOLUTION_STRATEGY, 80},
    {OPTIMISER_DIFFERENTIAL_EVOLUTION, 55},
    {OPTIMISER_PARTICLE_SWARM, 35},
    {OPTIMISER_RANDOM, 95},
    {OPTIMISER_HILL_CLIMBING, 95},
    {OPTIMISER_SPSA, 35},
    {OPTIMISER_GRADIENT_DESCENT, 8},
    {OPTIMISER_SEP_CMA_ES, 90},
};

Test(gene_signs, genes_that_count_are_told_from_idle_ones_whatever_the_method)
{
    cr_assert_eq(sizeof methods / sizeof methods[0], OPTIMISERS);
    for (int i = 0; i < OPTIMISERS; i++) {
        struct known_signs found;
        const char *name = optimiser_method_of(methods[i].kind)->name;
        cr_assert(known_signs_of(methods[i].kind, SEEDS, &found));
        cr_expect_geq(100 * found.counting, methods[i].least * SEEDS * KNOWN_COUNTING,
                      "%s: of %d genes that count %d were seen to", name, SEEDS * KNOWN_COUNTING,
                      found.counting);
        cr_expect_leq(found.idle, SEEDS * (KNOWN_GENES - KNOWN_COUNTING) / 8,
                      "%s: %d idle genes seemed to count", name, found.idle);
    }
}

/* Averaging the parents' values pulls every gene to the middle of its range: in a large population that
 * is soon beyond chance, and says nothing of the genes. */
Test(gene_signs, crossovers_that_average_do_not_look_like_selection)
{
    static const enum crossover averaging[] = {CROSSOVER_INTERMEDIATE, CROSSOVER_LINE};
    struct optimiser_settings settings = optimiser_default_settings(OPTIMISER_GENETIC);
    settings.population = 200;
    for (int i = 0; i < 2; i++) {
        struct known_signs found;
        settings.variation.crossover = averaging[i];
        cr_assert(known_signs_with(&settings, 10, SEEDS, &found));
        cr_expect_geq(found.counting, SEEDS * KNOWN_COUNTING * 4 / 5,
                      "%s: of %d genes that count %d were seen to", crossover_name(averaging[i]),
                      SEEDS * KNOWN_COUNTING, found.counting);
        cr_expect_leq(found.idle, SEEDS * (KNOWN_GENES - KNOWN_COUNTING) / 5,
                      "%s: %d idle genes seemed to count", crossover_name(averaging[i]),
                      found.idle);
    }
}

/* The number of neutral bits or genes of a run with these settings, after these many generations, for
 * genes of these many bits. */
static int count_with(const struct optimiser_settings *settings, int generations, int bits)
{
    struct param genes[KNOWN_GENES];
    struct genome g;
    for (int i = 0; i < KNOWN_GENES; i++)
        genes[i] = (struct param){.name = "G", .bits = bits, .max = (1 << bits) - 1, .sign = 1};
    const struct param_table table = {"test", genes, KNOWN_GENES};
    cr_assert(genome_init(&g, &table, NULL));
    struct organism *population = population_create(&g, settings->population);
    struct gene_signs *s = gene_signs_create(&g, settings, 1, 0, NULL);
    cr_assert_not_null(s);
    for (int t = 0; t < generations; t++)
        gene_signs_add(s, population);
    int count = gene_signs_count(s);
    gene_signs_destroy(s);
    free(population);
    return count;
}

/* The same with the default settings of a method. */
static int count_after(enum optimiser_kind kind, int generations, int bits)
{
    const struct optimiser_settings settings = optimiser_default_settings(kind);
    return count_with(&settings, generations, bits);
}

Test(gene_signs, nothing_is_told_of_a_single_generation)
{
    cr_assert_eq(count_after(OPTIMISER_GENETIC, 1, 1), 0);
    cr_assert_eq(count_after(OPTIMISER_CMA_ES, 1, 1), 0);
    cr_assert_eq(count_after(OPTIMISER_GENETIC, 2, 1), 1014);
    cr_assert_eq(count_after(OPTIMISER_CMA_ES, 2, 1), 200);
    cr_assert_eq(count_after(OPTIMISER_EVOLUTION_STRATEGY, 2, 1), 320);
}

Test(gene_signs, long_genes_have_enough_neutral_ones_too)
{
    cr_assert_eq(count_after(OPTIMISER_EVOLUTION_STRATEGY, 2, 24), 40);
    cr_assert_eq(count_after(OPTIMISER_GENETIC, 2, 24), 1024 - 24 * KNOWN_GENES);
}

Test(gene_signs, nor_of_constants)
{
    cr_assert_eq(count_after(OPTIMISER_RANDOM, 3, 0), 0);
    cr_assert_eq(count_after(OPTIMISER_EVOLUTION_STRATEGY, 3, 0), 0);
}

Test(gene_signs, only_crossovers_that_do_not_average_have_neutral_bits)
{
    static const struct {
        enum crossover kind;
        int count;
    } crossovers[] = {
        {CROSSOVER_UNIFORM, 1014},  {CROSSOVER_ONE_POINT, 1014},   {CROSSOVER_TWO_POINT, 1014},
        {CROSSOVER_DISCRETE, 1014}, {CROSSOVER_INTERMEDIATE, 320}, {CROSSOVER_LINE, 320},
    };
    struct optimiser_settings settings = optimiser_default_settings(OPTIMISER_GENETIC);
    for (int i = 0; i <= CROSSOVER_LINE; i++) {
        settings.variation.crossover = crossovers[i].kind;
        cr_assert_eq(count_with(&settings, 2, 1), crossovers[i].count, "%s",
                     crossover_name(crossovers[i].kind));
    }
}

Test(gene_signs, wrong_settings_are_refused_with_their_reason)
{
    const struct param gene = {"G", 8, 0, 255, 0, 1, NULL, ""};
    const struct param_table table = {"test", &gene, 1};
    struct optimiser_settings settings = optimiser_default_settings(OPTIMISER_CMA_ES);
    struct genome g;
    struct error err = {""};
    settings.population = 0;
    cr_assert(genome_init(&g, &table, NULL));
    cr_assert_null(gene_signs_create(&g, &settings, 1, 0, &err));
    cr_assert(strstr(err.text, "population") != NULL, "%s", err.text);
    gene_signs_destroy(NULL);
}

/* The chance of a gene of one bit that goes weakly with fitness, in two generations of a run with this
 * many seeds. */
static double chance_with_seeds(const struct optimiser_settings *settings, int seed_count)
{
    const struct param gene = {"G", 1, 0, 1, 0, 1, NULL, ""};
    const struct param_table table = {"test", &gene, 1};
    struct genome g;
    cr_assert(genome_init(&g, &table, NULL));
    struct organism *population = population_create(&g, settings->population);
    struct gene_signs *s = gene_signs_create(&g, settings, 1, seed_count, NULL);
    cr_assert(population != NULL && s != NULL);
    for (int i = 0; i < settings->population; i++) {
        population[i].chromosome[0] = (uint64_t)i & 1;
        population[i].fitness = i;
    }
    for (int t = 0; t < 2; t++)
        gene_signs_add(s, population);
    double chance = gene_signs_chance(s, 0);
    gene_signs_destroy(s);
    free(population);
    return chance;
}

/* Where generation 0 is the offspring of a single seed and nothing mutates, all organisms are copies of
 * it. Their neutral bits and genes do not differ and show no sign at all, so the weakest sign of a gene is
 * beyond chance. Among unrelated organisms it is not. */
static void check_copies(struct optimiser_settings settings)
{
    const char *name = optimiser_method_of(settings.kind)->name;
    settings.population = 16;
    settings.fill = FILL_OFFSPRING;
    settings.variation.mutation_rate = 0;
    double unrelated = chance_with_seeds(&settings, 0), copies = chance_with_seeds(&settings, 1);
    cr_expect_gt(unrelated, 0.3, "%s: %f without seeds", name, unrelated);
    cr_expect_lt(copies, 0.01, "%s: %f among copies of a seed", name, copies);
}

Test(gene_signs, neutral_bits_and_genes_descend_from_as_many_seeds_as_the_run)
{
    struct optimiser_settings settings = optimiser_default_settings(OPTIMISER_GENETIC);
    check_copies(settings);
    settings.variation.crossover = CROSSOVER_INTERMEDIATE;
    check_copies(settings);
    check_copies(optimiser_default_settings(OPTIMISER_DIFFERENTIAL_EVOLUTION));
    settings = optimiser_default_settings(OPTIMISER_EVOLUTION_STRATEGY);
    settings.evolution_strategy.common = 0;
    settings.evolution_strategy.sigma = 1e-9; /* too little to leave the mean */
    check_copies(settings);
}

/* ---- neutral bits, by the genetic algorithm ---- */

Test(gene_signs, selection_and_an_elite_in_a_small_population_are_no_other_matter)
{
    enum { RUNS = 8 };
    struct optimiser_settings ranked = optimiser_default_settings(OPTIMISER_GENETIC),
                              small = ranked;
    ranked.genetic.selection = SELECTION_RANK;
    small.population = 16;
    small.genetic.elitism = 2;
    small.genetic.selection = SELECTION_TOURNAMENT;
    small.variation.mutation_rate = 0.02;
    const struct optimiser_settings *const settings[] = {&ranked, &small};
    for (int i = 0; i < 2; i++) {
        struct known_signs found;
        cr_assert(known_signs_with(settings[i], 120, RUNS, &found));
        cr_expect_geq(found.counting, RUNS * KNOWN_COUNTING * 4 / 5,
                      "of %d genes that count %d were seen to", RUNS * KNOWN_COUNTING,
                      found.counting);
        cr_expect_leq(found.idle, RUNS * (KNOWN_GENES - KNOWN_COUNTING) / 8,
                      "%d idle genes seemed to count", found.idle);
    }
}

Test(gene_signs, a_single_generation_or_a_constant_has_a_chance_of_one)
{
    const struct param genes[2] = {{"CONSTANT", 0, 1, 1, 1, 1, NULL, ""},
                                   {"G", 8, 0, 255, 0, 1, NULL, ""}};
    const struct param_table table = {"test", genes, 2};
    struct optimiser_settings settings = optimiser_default_settings(OPTIMISER_GENETIC);
    struct genome g;
    cr_assert(genome_init(&g, &table, NULL));
    struct organism *population = population_create(&g, settings.population);
    struct gene_signs *b = gene_signs_create(&g, &settings, 1, 0, NULL);
    gene_signs_add(b, population);
    cr_assert_float_eq(gene_signs_chance(b, 1), 1, 1e-15);
    gene_signs_add(b, population);
    cr_assert_eq(gene_signs_count(b), 1016);
    cr_assert_float_eq(gene_signs_chance(b, 0), 1, 1e-15);
    gene_signs_destroy(b);
    free(population);
}

/* A genome of any length has neutral bits beside it, a multiple of whole words or not. */
Test(gene_signs, there_are_enough_beside_a_long_genome)
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
        struct gene_signs *b = gene_signs_create(&g, &settings, 1, 0, &err);
        cr_assert_not_null(b, "%s", err.text);
        for (int generation = 0; generation < 3; generation++)
            gene_signs_add(b, population);
        cr_assert_eq(gene_signs_count(b), 512);
        cr_assert_gt(gene_signs_chance(b, lengths[k] - 1), 0.5, "a bit that no organism has");
        gene_signs_destroy(b);
        free(population);
        free(genes);
    }
}
