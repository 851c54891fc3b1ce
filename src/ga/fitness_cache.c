#include "fitness_cache.h"

#include <stdlib.h>
#include <string.h>

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

/* Clears the slots and inserts every genome again. */
static void rehash(struct fitness_cache *cache)
{
    memset(cache->slots, 0, cache->slot_count * sizeof *cache->slots);
    for (size_t id = 0; id < cache->count; id++)
        cache->slots[find_slot(cache, fitness_cache_chromosome(cache, id))] = id + 1;
}

/* Doubles the capacity. */
static bool grow(struct fitness_cache *cache)
{
    size_t capacity = cache->capacity == 0 ? 256 : 2 * cache->capacity;
    struct measured *entries = realloc(cache->entries, capacity * sizeof *entries);
    if (entries == NULL)
        return false;
    cache->entries = entries;
    size_t words = (size_t)cache->words;
    uint64_t *chromosomes =
        realloc(cache->chromosomes, (capacity * words + 1) * sizeof *chromosomes);
    if (chromosomes == NULL)
        return false;
    cache->chromosomes = chromosomes;
    size_t *slots = malloc(2 * capacity * sizeof *slots);
    if (slots == NULL)
        return false;
    free(cache->slots);
    cache->slots = slots;
    cache->slot_count = 2 * capacity;
    cache->capacity = capacity;
    rehash(cache);
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
    if (cache->count == cache->capacity && !grow(cache))
        return NOT_MEASURED;
    cache->entries[cache->count] = (struct measured){measure, held_out};
    chromosome_copy(cache->chromosomes + cache->count * (size_t)cache->words, chromosome,
                    cache->words);
    cache->slots[find_slot(cache, chromosome)] = cache->count + 1;
    return (int64_t)cache->count++;
}

void fitness_cache_free(struct fitness_cache *cache)
{
    free(cache->entries);
    free(cache->chromosomes);
    free(cache->slots);
    *cache = (struct fitness_cache){.words = cache->words};
}
