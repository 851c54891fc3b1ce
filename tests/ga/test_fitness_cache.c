/* The fitness cache: every genome once, with chromosomes of any length. */
#include "population.h"

#include <criterion/criterion.h>

/* Genome `number` of these tests: only its last word tells it from the others. */
static void write_words(uint64_t *chromosome, int words, uint64_t number)
{
    for (int w = 0; w < words; w++)
        chromosome[w] = w == words - 1 ? number : 7;
}

Test(fitness_cache, finds_what_was_added_under_its_id)
{
    enum { GENOMES = 3000 };
    const int lengths[] = {1, 4, 16, 17, 768};
    uint64_t c[768];
    for (int k = 0; k < 5; k++) {
        struct fitness_cache cache = {.words = lengths[k]};
        write_words(c, lengths[k], 0);
        cr_assert_eq(fitness_cache_find(&cache, c), NOT_MEASURED);
        for (uint64_t i = 0; i < GENOMES; i++) {
            write_words(c, lengths[k], i);
            cr_assert_eq(fitness_cache_find(&cache, c), NOT_MEASURED);
            cr_assert_eq(fitness_cache_add(&cache, c, (int64_t)i, NOT_MEASURED), (int64_t)i);
        }
        for (uint64_t i = 0; i < GENOMES; i++) {
            write_words(c, lengths[k], i);
            cr_assert_eq(fitness_cache_find(&cache, c), (int64_t)i);
            cr_assert_eq(cache.entries[i].measure, (int64_t)i);
            cr_assert(chromosome_equal(fitness_cache_chromosome(&cache, i), c, lengths[k]));
        }
        fitness_cache_free(&cache);
        cr_assert_eq(fitness_cache_find(&cache, c), NOT_MEASURED);
        cr_assert_eq(cache.words, lengths[k], "an empty cache of the same genomes");
    }
}

/* A search measures neighbours: the genomes that are a locus or two away from one. A look into the cache
 * passes over few of them. */
Test(fitness_cache, spreads_neighbours_over_its_slots)
{
    enum { WORDS = 4, LOCI = 64 * WORDS };
    struct fitness_cache cache = {.words = WORDS};
    size_t taken = 0, longest = 0;
    for (int a = 0; a < LOCI; a++)
        for (int b = a; b < LOCI; b++) {
            uint64_t c[WORDS] = {0x123456789abcdef, 5, UINT64_MAX, 0};
            chromosome_flip(c, a);
            if (b > a)
                chromosome_flip(c, b);
            cr_assert_geq(fitness_cache_add(&cache, c, 0, 0), 0);
        }
    for (size_t i = 0; i < cache.slot_count; i++) {
        taken = cache.slots[i] != 0 ? taken + 1 : 0;
        longest = taken > longest ? taken : longest;
    }
    cr_assert_lt(longest, 1000, "slots in a row that are taken: %zu", longest);
    fitness_cache_free(&cache);
}

/* The memory that the header names. */
Test(fitness_cache, takes_a_known_number_of_bytes)
{
    enum { WORDS = 4, GENOMES = 200000, FEW = 10000 };
    struct fitness_cache cache = {.words = WORDS};
    uint64_t c[WORDS];
    double most = 0;
    for (uint64_t i = 0; i < GENOMES; i++) {
        write_words(c, WORDS, i);
        cr_assert_eq(fitness_cache_add(&cache, c, 0, 0), (int64_t)i);
        size_t bytes =
            cache.capacity * (sizeof *cache.entries + WORDS * sizeof *cache.chromosomes) +
            cache.slot_count * sizeof *cache.slots;
        if (i > FEW && (double)bytes / (double)(i + 1) > most)
            most = (double)bytes / (double)(i + 1);
    }
    cr_assert_leq(most, 71.5, "%g bytes a genome", most);
    fitness_cache_free(&cache);
}

/* Without a locus there is one genome. */
Test(fitness_cache, holds_the_genome_without_loci)
{
    struct fitness_cache cache = {0};
    const uint64_t none[1] = {0};
    cr_assert_eq(fitness_cache_find(&cache, none), NOT_MEASURED);
    cr_assert_eq(fitness_cache_add(&cache, none, 5, NOT_MEASURED), 0);
    cr_assert_eq(fitness_cache_find(&cache, none), 0);
    fitness_cache_free(&cache);
}

/* Genomes whose slots are all even fill the odd ones as well. */
Test(fitness_cache, looks_into_every_slot)
{
    enum { GENOMES = 380 };
    struct fitness_cache cache = {.words = 1};
    for (uint64_t number = 0; cache.count < GENOMES; number++) {
        struct fitness_cache alone = {.words = 1};
        size_t home = 0;
        cr_assert_eq(fitness_cache_add(&alone, &number, 0, 0), 0);
        while (alone.slots[home] == 0)
            home++;
        fitness_cache_free(&alone);
        if (home % 2 == 0)
            cr_assert_geq(fitness_cache_add(&cache, &number, 0, 0), 0);
    }
    cr_assert_eq(cache.slot_count, 512);
    fitness_cache_free(&cache);
}
