/* The initial population: random within the genome, or behind seeds, with their children. */
#include "optimiser.h"
#include "problems.h"

#include <criterion/criterion.h>

static struct optimiser start(const struct genome *g, struct optimiser_settings s, uint64_t seed)
{
    struct optimiser e;
    struct error err;
    cr_assert(optimiser_create(&e, g, &s, seed, &err), "%s", err.text);
    return e;
}

/* The number of loci that are set. */
static int count_ones(const uint64_t *c, int words)
{
    int ones = 0;
    for (int w = 0; w < words; w++)
        ones += __builtin_popcountll(c[w]);
    return ones;
}

Test(initial_population, is_random_within_the_genome)
{
    struct problem p;
    make_problem(&p, 35, 6, 0);
    struct optimiser e = start(&p.genome, optimiser_default_settings(OPTIMISER_GENETIC), 1);
    cr_assert_eq(e.generation, 0);
    for (int i = 0; i < 100; i++) {
        cr_assert_eq(e.organisms[i].fitness, 0);
        for (int locus = 210; locus < 64 * p.genome.words; locus++)
            cr_assert_eq(chromosome_locus(e.organisms[i].chromosome, locus), 0);
    }
    /* Half of 210 loci differ in a pair; their mean over a population lies close to that. */
    double diversity = optimiser_statistics(&e).diversity;
    cr_assert(diversity > 103 && diversity < 107, "%g", diversity);
    optimiser_destroy(&e);
}

enum { WORDS = 2 }; /* of the genome of the following tests */

/* Two seeds, all loci 0 and all 1. */
static void make_seeds(const struct genome *g, uint64_t seeds[2 * WORDS])
{
    cr_assert_eq(g->words, WORDS);
    memset(seeds, 0, 2 * WORDS * sizeof *seeds);
    for (int i = 0; i < g->length; i++)
        chromosome_flip(seeds + WORDS, i);
}

Test(initial_population, has_its_seeds_before_the_random_organisms)
{
    struct problem p;
    uint64_t seeds[2 * WORDS];
    make_problem(&p, 10, 8, 0);
    make_seeds(&p.genome, seeds);
    struct optimiser plain = start(&p.genome, optimiser_default_settings(OPTIMISER_GENETIC), 5);
    struct optimiser seeded = start(&p.genome, optimiser_default_settings(OPTIMISER_GENETIC), 5);
    optimiser_seed(&seeded, seeds, 2);
    for (int i = 0; i < plain.population; i++)
        cr_assert(chromosome_equal(seeded.organisms[i].chromosome,
                                   i < 2 ? seeds + i * WORDS : plain.organisms[i].chromosome,
                                   WORDS));
    optimiser_destroy(&plain);
    optimiser_destroy(&seeded);
}

/* Children of a seed and itself are the seed but for mutations; those of both are mixed. */
Test(initial_population, is_filled_up_with_children_of_its_seeds)
{
    struct problem p;
    uint64_t seeds[2 * WORDS];
    struct optimiser_settings s = optimiser_default_settings(OPTIMISER_GENETIC);
    s.fill = FILL_OFFSPRING;
    s.variation.mutation_rate = 0;
    make_problem(&p, 10, 8, 0);
    make_seeds(&p.genome, seeds);
    struct optimiser e = start(&p.genome, s, 5);
    optimiser_seed(&e, seeds, 2);
    int copies = 0, mixed = 0;
    for (int i = 2; i < s.population; i++) {
        const uint64_t *c = e.organisms[i].chromosome;
        bool copy = chromosome_equal(c, seeds, WORDS) || chromosome_equal(c, seeds + WORDS, WORDS);
        copies += copy;
        mixed += !copy;
        cr_assert(copy || (count_ones(c, WORDS) > 20 && count_ones(c, WORDS) < 60));
    }
    cr_assert_gt(mixed, 20, "3 in 8 are of two different parents, and crossed: %d", mixed);
    cr_assert_gt(copies, 40, "the others are copies: %d", copies);
    optimiser_destroy(&e);
}

/* ---- defaults ---- */

