/* Every method of optimisation: that it repeats and resumes, keeps to the genome, takes any
 * settings that it accepts, and finds what it should. */
#include "optimiser.h"

#include "problems.h"

#include <float.h>
#include <inttypes.h>
#include <string.h>

/* ---- a run ---- */

/* A function of decoded values to be minimised. */
typedef double function(const int32_t *values);

/* How far below a ceiling that no function reaches, in millionths. */
static int64_t fitness_of(const struct genome *g, const uint64_t *c, function *f)
{
    int32_t values[GENES_MAX];
    genome_decode(g, c, values);
    return (int64_t)((10000 - f(values)) * 1e6);
}

static void measure_all(struct optimiser *o, function *f)
{
    for (int i = 0; i < o->population; i++)
        o->organisms[i].fitness = fitness_of(o->genome, o->organisms[i].chromosome, f);
}

/* The defaults of a method with this population; what the genetic algorithm has, for all. */
static struct optimiser_settings settings_of(enum optimiser_kind kind, int population)
{
    struct optimiser_settings s = optimiser_default_settings(kind);
    s.population = population;
    s.genetic.selection = SELECTION_RANK;
    s.variation.mutation_rate = 0.02;
    return s;
}

static struct optimiser start(const struct genome *g, enum optimiser_kind kind, int population,
                              uint64_t seed)
{
    struct optimiser o;
    struct error err;
    struct optimiser_settings settings = settings_of(kind, population);
    cr_assert(optimiser_create(&o, g, &settings, seed, &err), "%s", err.text);
    return o;
}

static const char *name_of(int kind)
{
    return optimiser_method_of((enum optimiser_kind)kind)->name;
}

/* The least value that a run comes upon. */
static double minimise(const struct genome *g, enum optimiser_kind kind, function *f,
                       int population, int generations, uint64_t seed)
{
    struct optimiser o = start(g, kind, population, seed);
    int64_t best = 0;
    for (int generation = 0;; generation++) {
        measure_all(&o, f);
        int64_t now = optimiser_statistics(&o).best_fitness;
        best = now > best ? now : best;
        if (generation == generations)
            break;
        optimiser_step(&o);
    }
    optimiser_destroy(&o);
    return 10000 - (double)best / 1e6;
}

/* ---- functions ---- */

enum { SPHERE_GENES = 10, ELLIPSE_GENES = 6 };

/* A sphere whose middle lies off the middle of the range: 0 to 1023 each. */
static double shifted_sphere(const int32_t *v)
{
    double sum = 0;
    for (int i = 0; i < SPHERE_GENES; i++) {
        double x = (v[i] - 200 - 60 * i) / 100.0;
        sum += x * x;
    }
    return sum;
}

/* An ellipsoid, 100 to 1 in the squares, whose axes lie across those of the genes: each pair is
 * turned by 45 degrees against the next. */
static double turned_ellipsoid(const int32_t *v)
{
    double x[ELLIPSE_GENES], sum = 0;
    for (int i = 0; i < ELLIPSE_GENES; i++)
        x[i] = (v[i] - 300 - 50 * i) / 100.0;
    for (int i = 0; i + 1 < ELLIPSE_GENES; i++) {
        double a = (x[i] + x[i + 1]) / sqrt(2), b = (x[i + 1] - x[i]) / sqrt(2);
        x[i] = a;
        x[i + 1] = b;
    }
    for (int i = 0; i < ELLIPSE_GENES; i++)
        sum += pow(100, (double)i / (ELLIPSE_GENES - 1)) * x[i] * x[i];
    return sum;
}

/* ---- what each method finds ---- */

/* What the median of five seeds must come down to with 3,000 evaluations, 30 a generation. */
struct bar {
    enum optimiser_kind kind;
    double sphere, ellipsoid;
};

