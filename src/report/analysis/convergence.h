/* Convergence of a population: statistics of each gene and each bit in every generation.
 *
 * For reports only: floating-point values never influence a run. Generations are added in order. A
 * `generation` argument is in [0, generations). */
#ifndef GRAYLING_CONVERGENCE_H
#define GRAYLING_CONVERGENCE_H

#include "population.h"

/* The values of one gene in one population. */
struct gene_state {
    double mean, deviation; /* over the organisms; the population's standard deviation */
    int32_t lowest, highest;
    int32_t best; /* of the best organism */
};

/* Owned by the caller between create and destroy. */
struct convergence {
    const struct genome *genome; /* borrowed */
    int generations;             /* added so far */
    struct gene_state *genes;    /* a row of genome->count for each generation */
    uint16_t *ones;              /* a row of genome->words * 64 counts: the organisms with a 1 */
    int population;              /* of the generation added last; all have the same */
    int32_t *values;             /* scratch: one organism decoded */
};

/* Allocates room for `generations`. convergence_destroy accepts a zeroed value. */
bool convergence_create(struct convergence *c, const struct genome *genome, int generations,
                        struct error *err);
void convergence_destroy(struct convergence *c);

/* Adds the next generation; `best` is the index of its best organism. */
void convergence_add(struct convergence *c, const struct organism *population, int count, int best);

const struct gene_state *convergence_gene(const struct convergence *c, int generation, int gene);

/* The share of organisms, 1/2 to 1, that have a bit's more frequent value. */
double convergence_agreement(const struct convergence *c, int generation, int locus);

/* Counts the organisms with a 1, for each locus of the first `words` words. */
void population_ones(const struct organism *population, int count, int words, uint16_t *ones);

#endif
