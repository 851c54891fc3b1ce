/* Evolutions of which it is known which genes count: the first half of ten genes, each with an optimum
 * of its own; the others do nothing. For the test of the signs of genes and for its experiment. */
#ifndef GRAYLING_TESTS_KNOWN_GENES_H
#define GRAYLING_TESTS_KNOWN_GENES_H

#include "convergence.h"
#include "default_settings.h"

#include <stdlib.h>

enum { KNOWN_GENES = 10, KNOWN_COUNTING = 5, KNOWN_POPULATION = 20, KNOWN_GENERATIONS = 50 };

/* Genes whose chance is below 5 %, over all seeds. */
struct known_signs {
    int counting, idle;
};

/* The distance of each counting gene from its optimum, summed, as fitness. */
static inline int64_t known_fitness(const struct genome *g, const uint64_t *c)
{
    static const int optima[KNOWN_COUNTING] = {5, 20, 33, 45, 60};
    int32_t values[KNOWN_GENES];
    int64_t fitness = 1000;
    genome_decode(g, c, values);
    for (int i = 0; i < KNOWN_COUNTING; i++)
        fitness -= abs(values[i] - optima[i]);
    return fitness;
}

/* Evolves with one seed and counts the genes that show a sign. False if there is no memory. */
static inline bool known_evolve(const struct optimiser_settings *settings, int generations,
                                uint64_t seed, struct known_signs *found)
{
    struct param genes[KNOWN_GENES];
    struct genome g;
    struct optimiser e = {0};
    for (int i = 0; i < KNOWN_GENES; i++)
        genes[i] = (struct param){.name = "G", .bits = 6, .max = 63, .sign = 1};
    const struct param_table table = {"test", genes, KNOWN_GENES};
    bool made = genome_init(&g, &table, NULL) && optimiser_create(&e, &g, settings, seed, NULL);
    struct gene_signs *s = made ? gene_signs_create(&g, settings, seed, 0, NULL) : NULL;
    for (int t = 0; s != NULL && t <= generations; t++) {
        for (int i = 0; i < settings->population; i++)
            e.organisms[i].fitness = known_fitness(&g, e.organisms[i].chromosome);
        gene_signs_add(s, e.organisms);
        optimiser_step(&e);
    }
    for (int i = 0; s != NULL && i < KNOWN_GENES; i++)
        *(i < KNOWN_COUNTING ? &found->counting : &found->idle) += gene_signs_chance(s, i) < 0.05;
    made = s != NULL;
    gene_signs_destroy(s);
    optimiser_destroy(&e);
    return made;
}

/* The same for seeds 1 to `seeds`. */
static inline bool known_signs_with(const struct optimiser_settings *settings, int generations,
                                    int seeds, struct known_signs *found)
{
    *found = (struct known_signs){0, 0};
    for (int seed = 1; seed <= seeds; seed++)
        if (!known_evolve(settings, generations, (uint64_t)seed, found))
            return false;
    return true;
}

/* The same with the default settings of a method. */
static inline bool known_signs_of(enum optimiser_kind kind, int seeds, struct known_signs *found)
{
    struct optimiser_settings settings = optimiser_default_settings(kind);
    settings.population = KNOWN_POPULATION;
    return known_signs_with(&settings, KNOWN_GENERATIONS, seeds, found);
}

#endif
