/* The organisms of a generation and their statistics, common to all optimisers. */
#ifndef GRAYLING_POPULATION_H
#define GRAYLING_POPULATION_H

#include "genome.h"

#include <stddef.h>

enum { POPULATION_MAX = 4096 };

struct organism {
    uint64_t *chromosome; /* genome.words words, owned by the population */
    int64_t fitness;      /* >= 0, higher is better; written by the caller */
};

/* Allocates `count` organisms of fitness 0 with their chromosomes, all loci 0, as one block that the
 * caller frees. NULL without memory. An assignment of organisms would share the chromosome: copy with
 * organism_copy. */
struct organism *population_create(const struct genome *genome, int count);

/* Copies an organism over another of the same genome. */
static inline void organism_copy(struct organism *to, const struct organism *from, int words)
{
    chromosome_copy(to->chromosome, from->chromosome, words);
    to->fitness = from->fitness;
}

/* Statistics of one generation, for reports. No method reads them. */
struct population_stats {
    int best; /* index of the best organism; of equal ones, the first */
    int64_t best_fitness;
    double diversity; /* mean Hamming distance between two organisms, in loci */
};

/* Returns the index of the fittest of `count` organisms (1 or more); of equal ones, the first. */
int population_best(const struct organism *organisms, int count);

/* Computes statistics of 2 to POPULATION_MAX organisms, summed in index order. */
struct population_stats population_statistics(const struct genome *genome,
                                              const struct organism *organisms, int count);

#endif