static const struct bar bars[OPTIMISERS] = {
    {OPTIMISER_GENETIC, 1, 1},
    {OPTIMISER_CMA_ES, 0.001, 0.001},
    {OPTIMISER_EVOLUTION_STRATEGY, 4, 25}, /* its steps keep their length */
    {OPTIMISER_DIFFERENTIAL_EVOLUTION, 0.01, 0.01},
    {OPTIMISER_PARTICLE_SWARM, 0.01, 0.1},
    {OPTIMISER_RANDOM, 80, 60},
    {OPTIMISER_HILL_CLIMBING, 0.01, 1},
    {OPTIMISER_SPSA, 0.1, 1},
    {OPTIMISER_GRADIENT_DESCENT, 0.1, 0.1},
    {OPTIMISER_SEP_CMA_ES, 0.001, 25}, /* it does not learn how the ellipsoid is turned */
};

static int by_value(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* The median of five seeds. */
static double median(const struct genome *g, enum optimiser_kind kind, function *f)
{
    double found[5];
    for (int seed = 0; seed < 5; seed++)
        found[seed] = minimise(g, kind, f, 30, 99, (uint64_t)seed + 1);
    qsort(found, 5, sizeof *found, by_value);
    return found[2];
}

/* Every method comes down to its bar, and further than random search. */
Test(methods, find_the_middle_of_a_sphere_and_come_down_a_turned_ellipsoid)
{
    struct problem ball, ellipse;
    make_problem(&ball, SPHERE_GENES, 10, 0);
    make_problem(&ellipse, ELLIPSE_GENES, 10, 0);
    const double sphere = median(&ball.genome, OPTIMISER_RANDOM, shifted_sphere);
    const double ellipsoid = median(&ellipse.genome, OPTIMISER_RANDOM, turned_ellipsoid);
    for (const struct bar *b = bars; b < bars + OPTIMISERS; b++) {
        double found = median(&ball.genome, b->kind, shifted_sphere);
        cr_expect_leq(found, b->sphere, "%s: %g", name_of((int)b->kind), found);
        found = median(&ellipse.genome, b->kind, turned_ellipsoid);
        cr_expect_leq(found, b->ellipsoid, "%s: %g", name_of((int)b->kind), found);
        cr_expect(b->kind == OPTIMISER_RANDOM ||
                  (2 * b->sphere < sphere && b->ellipsoid < ellipsoid));
    }
}

/* ---- same seed, same run ---- */

/* Genes of every size, some of them constants, with values that the bits do not reach. */
static const struct param odd_params[] = {
    {"A", 1, 0, 1, 0, 1, NULL, ""},
    {"B", 0, 7, 7, 7, 1, NULL, ""},
    {"C", 11, -100, 1500, 0, 1, NULL, ""},
    {"D", 6, 5, 40, 5, 1, NULL, ""},
    {"E", 3, 2, 2, 2, 1, NULL, ""},
    {"F", 32, 0, INT32_MAX, 0, 1, NULL, ""},
    {"G", 32, INT32_MIN, INT32_MAX, 0, -1, NULL, ""},
    {"H", 2, 1, 3, 1, 1, NULL, ""},
};
static const struct param_table odd_table = {"odd", odd_params, 8};

static struct genome odd_genome(void)
{
    struct genome g;
    struct error err;
    cr_assert(genome_init(&g, &odd_table, &err), "%s", err.text);
    return g;
}

/* Some function of all genes. */
static double odd(const int32_t *v)
{
    double f = fabs(v[2] - 700.0) / 1000 + fabs(v[6] / 1e9 - 1) + fabs(v[5] / 1e9 - 1);
    return f + (v[0] == 1 ? 0 : 1) + fabs(v[3] - 11.0) / 10 + fabs(v[7] - 2.0);
}

/* True if two populations have the same organisms with the same fitness. */
static bool same_organisms(const struct optimiser *a, const struct optimiser *b)
{
    for (int i = 0; i < a->population; i++)
        if (a->organisms[i].fitness != b->organisms[i].fitness ||
            !chromosome_equal(a->organisms[i].chromosome, b->organisms[i].chromosome,
                              a->genome->words))
            return false;
    return true;
}

static void expect_same(const struct optimiser *a, const struct optimiser *b)
{
    cr_assert_eq(a->generation, b->generation);
    cr_assert(same_organisms(a, b), "%s, generation %d", a->method->name, a->generation);
}

/* Genes with groups, signs, steps, perturbations of their own, and one that another leaves without effect. */
static const struct param few_params[] = {
    {"USE", 1, 0, 1, 0, 1, NULL, ""},
    {"DEPTH", 3, 0, 7, 0, 1, "USE >= 1", "", .group = "a"},
    {"WIDTH", 10, 0, 1000, 0, 1, NULL, "", .group = "a", .c = 60},
    {"LEFT", 10, -400, 400, 0, 1, NULL, "", .group = "b"},
    {"RIGHT", 10, -400, 400, 0, 1, NULL, ""},
    {"STEPS", 4, 0, 140, 0, 1, NULL, "", .group = "b", .step = 10},
    {"WIDE", 20, 0, (1 << 20) - 1, 0, 1, NULL, "", .group = "b"},
    {"OTHER", 20, 0, (1 << 20) - 1, 0, 1, NULL, "", .group = "b"},
};

static double few(const int32_t *v)
{
    double f = fabs(v[2] - 700.0) / 10 + fabs(v[3] - 300.0) / 10 + fabs(v[4] + 90.0) / 10;
    return f + fabs(v[5] - 60.0) + fabs(v[6] / 1e4 - 90) + fabs(v[7] / 1e4 - 7) + v[0] + v[1];
}

/* Half points of four games between the two of a pair. */
static void measure_mates(struct optimiser *o)
{
    for (int i = 0; i < o->population; i++) {
        int32_t v[GENES_MAX];
        genome_decode(o->genome, o->organisms[i].chromosome, v);
        const int64_t own = (v[2] + v[3] + v[6] / 1000 + 800) % 9;
        o->organisms[i].fitness = i % 2 == 0 ? own : 8 - o->organisms[i - 1].fitness;
    }
}

/* The genes of a run, and of the few ones whether they are mixed, or measured in pairs. */
enum pinned_genes { ODD, FEW, FEW_MIXED, FEW_MATES };

/* Published runs are repeated by later versions: the same seed draws the same organisms for ever. A change
 * that needs other numbers here makes the runs of docs/runs differ too. */
static const struct pinned {
    uint64_t sum;
    enum optimiser_kind kind;
    enum pinned_genes genes;
    int seeds;
    struct evolution_strategy_settings strategy;
    enum selection selection;
    enum crossover crossover;
} pinned[] = {
    {0x6ebf8b34f9c0047d, OPTIMISER_GENETIC, .selection = SELECTION_RANK},
    {0xa6ccd2e0b1b5de72, OPTIMISER_GENETIC, .selection = SELECTION_PROPORTIONAL},
    {0x604aadd21cfe5ad8, OPTIMISER_GENETIC, .selection = SELECTION_RANK,
     .crossover = CROSSOVER_ONE_POINT},
    {0x449b34c1136a83c3, OPTIMISER_GENETIC, .selection = SELECTION_TOURNAMENT,
     .crossover = CROSSOVER_TWO_POINT},
    {0x7faaaa4a1bc8be5c, OPTIMISER_CMA_ES},
    {0xb7e0e663de4f51fd, OPTIMISER_EVOLUTION_STRATEGY, ODD, 0, {0.3, 0.2, .groups = 1}},
    {0xc11578a860f8275c, OPTIMISER_DIFFERENTIAL_EVOLUTION},
    {0xd55fb1761519ce0d, OPTIMISER_PARTICLE_SWARM},
    {0x92b83ba659f46053, OPTIMISER_RANDOM},
    {0x356915616a91d68d, OPTIMISER_HILL_CLIMBING},
    {0xf4ae05a416cedda5, OPTIMISER_SPSA},
    {0x50a38239966087f3, OPTIMISER_GRADIENT_DESCENT},
    {0x5db3f81f36148526, OPTIMISER_SEP_CMA_ES},
    {0x6f531c3c81012243, OPTIMISER_CMA_ES, FEW, 1},
    {0x70dd60c8b59534cc, OPTIMISER_SEP_CMA_ES, FEW, 2},
    {0x36a3f5d4ee28058a, OPTIMISER_EVOLUTION_STRATEGY, FEW, 0, {0.3, 0.2}},
    {0xab57aa5713dc3eaf, OPTIMISER_EVOLUTION_STRATEGY, FEW, 4, {0.3, 0.2}},
    {0xf5418e4c48b41857, OPTIMISER_EVOLUTION_STRATEGY, FEW, 1, {0, 0.2}},
    {0xc21cc379bf5cb9e9, OPTIMISER_EVOLUTION_STRATEGY, FEW_MIXED, 2, {0.1, 0.2}},
    {0x98b4eed60607c500, OPTIMISER_EVOLUTION_STRATEGY, FEW, 3, {0.1, 0.2, .groups = 1}},
    {0xf38c3d8bfbaeec30, OPTIMISER_EVOLUTION_STRATEGY, FEW, 1, {0.01, 0.1, 1, .margin = 0.3}},
    {0xc52d8d1ec38d3166, OPTIMISER_EVOLUTION_STRATEGY, FEW_MATES, 2, {0.1, 0.1}},
    {0x264b7a268faa0c18, OPTIMISER_EVOLUTION_STRATEGY, FEW_MATES, 1, {0.1, 0.1, .groups = 1}},
    {0x488cb833e140dbd7, OPTIMISER_SPSA, FEW, 1},
    {0xd62714d847721bc1, OPTIMISER_SPSA, FEW_MATES, 1},
    {0x306035d57b2a4a1c, OPTIMISER_GRADIENT_DESCENT, FEW, 1},
};

/* A number for all organisms of some generations, and for the champion of each (FNV-1a). */
static uint64_t sum_of_run(const struct pinned *p)
{
    const bool mates = p->genes == FEW_MATES, of_few = p->genes != ODD;
    const struct param_table table = {"few", few_params, 8, .mixed = p->genes == FEW_MIXED};
    struct genome g = odd_genome();
    uint64_t sum = 0xcbf29ce484222325, seeds[8];
    struct optimiser_settings settings = settings_of(p->kind, 9);
    struct optimiser o;
    struct error err;
    settings.rate = 0.2;
    settings.genetic.selection = p->selection;
    settings.variation.crossover = p->crossover;
    if (p->kind == OPTIMISER_EVOLUTION_STRATEGY)
        settings.evolution_strategy = p->strategy;
    cr_assert(!of_few || genome_init(&g, &table, &err), "%s", err.text);
    cr_assert(optimiser_create(&o, &g, &settings, 5, &err), "%s", err.text);
    o.mates = o.relative = mates;
    for (int i = 0; i < p->seeds; i++)
        chromosome_copy(seeds + i * g.words, o.organisms[i + 3].chromosome, g.words);
    if (p->seeds > 0)
        optimiser_seed(&o, seeds, p->seeds);
    for (int generation = 0; generation < (of_few ? 150 : 40); generation++) {
        for (int i = 0; i < o.population; i++)
            for (int word = 0; word < g.words; word++)
                sum = (sum ^ o.organisms[i].chromosome[word]) * 0x100000001b3;
        if (mates)
            measure_mates(&o);
        else
            measure_all(&o, of_few ? few : odd);
        if (of_few)
            sum = (sum ^ (uint64_t)optimiser_statistics(&o).best) * 0x100000001b3;
        optimiser_step(&o);
    }
    optimiser_destroy(&o);
    return sum;
}

/* CMA-ES and the margin take numbers from GSL, which is compiled for registers of 80 bits where the compiler
 * computes in them; their last bits are others there. */
static int rests_on_the_machine(const struct pinned *p)
{
    return (p->kind == OPTIMISER_CMA_ES || p->strategy.margin > 0) && FLT_EVAL_METHOD != 0;
}

Test(optimiser, draws_what_it_drew_for_published_runs)
{
    for (size_t i = 0; i < sizeof pinned / sizeof *pinned; i++) {
        if (rests_on_the_machine(&pinned[i]))
            continue;
        uint64_t sum = sum_of_run(&pinned[i]);
        cr_expect_eq(sum, pinned[i].sum, "%zu, %s: 0x%016" PRIx64, i, name_of((int)pinned[i].kind),
                     sum);
    }
}

/* What a resumed run does: the fitness of all generations so far is enough. Another seed gives another run. */
Test(optimiser, goes_on_after_a_replay_of_fitness_as_if_it_had_not_stopped)
{
    enum { POPULATION = 7, UNTIL = 25, END = 50 };
    struct genome g = odd_genome();
    for (int k = 0; k < OPTIMISERS; k++) {
        int64_t fitness[UNTIL][POPULATION];
        struct optimiser whole = start(&g, (enum optimiser_kind)k, POPULATION, 3);
        struct optimiser other = start(&g, (enum optimiser_kind)k, POPULATION, 4);
        for (int t = 0; t < UNTIL; t++) {
            cr_assert_not(same_organisms(&whole, &other), "%s", name_of(k));
            measure_all(&whole, odd);
            measure_all(&other, odd);
            for (int i = 0; i < POPULATION; i++)
                fitness[t][i] = whole.organisms[i].fitness;
            optimiser_step(&whole);
            optimiser_step(&other);
        }
        struct optimiser resumed = start(&g, (enum optimiser_kind)k, POPULATION, 3);
        for (int t = 0; t < UNTIL; t++) {
            for (int i = 0; i < POPULATION; i++)
                resumed.organisms[i].fitness = fitness[t][i];
            optimiser_step(&resumed);
        }
        for (int t = UNTIL; t < END; t++) {
            expect_same(&whole, &resumed);
            measure_all(&whole, odd);
            measure_all(&resumed, odd);
            optimiser_step(&whole);
            optimiser_step(&resumed);
        }
        optimiser_destroy(&whole);
        optimiser_destroy(&other);
        optimiser_destroy(&resumed);
    }
}

/* ---- generation 0 ---- */

Test(generation_0, is_the_same_for_all_methods)
{
    struct genome g = odd_genome();
    struct optimiser first = start(&g, OPTIMISER_GENETIC, 9, 5);
    for (int k = 1; k < OPTIMISERS; k++) {
        struct optimiser o = start(&g, (enum optimiser_kind)k, 9, 5);
        expect_same(&first, &o);
        optimiser_destroy(&o);
    }
    optimiser_destroy(&first);
}

/* ---- the genome's bounds, and settings ---- */

/* Every chromosome is one that encodes values of its genes: no gene beyond its maximum, which
 * random bits may be, and no locus beyond the genome. */
static void expect_in_bounds(const struct optimiser *o)
{
    for (int i = 0; i < o->population; i++) {
        int32_t values[GENES_MAX];
        uint64_t again[GENES_MAX];
        genome_decode(o->genome, o->organisms[i].chromosome, values);
        genome_encode(o->genome, values, again);
        cr_assert(chromosome_equal(again, o->organisms[i].chromosome, o->genome->words),
                  "%s, generation %d", o->method->name, o->generation);
    }
}

static bool is_of_real_numbers(int kind)
{
    return kind != OPTIMISER_GENETIC && kind != OPTIMISER_RANDOM && kind != OPTIMISER_HILL_CLIMBING;
}

static double push_up(const int32_t *v)
{
    return -v[2] / 1000.0 - v[6] / 1e9 - v[3] / 10.0 - v[0];
}

Test(bounds, are_kept_where_the_optimum_lies_beyond_them)
{
    struct genome g = odd_genome();
    for (int k = 0; k < OPTIMISERS; k++) {
        struct optimiser o = start(&g, (enum optimiser_kind)k, 12, 5);
        for (int t = 0; t < 60; t++) {
            measure_all(&o, push_up);
            if (t > 0 && is_of_real_numbers(k))
                expect_in_bounds(&o);
            for (int i = 0; i < 12; i++)
                for (int locus = g.length; locus < 64 * g.words; locus++)
                    cr_assert_eq(chromosome_locus(o.organisms[i].chromosome, locus), 0);
            optimiser_step(&o);
        }
        optimiser_destroy(&o);
    }
}

/* Those whose steps end at the bound find the corner, others come near. */
Test(bounds, are_reached)
{
    struct genome g = odd_genome();
    double corner = -1.5 - INT32_MAX / 1e9 - 4 - 1;
    for (int k = 0; k < OPTIMISERS; k++) {
        double found = minimise(&g, (enum optimiser_kind)k, push_up, 12, 100, 5);
        cr_expect_leq(found, k == OPTIMISER_RANDOM ? corner + 1 : corner + 0.2, "%s: %g of %g",
                      name_of(k), found, corner);
    }
}

static double flat(const int32_t *v)
{
    (void)v;
    return 1;
}

Test(settings, of_the_least_population_work_and_of_less_are_refused_by_name)
{
    struct genome g = odd_genome();
    for (int k = 0; k < OPTIMISERS; k++) {
        int fewest = k == OPTIMISER_DIFFERENTIAL_EVOLUTION ? 4 : 2;
        minimise(&g, (enum optimiser_kind)k, odd, fewest, 100, 1);
        minimise(&g, (enum optimiser_kind)k, flat, fewest, 100, 1);
    }
    struct optimiser_settings s = settings_of(OPTIMISER_DIFFERENTIAL_EVOLUTION, 3);
    struct optimiser o;
    struct error err;
    cr_assert_not(optimiser_create(&o, &g, &s, 1, &err));
    cr_assert_str_eq(err.text, "population is 3; differential-evolution needs 4 or more");
    optimiser_destroy(&o);
}

#define REFUSED(which, change, expected)                                                           \
    do {                                                                                           \
        struct optimiser_settings s = optimiser_default_settings(which);                           \
        struct error err = {""};                                                                   \
        cr_expect(optimiser_check(&s, NULL));                                                      \
        s.change;                                                                                  \
        cr_expect_not(optimiser_check(&s, &err));                                                  \
        cr_expect_str_eq(err.text, expected, "%s", err.text);                                      \
    } while (0)

Test(settings, out_of_range_are_named_with_their_range)
{
    REFUSED(OPTIMISER_GENETIC, kind = (enum optimiser_kind)10,
            "kind is 10; it must be from 0 to 9");
    REFUSED(OPTIMISER_GENETIC, population = 1, "population is 1; it must be from 2 to 4096");
    REFUSED(OPTIMISER_GENETIC, population = 4097, "population is 4097; it must be from 2 to 4096");
    REFUSED(OPTIMISER_GENETIC, defaults = 1.5, "defaults is 1.5; it must be from 0 to 1");
    REFUSED(OPTIMISER_GENETIC, genetic.elitism = 100, "elitism is 100; it must be from 0 to 99");
    REFUSED(OPTIMISER_GENETIC, genetic.selection = (enum selection)3,
            "selection is 3; it must be from 0 to 2");
    REFUSED(OPTIMISER_GENETIC, variation.mutation_rate = (double)NAN,
            "mutation_rate is nan; it must be from 0 to 1");
    REFUSED(OPTIMISER_CMA_ES, cma_es.sigma = 0, "sigma is 0; it must be from 0.001 to 1");
    REFUSED(OPTIMISER_EVOLUTION_STRATEGY,
            evolution_strategy.sigma = s.evolution_strategy.common = 0,
            "sigma and common are both 0: no gene would change");
    REFUSED(OPTIMISER_DIFFERENTIAL_EVOLUTION, differential_evolution.crossover = (double)NAN,
            "crossover is nan; it must be from 0 to 1");
    REFUSED(OPTIMISER_HILL_CLIMBING, hill_climbing.kick = 0,
            "kick is 0; it must be from 1 to 1048576");
}

/* A recipe without settings repeats only while they stay what its method's source recommends.
 * Where numbers are computed with more bits than a double has, as on i386, a constant has them too. */
Test(settings, have_the_defaults_of_their_sources)
{
    const struct optimiser_settings s = optimiser_default_settings(OPTIMISER_GENETIC);
    cr_expect(s.population == 100 && s.genetic.elitism == 1 &&
              s.genetic.selection == SELECTION_PROPORTIONAL);
    cr_expect(s.variation.crossover == CROSSOVER_UNIFORM && s.variation.crossover_rate == 0.75 &&
              s.variation.mutation_rate == (double)0.005);
    cr_expect(s.genetic.tournament == 2 && s.genetic.rank_pressure == 2 &&
              s.genetic.truncation == 0);
    cr_expect_eq(s.cma_es.sigma, (double)0.3);
    cr_expect(s.evolution_strategy.sigma == (double)0.3 &&
              s.evolution_strategy.common == (double)0.2);
    cr_expect_eq(s.evolution_strategy.groups, 0);
    cr_expect_eq(s.differential_evolution.weight, 0.5);
    cr_expect_eq(s.differential_evolution.crossover, (double)0.9);
    cr_expect_eq(s.particle_swarm.inertia, (double)0.7298);
    cr_expect_eq(s.particle_swarm.attraction, (double)1.4962);
    cr_expect_eq(s.hill_climbing.kick, 4);
    cr_expect(s.spsa.step == (double)0.2 && s.spsa.perturbation == (double)0.1 &&
              s.spsa.stability == 10);
    cr_expect(s.gradient_descent.step == (double)0.2 &&
              s.gradient_descent.perturbation == (double)0.1);
}

/* A number from `low` to `high`, more often than not one of the two. */
static double draw(struct stream *s, double low, double high)
{
    uint64_t where = stream_below(s, 5);
    return where < 2 ? low : where < 4 ? high : low + (high - low) * gsl_rng_uniform(&s->rng);
}

static struct optimiser_settings draw_settings(struct stream *s)
{
    struct optimiser_settings o = settings_of((enum optimiser_kind)stream_below(s, OPTIMISERS), 4);
    o.population += (int)stream_below(s, 20);
    o.cma_es.sigma = draw(s, 0.001, 1);
    o.evolution_strategy.sigma = draw(s, 0.001, 1);
    o.evolution_strategy.common = draw(s, 0, 1);
    o.evolution_strategy.margin = draw(s, 0, 0.4);
    o.differential_evolution.weight = draw(s, 0, 2);
    o.differential_evolution.crossover = draw(s, 0, 1);
    o.particle_swarm.inertia = draw(s, 0, 1);
    o.particle_swarm.attraction = draw(s, 0, 4);
    o.hill_climbing.kick = (int)draw(s, 1, 1024);
    o.spsa.step = o.gradient_descent.step = draw(s, 0.001, 1);
    o.spsa.perturbation = o.gradient_descent.perturbation = draw(s, 0.001, 0.5);
    o.spsa.stability = (int)draw(s, 0, 1000000);
    return o;
}

/* Fitness that has nothing to do with the organisms, of any size, often the same. */
static void measure_anyhow(struct optimiser *o, struct stream *s)
{
    uint64_t size = (uint64_t)1 << stream_below(s, 63);
    for (int i = 0; i < o->population; i++)
        o->organisms[i].fitness = (int64_t)stream_below(s, size);
}

/* Runs that are compared begin with the same organisms only where what draws them is the same. */
Test(settings, of_a_first_population_agree_in_all_that_draws_it)
{
    struct optimiser_settings a = optimiser_default_settings(OPTIMISER_GENETIC), b = a;
    a.defaults = b.defaults = 0.5;
    cr_expect(initial_population_agrees(&a, &b, 0));
    b.variation.crossover_rate /= 2;
    cr_expect_not(initial_population_agrees(&a, &b, 0));
    b.variation = a.variation;
    b.variation.mutation_rate /= 2;
    cr_expect_not(initial_population_agrees(&a, &b, 0));
    a.defaults = b.defaults = 0;
    cr_expect(initial_population_agrees(&a, &b, 0));
}

Test(settings, of_any_sort_and_any_fitness_keep_to_the_genome)
{
    struct genome g = odd_genome();
    for (uint64_t round = 0; round < 400; round++) {
        struct stream s;
        struct optimiser o;
        struct error err;
        stream_init(&s, 1, STREAM_TEST, round, 0);
        struct optimiser_settings settings = draw_settings(&s);
        cr_assert(optimiser_create(&o, &g, &settings, round, &err), "%s", err.text);
        for (int t = 0; t < 150; t++) {
            measure_anyhow(&o, &s);
            optimiser_step(&o);
            if (is_of_real_numbers((int)settings.kind))
                expect_in_bounds(&o);
        }
        optimiser_destroy(&o);
    }
}

Test(settings, serve_a_genome_of_constants_too)
{
    struct param constant = {"PAWN_VALUE", 0, 100, 100, 100, 1, NULL, ""};
    const struct param_table table = {"test", &constant, 1};
    struct genome g;
    cr_assert(genome_init(&g, &table, NULL));
    for (int k = 0; k < OPTIMISERS; k++)
        minimise(&g, (enum optimiser_kind)k, flat, 5, 5, 1);
    optimiser_destroy(NULL);
    optimiser_destroy(&(struct optimiser){0});
}