/* Ten genes from -128 on, by default 3. */
static void make_defaults(struct problem *p, uint64_t defaults[WORDS])
{
    make_problem(p, 10, 8, -128);
    for (int i = 0; i < 10; i++)
        p->params[i].initial = 3;
    genome_encode(&p->genome, NULL, defaults);
}

static struct optimiser_settings share_of_defaults(double share)
{
    struct optimiser_settings s = optimiser_default_settings(OPTIMISER_GENETIC);
    s.defaults = share;
    return s;
}

Test(defaults, are_one_organism_and_mutants_of_it_in_their_share)
{
    struct problem p;
    uint64_t defaults[WORDS];
    make_defaults(&p, defaults);
    struct optimiser plain = start(&p.genome, share_of_defaults(0), 5);
    struct optimiser e = start(&p.genome, share_of_defaults(0.4), 5);
    int copies = 0;
    cr_assert(chromosome_equal(e.organisms[0].chromosome, defaults, WORDS));
    for (int i = 1; i < 40; i++) {
        int distance = hamming(e.organisms[i].chromosome, defaults, WORDS);
        cr_assert_lt(distance, 8, "80 loci at a rate of 0.005: %d flips", distance);
        copies += distance == 0;
    }
    cr_assert(copies > 15 && copies < 35, "exp(-0.4) of 39 have no flip: %d", copies);
    for (int i = 40; i < 100; i++)
        cr_assert(chromosome_equal(e.organisms[i].chromosome, plain.organisms[i].chromosome, WORDS),
                  "the others are those of a random population");
    cr_assert_eq(e.seed_count, 1);
    optimiser_destroy(&plain);
    optimiser_destroy(&e);
}

Test(defaults, of_any_share_are_one_organism_at_least_and_at_most_all)
{
    struct problem p;
    uint64_t defaults[WORDS];
    make_defaults(&p, defaults);
    struct optimiser one = start(&p.genome, share_of_defaults(0.001), 5);
    cr_assert(chromosome_equal(one.organisms[0].chromosome, defaults, WORDS));
    cr_assert_gt(hamming(one.organisms[1].chromosome, defaults, WORDS), 10);
    struct optimiser all = start(&p.genome, share_of_defaults(1), 5);
    for (int i = 0; i < 100; i++)
        cr_assert_lt(hamming(all.organisms[i].chromosome, defaults, WORDS), 8);
    optimiser_destroy(&one);
    optimiser_destroy(&all);
}

Test(defaults, come_after_the_seeds_and_have_children_with_them)
{
    struct problem p;
    uint64_t defaults[WORDS], seeds[2 * WORDS];
    make_defaults(&p, defaults);
    make_seeds(&p.genome, seeds);
    struct optimiser_settings s = share_of_defaults(0.02);
    s.fill = FILL_OFFSPRING;
    s.variation.crossover_rate = s.variation.mutation_rate = 0;
    struct optimiser e = start(&p.genome, s, 5);
    optimiser_seed(&e, seeds, 2);
    cr_assert_eq(e.seed_count, 3);
    int of_defaults = 0;
    for (int i = 2; i < 100; i++)
        of_defaults += chromosome_equal(e.organisms[i].chromosome, defaults, WORDS);
    cr_assert(chromosome_equal(e.organisms[0].chromosome, seeds, WORDS));
    cr_assert(chromosome_equal(e.organisms[1].chromosome, seeds + WORDS, WORDS));
    cr_assert(of_defaults > 20 && of_defaults < 50, "2, and a third of 96: %d", of_defaults);
    optimiser_destroy(&e);
}

/* Methods that have a mean or a point begin at the defaults. */
Test(defaults, are_where_an_evolution_strategy_begins)
{
    struct problem p;
    uint64_t defaults[WORDS];
    make_defaults(&p, defaults);
    struct optimiser_settings s = optimiser_default_settings(OPTIMISER_EVOLUTION_STRATEGY);
    s.defaults = 0.01;
    struct optimiser e = start(&p.genome, s, 5);
    optimiser_step(&e);
    cr_assert(chromosome_equal(e.organisms[0].chromosome, defaults, WORDS), "its mean");
    optimiser_destroy(&e);
}
