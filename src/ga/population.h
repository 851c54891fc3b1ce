/* The organisms of a generation, and the fitness cache: what was measured of all of a run. */
#ifndef GRAYLING_POPULATION_H
#define GRAYLING_POPULATION_H

#include "genome.h"

#include <stddef.h>

enum { POPULATION_MAX = 4096 };

struct organism {
    uint64_t *chromosome; /* genome.words words, owned by the population */
    int64_t fitness;      /* >= 0, higher is better; written by the caller */
};

/* Allocates `count` organisms of fitness 0 with their chromosomes, all loci 0, one after another, as one
 * block that the caller frees. NULL without memory. */
struct organism *population_create(const struct genome *genome, int count);

/* Returns the index of the fittest of `count` organisms (1 or more); of equal ones, the first. */
int population_best(const struct organism *organisms, int count);

/* The mean Hamming distance, in loci, of all pairs of 2 to POPULATION_MAX organisms, exact before the division. */
double population_diversity(const struct genome *genome, const struct organism *organisms,
                            int count);

/* ---- the fitness cache of a run: the objective value of each genome, measured once. The id of a
 * genome is its position in the order of measurement, so a repeated run gives the same ids. */

enum { NOT_MEASURED = -1 };

struct measured {
    int64_t measure;  /* the objective value in training */
    int64_t held_out; /* on held-out data; NOT_MEASURED until it is measured */
};

/* A genome takes 8 bytes for each word of its chromosome, 16 for its values and at most 11 for its
 * slots; while the chromosomes grow there may be two copies of them.
 *
 * Owned by the caller. A cache is valid and empty if all but `words` is zero. Callers may read the
 * entries and write their objective values. Adding an entry may move all of them. */
struct fitness_cache {
    int words;                /* of a chromosome */
    struct measured *entries; /* by id */
    uint64_t *chromosomes;    /* by id, `words` words each */
    size_t count, capacity;
    uint32_t *slots;   /* id + 1 by hash, or 0: free; at most three quarters full */
    size_t slot_count; /* a power of two */
};

/* Returns the chromosome of a genome. Adding an entry may move it. */
static inline const uint64_t *fitness_cache_chromosome(const struct fitness_cache *cache, size_t id)
{
    return cache->chromosomes + id * (size_t)cache->words;
}

/* Returns the id of a genome, or NOT_MEASURED. */
int64_t fitness_cache_find(const struct fitness_cache *cache, const uint64_t *chromosome);

/* Adds a genome that is not there and returns its id; NOT_MEASURED without memory, or for genome 2^32 - 1. */
int64_t fitness_cache_add(struct fitness_cache *cache, const uint64_t *chromosome, int64_t measure,
                          int64_t held_out);

/* Frees the entries and leaves an empty cache. */
void fitness_cache_free(struct fitness_cache *cache);

#endif
