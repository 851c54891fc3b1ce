#include "population.h"

#include <assert.h>
#include <stdlib.h>

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

/* If k of n organisms have a locus set, k (n - k) pairs differ in it. The counts of 64 loci are added up at a
 * time: bit b of plane p is bit p of the count of locus b. */
double population_diversity(const struct genome *genome, const struct organism *organisms,
                            int count)
{
    enum { PLANES = 13 };
    static_assert(POPULATION_MAX < 1 << PLANES, "a count of organisms must fit the planes");
    uint64_t pairs = 0;
    for (int w = 0; w < genome->words; w++) {
        uint64_t planes[PLANES] = {0};
        for (int i = 0; i < count; i++)
            for (uint64_t p = 0, carry = organisms[i].chromosome[w]; carry != 0; p++) {
                planes[p] ^= carry;
                carry &= ~planes[p];
            }
        for (int locus = 0; locus < 64; locus++) {
            uint64_t set = 0;
            for (int p = 0; p < PLANES; p++)
                set |= (planes[p] >> locus & 1) << p;
            pairs += set * ((uint64_t)count - set);
        }
    }
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

/* ---- the fitness cache ---- */

enum { FIRST_SLOTS = 512, FIRST_ENTRIES = 64 };

/* Hashes the words of a chromosome with the multiply and shift of SplitMix64. */
static uint64_t hash(const uint64_t *chromosome, int words)
{
    uint64_t h = 0;
    for (int i = 0; i < words; i++) {
        h = (h ^ chromosome[i]) * 0x9e3779b97f4a7c15u;
        h ^= h >> 29;
    }
    return h;
}

/* Returns the slot that holds the chromosome, or the free slot for it. */
static size_t find_slot(const struct fitness_cache *cache, const uint64_t *chromosome)
{
    size_t slot = (size_t)hash(chromosome, cache->words) & (cache->slot_count - 1);
    while (cache->slots[slot] != 0 &&
           !chromosome_equal(fitness_cache_chromosome(cache, cache->slots[slot] - 1), chromosome,
                             cache->words))
        slot = (slot + 1) & (cache->slot_count - 1);
    return slot;
}

/* Makes the slots twice as many, and inserts every genome again. */
static bool grow_slots(struct fitness_cache *cache)
{
    size_t count = cache->slot_count == 0 ? FIRST_SLOTS : 2 * cache->slot_count;
    uint32_t *slots = calloc(count, sizeof *slots);
    if (slots == NULL)
        return false;
    free(cache->slots);
    cache->slots = slots;
    cache->slot_count = count;
    for (size_t id = 0; id < cache->count; id++)
        slots[find_slot(cache, fitness_cache_chromosome(cache, id))] = (uint32_t)(id + 1);
    return true;
}

static bool grow_entries(struct fitness_cache *cache)
{
    size_t capacity = cache->capacity + cache->capacity / 4 + FIRST_ENTRIES;
    size_t words = (size_t)cache->words;
    struct measured *entries = realloc(cache->entries, capacity * sizeof *entries);
    if (entries == NULL)
        return false;
    cache->entries = entries;
    uint64_t *chromosomes =
        realloc(cache->chromosomes, (capacity * words + 1) * sizeof *chromosomes);
    if (chromosomes == NULL)
        return false;
    cache->chromosomes = chromosomes;
    cache->capacity = capacity;
    return true;
}

int64_t fitness_cache_find(const struct fitness_cache *cache, const uint64_t *chromosome)
{
    if (cache->slot_count == 0)
        return NOT_MEASURED;
    return (int64_t)cache->slots[find_slot(cache, chromosome)] - 1;
}

int64_t fitness_cache_add(struct fitness_cache *cache, const uint64_t *chromosome, int64_t measure,
                          int64_t held_out)
{
    if (cache->count >= UINT32_MAX - 1 ||
        !(cache->count < cache->capacity || grow_entries(cache)) ||
        !(cache->count + 1 <= cache->slot_count / 4 * 3 || grow_slots(cache)))
        return NOT_MEASURED;
    cache->entries[cache->count] = (struct measured){measure, held_out};
    chromosome_copy(cache->chromosomes + cache->count * (size_t)cache->words, chromosome,
                    cache->words);
    cache->slots[find_slot(cache, chromosome)] = (uint32_t)(cache->count + 1);
    return (int64_t)cache->count++;
}

void fitness_cache_free(struct fitness_cache *cache)
{
    free(cache->entries);
    free(cache->chromosomes);
    free(cache->slots);
    *cache = (struct fitness_cache){.words = cache->words};
}
