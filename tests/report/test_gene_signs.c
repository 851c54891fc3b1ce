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

/* Averaging the parents' values pulls every gene to the middle of its range: in a large population that is soon beyond
 * chance, and says nothing of the genes. Nor does an elite in a small population, or another selection. */
Test(gene_signs, what_is_no_selection_of_a_gene_does_not_look_like_it)
{
    struct optimiser_settings ranked = optimiser_default_settings(OPTIMISER_GENETIC),
                              small = ranked, intermediate = ranked, line = ranked;
    ranked.genetic.selection = SELECTION_RANK;
    small.population = 16;
    small.genetic.elitism = 2;
    small.genetic.selection = SELECTION_TOURNAMENT;
    small.variation.mutation_rate = 0.02;
    intermediate.population = line.population = 200;
    intermediate.variation.crossover = CROSSOVER_INTERMEDIATE;
    line.variation.crossover = CROSSOVER_LINE;
    const struct {
        const struct optimiser_settings *settings;
        int generations, runs, share; /* one in so many idle genes may seem to count */
    } cases[] = {{&ranked, 120, 8, 8},
                 {&small, 120, 8, 8},
                 {&intermediate, 10, SEEDS, 5},
                 {&line, 10, SEEDS, 5}};
    for (int i = 0; i < 4; i++) {
        const int runs = cases[i].runs;
        struct known_signs found;
        cr_assert(known_signs_with(cases[i].settings, cases[i].generations, runs, &found));
        cr_expect_geq(found.counting, runs * KNOWN_COUNTING * 4 / 5,
                      "case %d: of %d genes that count %d were seen to", i, runs * KNOWN_COUNTING,
                      found.counting);
        cr_expect_leq(found.idle, runs * (KNOWN_GENES - KNOWN_COUNTING) / cases[i].share,
                      "case %d: %d idle genes seemed to count", i, found.idle);
    }
}

/* The signs of a run with these settings and seeds, after so many generations of its population; and a population like
 * it, in which fitness goes with the first bit. The genes have so many bits. */
struct made {
    struct gene_signs *signs;
    struct param *params;
    struct genome genome;
};

static void make(struct made *m, const struct optimiser_settings *settings, int genes, int bits,
                 int generations, int seeds)
{
    m->params = calloc((size_t)genes, sizeof *m->params);
    for (int i = 0; i < genes; i++)
        m->params[i] = (struct param){.name = "G", .bits = bits, .max = (1 << bits) - 1, .sign = 1};
    cr_assert(genome_init(&m->genome, &(struct param_table){"test", m->params, genes}, NULL));
    struct organism *population = population_create(&m->genome, settings->population);
    m->signs = gene_signs_create(&m->genome, settings, 1, seeds, NULL);
    cr_assert(population != NULL && m->signs != NULL);
    for (int i = 0; bits > 0 && i < settings->population; i++) {
        population[i].chromosome[0] = (uint64_t)i & 1;
        population[i].fitness = i;
    }
    for (int t = 0; t < generations; t++)
        gene_signs_add(m->signs, population);
    free(population);
}

static void finish(struct made *m)
{
    gene_signs_destroy(m->signs);
    free(m->params);
}

/* The number of neutral bits or genes. */
static int count_with(const struct optimiser_settings *settings, int genes, int bits,
                      int generations)
{
    struct made m;
    make(&m, settings, genes, bits, generations, 0);
    const int count = gene_signs_neutral(m.signs).count;
    finish(&m);
    return count;
}

Test(gene_signs, as_many_neutral_bits_or_genes_as_it_takes)
{
    static const struct {
        enum optimiser_kind kind;
        int generations, bits, count;
    } cases[] = {
        {OPTIMISER_GENETIC, 1, 1, 0}, /* nothing is told of a single generation */
        {OPTIMISER_CMA_ES, 1, 1, 0},
        {OPTIMISER_GENETIC, 2, 1, 1014},
        {OPTIMISER_CMA_ES, 2, 1, 200},
        {OPTIMISER_EVOLUTION_STRATEGY, 2, 1, 320},
        {OPTIMISER_EVOLUTION_STRATEGY, 2, 24, 40}, /* long genes have enough too */
        {OPTIMISER_GENETIC, 2, 24, 1024 - 24 * KNOWN_GENES},
        {OPTIMISER_RANDOM, 3, 0, 0}, /* nor of constants */
        {OPTIMISER_EVOLUTION_STRATEGY, 3, 0, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct optimiser_settings settings = optimiser_default_settings(cases[i].kind);
        cr_assert_eq(count_with(&settings, KNOWN_GENES, cases[i].bits, cases[i].generations),
                     cases[i].count, "case %zu", i);
    }
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
        cr_assert_eq(count_with(&settings, KNOWN_GENES, 1, 2), crossovers[i].count, "crossover %d",
                     (int)crossovers[i].kind);
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

/* The chance of a gene of one bit that goes weakly with fitness, in two generations. */
static double chance_with_seeds(const struct optimiser_settings *settings, int seed_count)
{
    struct made m;
    make(&m, settings, 1, 1, 2, seed_count);
    const double chance = gene_signs_chance(m.signs, 0);
    finish(&m);
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

Test(gene_signs, a_single_generation_or_a_constant_has_a_chance_of_one)
{
    const struct optimiser_settings settings = optimiser_default_settings(OPTIMISER_GENETIC);
    for (int bits = 0; bits < 2; bits++) {
        struct made m;
        make(&m, &settings, 1, bits, 2 - bits, 0);
        cr_assert_float_eq(gene_signs_chance(m.signs, 0), 1, 1e-15);
        finish(&m);
    }
}

/* A genome of any length has neutral bits beside it, a multiple of whole words or not. */
Test(gene_signs, there_are_enough_beside_a_long_genome)
{
    const int lengths[] = {512, 513, 1024, 3000};
    struct optimiser_settings settings = optimiser_default_settings(OPTIMISER_GENETIC);
    settings.population = 10;
    for (int k = 0; k < 4; k++) {
        struct made m;
        make(&m, &settings, lengths[k], 1, 3, 0);
        cr_assert_eq(gene_signs_neutral(m.signs).count, 512);
        cr_assert_gt(gene_signs_chance(m.signs, lengths[k] - 1), 0.5, "a bit that no organism has");
        finish(&m);
    }
}
