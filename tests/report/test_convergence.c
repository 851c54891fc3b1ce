/* Convergence: statistics of genes and bits in populations made by hand. */
#include "convergence.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

enum { ORGANISMS = 4, GENES = 3 };

static const struct param genes[GENES] = {{"CONSTANT", 0, 0, 100, 42, 1, NULL, ""},
                                          {"SWITCH", 1, 0, 1, 0, 1, NULL, ""},
                                          {"WIDE", 8, 0, 255, 0, 1, NULL, ""}};

static struct genome genome;
static struct convergence convergence;

static void begin(void)
{
    const struct param_table table = {"test", genes, GENES};
    cr_assert(genome_init(&genome, &table, NULL));
    cr_assert(convergence_create(&convergence, &genome, 2, NULL));
}

static void end(void)
{
    convergence_destroy(&convergence);
    convergence_destroy(&convergence); /* a second time is no harm */
}

TestSuite(convergence, .init = begin, .fini = end);

/* Adds a generation of these switches and wide values. */
static void add(const int32_t switches[ORGANISMS], const int32_t wide[ORGANISMS], int best)
{
    struct organism *population = population_create(&genome, ORGANISMS);
    for (int i = 0; i < ORGANISMS; i++) {
        const int32_t values[GENES] = {42, switches[i], wide[i]};
        genome_encode(&genome, values, population[i].chromosome);
    }
    convergence_add(&convergence, population, ORGANISMS, best);
    free(population);
}

Test(convergence, values_have_mean_deviation_and_range)
{
    add((const int32_t[]){1, 1, 1, 1}, (const int32_t[]){7, 7, 7, 7}, 0);
    add((const int32_t[]){0, 1, 0, 1}, (const int32_t[]){10, 20, 30, 40}, 2);
    cr_assert_eq(convergence.generations, 2);
    const struct gene_state *wide = convergence_gene(&convergence, 1, 2);
    cr_assert_float_eq(wide->mean, 25, 1e-12);
    cr_assert_float_eq(wide->deviation, sqrt(125), 1e-12);
    cr_assert_eq(wide->lowest, 10);
    cr_assert_eq(wide->highest, 40);
    cr_assert_eq(wide->best, 30);
    cr_assert_float_eq(convergence_gene(&convergence, 0, 2)->deviation, 0, 1e-15);
    cr_assert_eq(convergence_gene(&convergence, 1, 0)->best, 42, "a constant is what it is");
}

Test(convergence, agreement_is_a_half_to_all)
{
    add((const int32_t[]){0, 1, 0, 1}, (const int32_t[]){0, 0, 0, 1}, 0);
    add((const int32_t[]){1, 1, 1, 1}, (const int32_t[]){0, 0, 0, 0}, 0);
    cr_assert_float_eq(convergence_agreement(&convergence, 0, 0), 0.5, 1e-12);
    cr_assert_float_eq(convergence_agreement(&convergence, 1, 0), 1, 1e-12);
    cr_assert_float_eq(convergence_agreement(&convergence, 0, 8), 0.75, 1e-12);
}
