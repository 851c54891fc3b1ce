/* The evolution strategy: where it begins, how it draws, and that noise does not lead it astray. */
#include "optimiser.h"

#include "problems.h"

enum { GENES = 10, POPULATION = 60 };

static struct optimiser start(const struct problem *p, enum optimiser_kind kind, double sigma,
                              double common, uint64_t seed)
{
    struct optimiser o;
    struct error err;
    struct optimiser_settings settings = optimiser_default_settings(kind);
    settings.population = POPULATION;
    settings.evolution_strategy.sigma = sigma;
    settings.evolution_strategy.common = common;
    cr_assert(optimiser_create(&o, &p->genome, &settings, seed, &err), "%s", err.text);
    return o;
}

static void values_of(const struct optimiser *o, int i, int32_t values[GENES_MAX])
{
    genome_decode(o->genome, o->organisms[i].chromosome, values);
}

/* Ten genes of one range, but for the last, which has another. */
static void make_ranges(struct problem *p)
{
    for (int i = 0; i < GENES; i++)
        p->params[i] = (struct param){.name = "x",
                                      .bits = 10,
                                      .min = 0,
                                      .max = i == GENES - 1 ? 900 : 1023,
                                      .initial = 0,
                                      .sign = 1,
                                      .meaning = ""};
    const struct param_table table = {"test", p->params, GENES};
    cr_assert(genome_init(&p->genome, &table, NULL));
}

/* ---- seeds ---- */

/* Generation 1 from two seeds of all values 500, but that the better one, the second, has 100 in
 * its first gene. */
static void begin_with_two_seeds(struct optimiser *o)
{
    int32_t values[GENES];
    uint64_t seeds[2 * GENES];
    for (int k = 0; k < 2; k++) {
        for (int i = 0; i < GENES; i++)
            values[i] = i == 0 && k == 1 ? 100 : 500;
        genome_encode(o->genome, values, genome_row(o->genome, seeds, k));
    }
    optimiser_seed(o, seeds, 2);
    for (int i = 0; i < o->population; i++)
        o->organisms[i].fitness = i == 1 ? 20 : i == 0 ? 10 : 30;
    optimiser_step(o);
}

/* Mean and standard deviation of a gene's logarithm, in all organisms but the mean. */
static void logarithms_of(const struct optimiser *o, int gene, double *mean, double *deviation)
{
    double sum = 0, squares = 0;
    int count = o->population - 1;
    for (int i = 1; i < o->population; i++) {
        int32_t values[GENES_MAX];
        values_of(o, i, values);
        sum += log(values[gene] + 1.0);
        squares += pow(log(values[gene] + 1.0), 2);
    }
    *mean = sum / count;
    *deviation = sqrt(squares / count - *mean * *mean);
}

/* Of two seeds the better half is one; the random organisms, fitter here, do not count. */
Test(seeds, give_the_mean_by_their_better_half_and_spreads_by_all)
{
    struct problem p;
    make_ranges(&p);
    struct optimiser o = start(&p, OPTIMISER_EVOLUTION_STRATEGY, 0.05, 0, 1);
    begin_with_two_seeds(&o);
    int32_t values[GENES_MAX];
    values_of(&o, 0, values);
    for (int i = 0; i < GENES; i++) {
        double mean, deviation, spread = i == 0 ? 0.05 * sqrt(10) : 0.05 / 2;
        cr_expect_eq(values[i], i == 0 ? 100 : 500, "%d", values[i]);
        logarithms_of(&o, i, &mean, &deviation);
        cr_expect_lt(fabs(mean - log(values[i] + 1.0)), 0.5 * spread, "gene %d: %g", i, mean);
        cr_expect_gt(deviation, 0.7 * spread, "gene %d: %g", i, deviation);
        cr_expect_lt(deviation, 1.3 * spread, "gene %d: %g", i, deviation);
    }
    optimiser_destroy(&o);
}

/* ---- factors ---- */

