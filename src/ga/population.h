/* The organisms of a generation and their statistics, common to all optimisers. */
#ifndef GRAYLING_POPULATION_H
#define GRAYLING_POPULATION_H

#include "genome.h"

#include <stddef.h>

enum { POPULATION_MAX = 4096 };

struct organism {
    struct chromosome chromosome;
    int64_t fitness; /* >= 0, higher is better; written by the caller */
};

/* Statistics of one generation, for reports. No method reads them. */
struct population_stats {
    int best; /* index of the best organism; of equal ones, the first */
    int64_t best_fitness;
    double mean, standard_deviation; /* of fitness; divided by the population, not by it less 1 */
    double diversity;                /* mean Hamming distance between two organisms, in loci */
};

/* Returns the index of the fittest of `count` organisms (1 or more); of equal ones, the first. */
int population_best(const struct organism *organisms, int count);

/* Computes statistics of 2 to POPULATION_MAX organisms, summed in index order. */
struct population_stats population_statistics(const struct genome *genome,
                                              const struct organism *organisms, int count);

#endif
