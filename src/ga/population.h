/* A generation of organisms and its statistics: what all optimisers have in common. */
#ifndef GRAYLING_POPULATION_H
#define GRAYLING_POPULATION_H

#include "genome.h"

#include <stddef.h>

enum { POPULATION_MAX = 4096 };

struct organism {
    struct chromosome chromosome;
    int64_t fitness; /* >= 0, higher is better; written by the caller */
};

/* What one generation looks like; reported, never steering. */
struct population_stats {
    int best; /* index of the best organism; of equals the first */
    int64_t best_fitness;
    double mean, standard_deviation; /* of fitness; the deviation is the population's */
    double diversity;                /* mean Hamming distance between two organisms, in loci */
};

/* The index of the fittest of `count` organisms (1 or more), of equals the first. */
int population_best(const struct organism *organisms, int count);

/* Statistics of 2 to POPULATION_MAX organisms, summed in index order. */
struct population_stats population_statistics(const struct genome *genome,
                                              const struct organism *organisms, int count);

#endif
