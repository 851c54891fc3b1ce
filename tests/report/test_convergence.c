/* Convergence: statistics of genes and bits in populations made by hand. */
#include "convergence.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

enum { ORGANISMS = 4, GENES = 3 };

static const struct param genes[GENES] = {{"CONSTANT", 0, 0, 100, 42, 1, NULL, ""},
                                          {"SWITCH", 1, 0, 1, 0, 1, NULL, ""},
                                          {"WIDE", 8, 0, 255, 0, 1, NULL, ""}};

static struct genome make_genome(void)
{
    struct genome g;
    const struct param_table table = {"test", genes, GENES};
    cr_assert(genome_init(&g, &table, NULL));
    return g;
}

/* Adds a generation of these switches and wide values. */
static void add(struct convergence *c, const int32_t switches[ORGANISMS],
                const int32_t wide[ORGANISMS], int best)
{
    struct organism *population = population_create(c->genome, ORGANISMS);
    for (int i = 0; i < ORGANISMS; i++) {
        const int32_t values[GENES] = {42, switches[i], wide[i]};
        genome_encode(c->genome, values, population[i].chromosome);
    }
    convergence_add(c, population, ORGANISMS, best);
    free(population);
}

Test(convergence, values_have_mean_deviation_and_range)
{
    struct genome g = make_genome();
    struct convergence c;
    cr_assert(convergence_create(&c, &g, 2, NULL));
    add(&c, (const int32_t[]){1, 1, 1, 1}, (const int32_t[]){7, 7, 7, 7}, 0);
    add(&c, (const int32_t[]){0, 1, 0, 1}, (const int32_t[]){10, 20, 30, 40}, 2);
    cr_assert_eq(c.generations, 2);
    const struct gene_state *wide = convergence_gene(&c, 1, 2);
    cr_assert_float_eq(wide->mean, 25, 1e-12);
    cr_assert_float_eq(wide->deviation, sqrt(125), 1e-12);
    cr_assert_eq(wide->lowest, 10);
    cr_assert_eq(wide->highest, 40);
    cr_assert_eq(wide->best, 30);
    cr_assert_float_eq(convergence_gene(&c, 0, 2)->deviation, 0, 1e-15);
    cr_assert_eq(convergence_gene(&c, 1, 0)->best, 42, "a constant is what it is");
    convergence_destroy(&c);
}

Test(convergence, agreement_is_a_half_to_all)
{
    struct genome g = make_genome();
    struct convergence c;
    cr_assert(convergence_create(&c, &g, 2, NULL));
    add(&c, (const int32_t[]){0, 1, 0, 1}, (const int32_t[]){0, 0, 0, 1}, 0);
    add(&c, (const int32_t[]){1, 1, 1, 1}, (const int32_t[]){0, 0, 0, 0}, 0);
    cr_assert_float_eq(convergence_agreement(&c, 0, 0), 0.5, 1e-12);
    cr_assert_float_eq(convergence_agreement(&c, 1, 0), 1, 1e-12);
    cr_assert_float_eq(convergence_agreement(&c, 0, 8), 0.75, 1e-12);
    convergence_destroy(&c);
}

Test(convergence, what_was_never_made_can_be_destroyed)
{
    struct convergence c = {0};
    convergence_destroy(&c);
    cr_assert_null(c.genes);
}
