/* The whole genetic algorithm: what a generation is made of, also the first, and that it optimises what a genetic
 * algorithm should. */
#include "operators.h"
#include "optimiser.h"
#include "problems.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

/* ---- a run ---- */

typedef int64_t measure(const struct genome *g, const uint64_t *c);

static void measure_all(struct optimiser *e, measure *fitness)
{
    for (int i = 0; i < e->population; i++)
        e->organisms[i].fitness = fitness(e->genome, e->organisms[i].chromosome);
}

static struct optimiser start(const struct genome *g, struct optimiser_settings s, uint64_t seed)
{
    struct optimiser e;
    struct error err;
    cr_assert(optimiser_create(&e, g, &s, seed, &err), "%s", err.text);
    return e;
}

/* The number of loci in which two organisms differ. */
static int distance(const struct genome *g, const struct organism *a, const struct organism *b)
{
    return hamming(a->chromosome, b->chromosome, g->words);
}

/* Goes on until `generation`, which is left measured. */
static void run(struct optimiser *e, measure *fitness, int generation)
{
    measure_all(e, fitness);
    while (e->generation < generation) {
        optimiser_step(e);
        measure_all(e, fitness);
    }
}

/* The number of loci that are set. */
static int64_t one_max(const struct genome *g, const uint64_t *c)
{
    int64_t n = 0;
    for (int i = 0; i < g->length; i++)
        n += chromosome_locus(c, i);
    return n;
}

/* ---- the step ---- */

/* One parent of the child that `s` belongs to, by ranking or by truncated fitness. */
static const uint64_t *one_parent(const struct optimiser *e, struct stream *s)
{
    struct rank ranking[100];
    uint64_t wheel[100];
    ranking_sort(ranking, e->organisms, e->population);
    if (e->settings.genetic.selection == SELECTION_RANK)
        wheel_rank(wheel, ranking, e->population, e->settings.genetic.rank_pressure);
    else
        wheel_truncated(wheel, e->organisms, e->population, e->settings.genetic.truncation);
    return e->organisms[wheel_draw(wheel, e->population, s)].chromosome;
}

/* Writes child `index` of the next generation, as the streams of its name give it. */
static void expect_child(const struct optimiser *e, uint64_t index, uint64_t *child)
{
    uint64_t generation = (uint64_t)e->generation + 1;
    struct stream s;
    stream_init(&s, e->seed, STREAM_SELECTION, generation, index);
    const uint64_t *first = one_parent(e, &s), *second = one_parent(e, &s);
    chromosome_copy(child, first, e->genome->words);
    stream_init(&s, e->seed, STREAM_CROSSOVER, generation, index);
    chromosome_cross(child, second, e->genome, CROSSOVER_UNIFORM, probability_fixed(0.75), &s);
    stream_init(&s, e->seed, STREAM_MUTATION, generation, index);
    chromosome_mutate(child, e->genome, probability_fixed(0.02), &s);
}

/* Checks 30 steps of one way to select. The elite is the best of a ranking, best first. */
static void check_steps(enum selection selection, double truncation)
{
    enum { ELITE = 3 };
    struct problem p;
    make_problem(&p, 10, 10, 0);
    struct optimiser_settings s = optimiser_default_settings(OPTIMISER_GENETIC);
    s.population = 20;
    s.genetic.selection = selection;
    s.genetic.truncation = truncation;
    s.genetic.elitism = ELITE;
    s.variation.mutation_rate = 0.02;
    struct optimiser e = start(&p.genome, s, 4);
    struct organism *expected = population_create(&p.genome, 20);
    for (int t = 0; t < 30; t++) {
        struct rank ranking[20];
        measure_all(&e, one_max);
        ranking_sort(ranking, e.organisms, 20);
        for (int i = 0; i < ELITE; i++)
            chromosome_copy(expected[i].chromosome, e.organisms[ranking[i].index].chromosome,
                            p.genome.words);
        for (int i = ELITE; i < 20; i++)
            expect_child(&e, (uint64_t)i, expected[i].chromosome);
        optimiser_step(&e);
        for (int i = 0; i < 20; i++)
            cr_assert(e.organisms[i].fitness == 0 &&
                          distance(&p.genome, &e.organisms[i], &expected[i]) == 0,
                      "generation %d, organism %d", e.generation, i);
    }
    free(expected);
    optimiser_destroy(&e);
}

Test(genetic, steps_are_the_operators_on_the_streams_of_each_child)
{
    check_steps(SELECTION_RANK, 0);
    check_steps(SELECTION_PROPORTIONAL, 2);
}

/* ---- statistics ---- */

Test(statistics, agree_with_their_definitions)
{
    struct problem p;
    make_problem(&p, 35, 6, 0);
    const int populations[] = {2, 3, 100, 257};
    for (int k = 0; k < 4; k++) {
        struct optimiser_settings s = optimiser_default_settings(OPTIMISER_GENETIC);
        int n = s.population = populations[k];
        struct optimiser e = start(&p.genome, s, 5);
        run(&e, one_max, 3);
        e.organisms[n / 3].fitness = e.organisms[n / 2].fitness = (int64_t)1 << 62;
        double apart = 0;
        for (int i = 0; i < n; i++)
            for (int j = 0; j < i; j++)
                apart += distance(&p.genome, &e.organisms[i], &e.organisms[j]);
        struct population_stats stats = optimiser_statistics(&e);
        cr_assert_float_eq(stats.diversity, apart / (n * (n - 1) / 2.0), 1e-9);
        cr_assert_eq(stats.best, n / 3, "the first of equals");
        cr_assert_eq(stats.best_fitness, (int64_t)1 << 62);
        optimiser_destroy(&e);
    }
}

