/* The whole genetic algorithm: what a generation is made of, and that it optimises what a genetic algorithm
 * should. */
#include "operators.h"
#include "optimiser.h"
#include "problems.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

/* ---- a run ---- */

/* A fitness; `noise` is a stream of this organism's own, for functions that are noisy. */
typedef int64_t measure(const struct genome *g, const uint64_t *c, struct stream *noise);

static void measure_all(struct optimiser *e, measure *fitness)
{
    for (int i = 0; i < e->population; i++) {
        struct stream noise;
        stream_init(&noise, e->seed, STREAM_TEST, (uint64_t)e->generation, (uint64_t)i);
        e->organisms[i].fitness = fitness(e->genome, e->organisms[i].chromosome, &noise);
    }
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
static int64_t one_max(const struct genome *g, const uint64_t *c, struct stream *noise)
{
    (void)noise;
    int64_t n = 0;
    for (int i = 0; i < g->length; i++)
        n += chromosome_locus(c, i);
    return n;
}

/* ---- same seed, same run ---- */

/* FNV-1a over the words of a generation, with zeros up to 16 words. */
static uint64_t digest(const struct optimiser *e)
{
    uint64_t hash = 0xcbf29ce484222325u;
    for (int i = 0; i < e->population; i++)
        for (int w = 0; w < 16; w++) {
            uint64_t word = w < e->genome->words ? e->organisms[i].chromosome[w] : 0;
            for (int byte = 0; byte < 8; byte++)
                hash = (hash ^ (word >> 8 * byte & 0xff)) * 0x100000001b3u;
        }
    return hash;
}

static uint64_t digest_of_run(enum selection selection, enum crossover crossover, uint64_t seed)
{
    struct problem p;
    make_problem(&p, 35, 6, 0);
    struct optimiser_settings s = optimiser_default_settings(OPTIMISER_GENETIC);
    s.genetic.selection = selection;
    s.variation.crossover = crossover;
    struct optimiser e = start(&p.genome, s, seed);
    run(&e, one_max, 20);
    uint64_t d = digest(&e);
    optimiser_destroy(&e);
    return d;
}

/* The very organisms, so that runs stored by one version or machine replay on another: a change
 * here breaks every stored run. */
Test(genetic, runs_are_those_of_every_machine_and_version)
{
    cr_assert_eq(digest_of_run(SELECTION_PROPORTIONAL, CROSSOVER_UNIFORM, 1), 0x44b63c0bbd238be8u);
    cr_assert_eq(digest_of_run(SELECTION_RANK, CROSSOVER_ONE_POINT, 1), 0xb36638363cbfb970u);
    cr_assert_eq(digest_of_run(SELECTION_TOURNAMENT, CROSSOVER_TWO_POINT, 1), 0x071db95be5e98a9au);
}

/* ---- the step ---- */

/* One parent of the child that `s` belongs to, by ranking. */
static const uint64_t *ranked_parent(const struct optimiser *e, struct stream *s)
{
    struct rank ranking[100];
    uint64_t wheel[100];
    ranking_sort(ranking, e->organisms, e->population);
    wheel_rank(wheel, ranking, e->population, e->settings.genetic.rank_pressure);
    return e->organisms[wheel_draw(wheel, e->population, s)].chromosome;
}

/* Writes child `index` of the next generation, as the streams of its name give it. */
static void expect_child(const struct optimiser *e, uint64_t index, uint64_t *child)
{
    uint64_t generation = (uint64_t)e->generation + 1;
    struct stream s;
    stream_init(&s, e->seed, STREAM_SELECTION, generation, index);
    const uint64_t *first = ranked_parent(e, &s), *second = ranked_parent(e, &s);
    chromosome_copy(child, first, e->genome->words);
    stream_init(&s, e->seed, STREAM_CROSSOVER, generation, index);
    chromosome_cross(child, second, e->genome, CROSSOVER_UNIFORM, probability_fixed(0.75), &s);
    stream_init(&s, e->seed, STREAM_MUTATION, generation, index);
    chromosome_mutate(child, e->genome, probability_fixed(0.02), &s);
}

/* The elite is the best of a ranking, best first. */
Test(genetic, steps_are_the_operators_on_the_streams_of_each_child)
{
    enum { ELITE = 3 };
    struct problem p;
    make_problem(&p, 10, 10, 0);
    struct optimiser_settings s = optimiser_default_settings(OPTIMISER_GENETIC);
    s.population = 20;
    s.genetic.selection = SELECTION_RANK;
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
static int64_t steep_one_max(const struct genome *g, const uint64_t *c, struct stream *noise)
{
    int64_t fitness = 1024;
    for (int64_t n = one_max(g, c, noise); n > 0; n--)
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
                cr_assert_eq(best_count(s, steep_one_max, seed, 400), 160, "%s, %s",
                             selection_name(s.genetic.selection),
                             crossover_name(s.variation.crossover));
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
                cr_assert_leq(low, de_jong[k].bound, "%s, %s, seed %d: %g", de_jong[k].name,
                              crossover_name((enum crossover)kind), (int)seed, low);
            }
}

/* ---- deceptive traps (Deb and Goldberg 1993) ---- */

enum { TRAP_BITS = 5, TRAPS = 12 };

/* The number of loci set in trap t. */
static int trap_ones(const uint64_t *c, int t)
{
    int ones = 0;
    for (int i = 0; i < TRAP_BITS; i++)
        ones += chromosome_locus(c, TRAP_BITS * t + i);
    return ones;
}

/* Each trap is worth 5 when all of its loci are set; else less the more are set: 4 for none. */
static int64_t traps(const struct genome *g, const uint64_t *c, struct stream *noise)
{
    (void)g, (void)noise;
    int64_t sum = 0;
    for (int t = 0; t < TRAPS; t++) {
        int ones = trap_ones(c, t);
        sum += ones == TRAP_BITS ? TRAP_BITS : TRAP_BITS - 1 - ones;
    }
    return sum;
}

/* How the traps of the best organism ended. */
struct trap_end {
    int solved, deceived; /* all loci set, none set */
};

static struct trap_end run_traps(enum crossover crossover, int population, uint64_t seed)
{
    struct problem p;
    make_problem(&p, TRAPS, TRAP_BITS, 0);
    struct optimiser_settings s = optimiser_default_settings(OPTIMISER_GENETIC);
    s.population = population;
    s.genetic.selection = SELECTION_TOURNAMENT;
    s.genetic.tournament = 4;
    s.variation = (struct variation_settings){
        .crossover = crossover, .crossover_rate = 0.75, .mutation_rate = 0.001};
    struct optimiser e = start(&p.genome, s, seed);
    run(&e, traps, 60);
    const uint64_t *best = e.organisms[optimiser_statistics(&e).best].chromosome;
    struct trap_end end = {0, 0};
    for (int t = 0; t < TRAPS; t++) {
        end.solved += trap_ones(best, t) == TRAP_BITS;
        end.deceived += trap_ones(best, t) == 0;
    }
    optimiser_destroy(&e);
    return end;
}

/* Blocks that lie together survive cuts: in a population large enough to hold every block they are all solved. A
 * small population does not hold them, and is deceived in what it misses. Uniform crossover tears blocks apart, and so
 * is led where the slope points, whatever the size. */
Test(traps, are_solved_by_cuts_in_a_large_population_alone)
{
    for (uint64_t seed = 1; seed <= 5; seed++) {
        struct trap_end large = run_traps(CROSSOVER_TWO_POINT, 1000, seed);
        struct trap_end small = run_traps(CROSSOVER_TWO_POINT, 50, seed);
        struct trap_end torn = run_traps(CROSSOVER_UNIFORM, 1000, seed);
        cr_assert_geq(large.solved, TRAPS - 1);
        cr_assert(small.deceived >= 3 && small.solved + small.deceived >= TRAPS - 2);
        cr_assert(torn.deceived >= TRAPS - 1 && torn.solved <= 1);
    }
}
