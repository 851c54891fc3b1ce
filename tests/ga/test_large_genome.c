/* Optimisers of 4,096 genes: every method works on them, or says why it does not. */
#include "many_genes.h"
#include "optimiser.h"

#include <criterion/criterion.h>

enum { POPULATION = 6, GENERATIONS = 3 };

static struct param *genes;
static struct genome genome;
static int32_t *values;

static void make(void)
{
    struct error err = {""};
    genes = many_genes_make();
    values = calloc(MANY_GENES, sizeof *values);
    cr_assert(genes != NULL && values != NULL);
    cr_assert(genome_init(&genome, &(struct param_table){"test", genes, MANY_GENES}, &err), "%s",
              err.text);
}

static void unmake(void)
{
    free(genes);
    free(values);
}

TestSuite(large_genome, .init = make, .fini = unmake);

/* Measures a generation, whose loci beyond the genome and values beyond a range would show. */
static void measure(struct optimiser *o)
{
    for (int i = 0; i < POPULATION; i++) {
        genome_decode(&genome, o->organisms[i].chromosome, values);
        for (int k = 0; k < MANY_GENES; k++)
            cr_assert(values[k] >= -2048 && values[k] <= 2047 &&
                      (values[k] + 2048) % param_step(&genes[k]) == 0);
        o->organisms[i].fitness = many_genes_measure(values);
    }
}

Test(large_genome, takes_a_word_for_64_loci)
{
    cr_assert_eq(genome.length, 49152);
    cr_assert_eq(genome.words, 768);
}

Test(large_genome, is_stepped_by_every_method_but_cma_es)
{
    for (int k = 0; k < OPTIMISERS; k++) {
        struct optimiser o;
        struct error err = {""};
        struct optimiser_settings s = optimiser_default_settings((enum optimiser_kind)k);
        s.population = POPULATION;
        s.defaults = 0.5;
        if (k == OPTIMISER_CMA_ES)
            continue;
        cr_assert(optimiser_create(&o, &genome, &s, 3, &err), "%s", err.text);
        measure(&o);
        int64_t begun = optimiser_statistics(&o).best_fitness;
        for (int t = 0; t < GENERATIONS; t++) {
            optimiser_step(&o);
            measure(&o);
        }
        struct population_stats stats = optimiser_statistics(&o);
        cr_assert_gt(stats.diversity, 0, "%s", o.method->name);
        if (k == OPTIMISER_GENETIC)
            cr_assert_geq(stats.best_fitness, begun);
        optimiser_destroy(&o);
    }
}

Test(large_genome, is_too_large_for_cma_es)
{
    struct optimiser o;
    struct error err = {""};
    struct optimiser_settings s = optimiser_default_settings(OPTIMISER_CMA_ES);
    cr_assert_not(optimiser_fits(&s, &genome, &err));
    cr_assert_str_eq(
        err.text,
        "optimiser cma-es: 4096 genes; it decomposes a matrix of genes x genes, which "
        "would take 403 MB and time that grows with the cube of their number; it takes "
        "at most 1024 genes; sep-cma-es, genetic, evolution-strategy and spsa take any number");
    cr_assert_not(optimiser_create(&o, &genome, &s, 3, NULL));
    optimiser_destroy(&o);
    genome.count = 1024;
    cr_assert(optimiser_fits(&s, &genome, NULL));
}