/* With next to no factors of their own, genes of one range keep their ratio. */
Test(factors, are_common_to_genes_of_one_range)
{
    struct problem p;
    make_ranges(&p);
    struct optimiser o = start(&p, OPTIMISER_EVOLUTION_STRATEGY, 0.001, 0.2, 1);
    begin_with_two_seeds(&o);
    double apart = 0;
    for (int i = 1; i < o.population; i++) {
        int32_t v[GENES_MAX];
        values_of(&o, i, v);
        cr_expect_lt(abs(v[1] - v[2]), 6, "%d %d", v[1], v[2]);
        cr_expect_lt(abs(v[1] - 5 * v[0]), 15, "%d %d", v[0], v[1]);
        apart += fabs(log((double)v[GENES - 1] / v[1])) / (o.population - 1);
    }
    cr_expect_gt(apart, 0.15, "%g", apart); /* of two such factors: 0.2 * 2 / sqrt(pi) */
    cr_expect_lt(apart, 0.3, "%g", apart);
    optimiser_destroy(&o);
}

/* Organism 0 is the mean, and stands for the others, however unlucky it is. */
Test(factors, leave_the_mean_which_is_the_champion)
{
    struct problem p;
    make_ranges(&p);
    struct optimiser o = start(&p, OPTIMISER_EVOLUTION_STRATEGY, 0.5, 0.5, 3);
    begin_with_two_seeds(&o);
    int32_t values[GENES_MAX];
    values_of(&o, 0, values);
    for (int i = 0; i < GENES; i++)
        cr_expect_eq(values[i], i == 0 ? 100 : 500);
    for (int i = 0; i < o.population; i++)
        o.organisms[i].fitness = 100 + i;
    struct population_stats stats = optimiser_statistics(&o);
    cr_assert_eq(stats.best, 0);
    cr_assert_eq(stats.best_fitness, 100);
    optimiser_destroy(&o);
}

/* ---- groups ---- */

/* Genes from -400 to 400 in two groups, one after the other; the last gene has only positive values. */
static void make_groups(struct problem *p)
{
    for (int i = 0; i < GENES; i++)
        p->params[i] = (struct param){.name = "x",
                                      .bits = 10,
                                      .min = i == GENES - 1 ? 0 : -400,
                                      .max = 400,
                                      .sign = 1,
                                      .meaning = "",
                                      .group = i % 2 == 0 ? "even" : "odd"};
    const struct param_table table = {"test", p->params, GENES};
    cr_assert(genome_init(&p->genome, &table, NULL));
}

/* Generation 1 from a seed with this value in its even genes, and -200 in the odd ones, but for the last,
 * which has 200. */
static struct optimiser start_groups(const struct problem *p, int32_t even, double sigma,
                                     double common)
{
    struct optimiser o;
    struct error err;
    uint64_t seed[GENES];
    int32_t values[GENES];
    struct optimiser_settings settings = optimiser_default_settings(OPTIMISER_EVOLUTION_STRATEGY);
    settings.population = POPULATION;
    settings.evolution_strategy =
        (struct evolution_strategy_settings){.sigma = sigma, .common = common, .groups = 1};
    cr_assert(optimiser_create(&o, &p->genome, &settings, 1, &err), "%s", err.text);
    for (int i = 0; i < GENES; i++)
        values[i] = i % 2 == 0 ? even : i == GENES - 1 ? 200 : -200;
    genome_encode(&p->genome, values, seed);
    optimiser_seed(&o, seed, 1);
    optimiser_step(&o);
    return o;
}

/* With sigma 0 a group keeps its proportions, whatever the signs of its genes, and groups part. */
Test(groups, change_in_scale_alone)
{
    struct problem p;
    make_groups(&p);
    struct optimiser o = start_groups(&p, 100, 0, 0.2);
    double apart = 0;
    for (int i = 1; i < o.population; i++) {
        int32_t v[GENES_MAX];
        values_of(&o, i, v);
        cr_expect(v[0] > 0 && v[1] < 0, "%d %d", v[0], v[1]);
        cr_expect_eq(v[0], v[2]);
        cr_expect_eq(v[1], v[3]);
        cr_expect(abs(v[1]) == 400 || abs(v[1] + v[GENES - 1]) < 4, "%d %d", v[1], v[GENES - 1]);
        apart += fabs(log(v[1] / (-2.0 * v[0]))) / (o.population - 1);
    }
    cr_expect_gt(apart, 0.12, "%g", apart);
    optimiser_destroy(&o);
}