Test(statistics, of_the_largest_population_are_exact)
{
    struct problem p;
    make_problem(&p, 1, 8, 0);
    struct optimiser_settings s = optimiser_default_settings(OPTIMISER_GENETIC);
    s.population = POPULATION_MAX;
    struct optimiser e = start(&p.genome, s, 5);
    for (int i = 0; i < POPULATION_MAX; i++) /* locus 0 everywhere, locus 1 in one half */
        e.organisms[i].chromosome[0] = i % 2 == 0 ? 1 : 3;
    double half = POPULATION_MAX / 2.0;
    cr_assert_float_eq(optimiser_statistics(&e).diversity,
                       half * half / (POPULATION_MAX * (POPULATION_MAX - 1) / 2.0), 1e-12);
    optimiser_destroy(&e);
}

/* ---- OneMax ---- */

/* A fitness that grows by an eighth for each locus set: the pressure of proportional selection
 * then stays the same all the way. */
static int64_t steep_one_max(const struct genome *g, const uint64_t *c)
{
    int64_t fitness = 1024;
    for (int64_t n = one_max(g, c); n > 0; n--)
        fitness += fitness / 8;
    return fitness;
}

/* The most loci that any organism has set after `generations`. */
static int64_t best_count(struct optimiser_settings s, measure *fitness, uint64_t seed,
                          int generations)
{
    struct problem p;
    make_problem(&p, 20, 8, 0);
    struct optimiser e = start(&p.genome, s, seed);
    run(&e, fitness, generations);
    measure_all(&e, one_max);
    int64_t best = optimiser_statistics(&e).best_fitness;
    optimiser_destroy(&e);
    return best;
}

Test(one_max, is_reached_with_every_selection_and_crossover)
{
    for (int selection = SELECTION_PROPORTIONAL; selection <= SELECTION_TOURNAMENT; selection++)
        for (int crossover = CROSSOVER_UNIFORM; crossover <= CROSSOVER_TWO_POINT; crossover++) {
            struct optimiser_settings s = optimiser_default_settings(OPTIMISER_GENETIC);
            s.genetic.selection = (enum selection)selection;
            s.variation.crossover = (enum crossover)crossover;
            for (uint64_t seed = 1; seed <= 3; seed++)
                cr_assert_eq(best_count(s, steep_one_max, seed, 400), 160,
                             "selection %d, crossover %d", (int)s.genetic.selection,
                             (int)s.variation.crossover);
        }
}

/* ---- De Jong's five functions ---- */

/* A function, its genome, and what every seed must reach. */
struct de_jong {
    const char *name;
    double (*f)(const int32_t *v, struct stream *noise);
    int genes, bits;
    int32_t min;
    double bound;
};

static const struct de_jong de_jong[] = {
    {"F1", f1_sphere, 3, 10, -512, 0.001},      {"F2", f2_rosenbrock, 2, 12, -2048, 0.05},
    {"F3", f3_steps, 5, 10, -512, 0},           {"F4", f4_quartic, 30, 8, -128, 2},
    {"F5", f5_foxholes, 2, 17, -65536, 0.9981},
};

/* Measures with noise: how far below a ceiling that no value reaches, in millionths. */
static void measure_de_jong(struct optimiser *e, const struct de_jong *d)
{
    for (int i = 0; i < e->population; i++) {
        struct stream noise;
        int32_t values[GENES_MAX];
        stream_init(&noise, e->seed, STREAM_TEST, (uint64_t)e->generation, (uint64_t)i);
        genome_decode(e->genome, e->organisms[i].chromosome, values);
        e->organisms[i].fitness = (int64_t)((10000 - d->f(values, &noise)) * 1e6);
    }
}

/* The least value without noise in the present generation. */
static double least(const struct optimiser *e, const struct de_jong *d)
{
    double low = INFINITY;
    for (int i = 0; i < e->population; i++) {
        int32_t values[GENES_MAX];
        genome_decode(e->genome, e->organisms[i].chromosome, values);
        low = fmin(low, d->f(values, NULL));
    }
    return low;
}

/* The least value that the algorithm ends with. */
static double minimise(const struct de_jong *d, enum crossover crossover, uint64_t seed,
                       int generations)
{
    struct problem p;
    make_problem(&p, d->genes, d->bits, d->min);
    struct optimiser_settings s = optimiser_default_settings(OPTIMISER_GENETIC);
    s.genetic.selection = SELECTION_RANK;
    s.variation.crossover = crossover;
    s.variation.mutation_rate = 0.01;
    struct optimiser e = start(&p.genome, s, seed);
    measure_de_jong(&e, d);
    while (e.generation < generations) {
        optimiser_step(&e);
        measure_de_jong(&e, d);
    }
    double low = least(&e, d);
    optimiser_destroy(&e);
    return low;
}

/* Mixing whole genes serves where genes add up, as in the noisy F4. */
Test(de_jong, functions_are_minimised)
{
    for (int kind = CROSSOVER_TWO_POINT; kind <= CROSSOVER_LINE; kind++)
        for (int k = 0; k < 5; k++)
            for (uint64_t seed = 1; seed <= 5 && (kind == CROSSOVER_TWO_POINT || k == 3); seed++) {
                double low = minimise(&de_jong[k], (enum crossover)kind, seed, 100);
                cr_assert_leq(low, de_jong[k].bound, "%s, crossover %d, seed %d: %g",
                              de_jong[k].name, kind, (int)seed, low);
            }
}

/* ---- the initial population: random within the genome, or behind seeds, with their children ---- */

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
        cr_assert(copy || (one_max(&p.genome, c) > 20 && one_max(&p.genome, c) < 60));
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
