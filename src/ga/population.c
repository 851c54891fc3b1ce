#include "population.h"

#include <assert.h>
#include <stdlib.h>

/* Counters for 64 loci, stored as bit planes: bit b of plane p is bit p of the count of locus b. */
enum { PLANES = 13 };

static_assert(POPULATION_MAX < 1 << PLANES, "a count of organisms must fit the planes");

struct organism *population_create(const struct genome *genome, int count)
{
    size_t head = (size_t)count * sizeof(struct organism);
    struct organism *organisms = calloc(1, head + genome_bytes(genome, (size_t)count));
    if (organisms == NULL)
        return NULL;
    uint64_t *words = (uint64_t *)(organisms + count);
    for (int i = 0; i < count; i++)
        organisms[i].chromosome = genome_row(genome, words, i);
    return organisms;
}

/* Increments the count of each locus that is set, with ripple carry. */
static void count_loci(uint64_t planes[PLANES], uint64_t loci)
{
    for (int p = 0; loci != 0; p++) {
        uint64_t carry = planes[p] & loci;
        planes[p] ^= loci;
        loci = carry;
    }
}

/* Returns the count of one locus. */
static uint64_t locus_count(const uint64_t planes[PLANES], int locus)
{
    uint64_t count = 0;
    for (int p = 0; p < PLANES; p++)
        count |= (planes[p] >> locus & 1) << p;
    return count;
}

/* Returns the number of pairs of organisms that differ, summed over the loci of word w. If k of n
 * organisms have a locus set, k (n - k) pairs differ in it. */
static uint64_t differing_pairs(const struct organism *organisms, int count, int w)
{
    uint64_t planes[PLANES] = {0};
    for (int i = 0; i < count; i++)
        count_loci(planes, organisms[i].chromosome[w]);
    uint64_t pairs = 0;
    for (int locus = 0; locus < 64; locus++) {
        uint64_t set = locus_count(planes, locus);
        pairs += set * ((uint64_t)count - set);
    }
    return pairs;
}

/* Returns the mean Hamming distance of all pairs, exact except for the final division. */
static double diversity(const struct genome *genome, const struct organism *organisms, int count)
{
    uint64_t pairs = 0;
    for (int w = 0; w < genome->words; w++)
        pairs += differing_pairs(organisms, count, w);
    double population = count;
    return (double)(2 * pairs) / (population * (population - 1));
}

int population_best(const struct organism *organisms, int count)
{
    int best = 0;
    for (int i = 1; i < count; i++)
        if (organisms[i].fitness > organisms[best].fitness)
            best = i;
    return best;
}

struct population_stats population_statistics(const struct genome *genome,
                                              const struct organism *organisms, int count)
{
    int best = population_best(organisms, count);
    return (struct population_stats){.best = best,
                                     .best_fitness = organisms[best].fitness,
                                     .diversity = diversity(genome, organisms, count)};
}