/* How far the scales of the two groups are from a half and 1.5. */
static double scales_away(const struct optimiser *o, int i)
{
    int32_t v[GENES_MAX];
    values_of(o, i, v);
    return fabs(log(fmax(1, v[0]) / 50.0)) + fabs(log(fmax(1, -v[1]) / 300.0));
}

Test(groups, find_the_scales_that_are_fitter)
{
    struct problem p;
    make_groups(&p);
    struct optimiser o = start_groups(&p, 100, 0, 0.1);
    for (int t = 0; t < 60; t++) {
        for (int i = 0; i < o.population; i++)
            o.organisms[i].fitness = (int64_t)(1e6 * (10 - scales_away(&o, i)));
        optimiser_step(&o);
    }
    cr_expect_lt(scales_away(&o, 0), 0.15, "%g", scales_away(&o, 0));
    optimiser_destroy(&o);
}

/* Without a step of their own, genes at 0 stay there; with one, values of both signs come up. */
Test(groups, leave_0_by_steps_of_their_own_alone)
{
    struct problem p;
    make_groups(&p);
    for (int own = 0; own < 2; own++) {
        struct optimiser o = start_groups(&p, 0, own * 0.3, 0.1);
        int32_t v[GENES_MAX];
        int above = 0, below = 0;
        for (int i = 1; i < o.population; i++) {
            values_of(&o, i, v);
            above += v[0] > 0;
            below += v[0] < 0;
        }
        cr_expect(own == 1 ? above > 10 && below > 10 : above + below == 0, "%d %d", above, below);
        optimiser_destroy(&o);
    }
}

/* ---- noise ---- */

/* How far genes are from 50, 100, 150 and so on, in factors. */
static double distance(const struct optimiser *o, int i)
{
    int32_t values[GENES_MAX];
    double sum = 0;
    values_of(o, i, values);
    for (int k = 0; k < GENES; k++)
        sum += pow(log((values[k] + 1.0) / (50 * (k + 1))), 2);
    return sum;
}

/* Noise with a deviation of 10, which is what a random organism's distance is. */
static void measure(struct optimiser *o, struct stream *noise)
{
    for (int i = 0; i < o->population; i++)
        o->organisms[i].fitness =
            (int64_t)((1000 - distance(o, i) + gsl_ran_gaussian(&noise->rng, 10)) * 1e6);
}

/* The champion of generation 100: how far it is, on average of ten runs. */
static double champions_distance(const struct problem *p, enum optimiser_kind kind)
{
    double sum = 0;
    for (uint64_t seed = 1; seed <= 10; seed++) {
        struct stream noise;
        stream_init(&noise, seed, STREAM_TEST, 0, 0);
        struct optimiser o = start(p, kind, 0.3, 0, seed);
        for (int t = 0; t <= 100; t++) {
            if (t > 0)
                optimiser_step(&o);
            measure(&o, &noise);
        }
        sum += distance(&o, optimiser_statistics(&o).best) / 10;
        optimiser_destroy(&o);
    }
    return sum;
}

Test(noise, leads_others_further_astray)
{
    struct problem p;
    make_ranges(&p);
    double strategy = champions_distance(&p, OPTIMISER_EVOLUTION_STRATEGY);
    double genetic = champions_distance(&p, OPTIMISER_GENETIC);
    double cma_es = champions_distance(&p, OPTIMISER_CMA_ES);
    cr_expect_lt(strategy, genetic / 2, "%g, genetic %g", strategy, genetic);
    cr_expect_lt(strategy, cma_es / 2, "%g, CMA-ES %g", strategy, cma_es);
}
