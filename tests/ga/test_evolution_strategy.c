/* The evolution strategy: where it begins, how it draws, and that noise does not lead it astray. */
#include "optimiser.h"

#include "problems.h"
#include "real_genes.h"

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

/* ---- the mean ---- */

/* The number of an organism's gene: the logarithm of its distance from the minimum, plus one. */
static double number_of(const struct optimiser *o, int index, int gene)
{
    int32_t values[GENES_MAX];
    values_of(o, index, values);
    return log(values[gene] + 1.0);
}

/* Without seeds the mean is that of the better half, in logarithms: of organisms 3, 2, 1 and 0 of 7. */
Test(mean, begins_between_the_better_half)
{
    struct problem p;
    struct optimiser_settings s = optimiser_default_settings(OPTIMISER_EVOLUTION_STRATEGY);
    double expected[3] = {0};
    make_real(&p, 3);
    s.population = 7;
    struct optimiser o = start_real(&p, &s);
    for (int i = 0; i < 7; i++)
        o.organisms[i].fitness = i < 4 ? 10 + i : i;
    for (int gene = 0; gene < 3; gene++)
        for (int i = 0; i < 4; i++)
            expected[gene] += number_of(&o, i, gene) / 4;
    optimiser_step(&o);
    for (int gene = 0; gene < 3; gene++)
        cr_expect_float_eq(number_of(&o, 0, gene), expected[gene], REAL_ERROR);
    optimiser_destroy(&o);
}

/* Of four seeds the better half is two. */
Test(mean, begins_between_the_better_seeds)
{
    struct problem p;
    int32_t values[GENES_MAX];
    uint64_t seeds[4 * GENES];
    make_ranges(&p);
    struct optimiser o = start(&p, OPTIMISER_EVOLUTION_STRATEGY, 0.1, 0.1, 1);
    for (int k = 0; k < 4; k++) {
        for (int i = 0; i < GENES; i++)
            values[i] = (100 << k) - 1; /* 99, 199, 399, 799 */
        genome_encode(o.genome, values, genome_row(o.genome, seeds, k));
    }
    optimiser_seed(&o, seeds, 4);
    for (int i = 0; i < o.population; i++)
        o.organisms[i].fitness = i == 3 ? 9 : i == 1 ? 8 : 1;
    optimiser_step(&o);
    values_of(&o, 0, values);
    for (int i = 0; i < GENES; i++)
        cr_expect_eq(values[i], 399, "sqrt(200 * 800) - 1: %d", values[i]);
    optimiser_destroy(&o);
}

/* Each half of the organisms pulls or pushes with half of the log-rank weights. */
Test(mean, moves_toward_the_better_half_and_away_from_the_worse)
{
    enum { COUNT = 3, ORGANISMS = 9, HALF = ORGANISMS / 2 };
    struct problem p;
    struct optimiser_settings s = optimiser_default_settings(OPTIMISER_EVOLUTION_STRATEGY);
    double weights[HALF], sum = 0, expected[COUNT];
    make_real(&p, COUNT);
    s.population = ORGANISMS;
    struct optimiser o = start_real(&p, &s);
    seed_real(&o, 0.1);
    measure_one(&o, 0, 2);
    optimiser_step(&o);
    for (int k = 0; k < HALF; k++)
        sum += weights[k] = log((ORGANISMS + 1) / 2.0) - log(k + 1);
    for (int t = 0; t < 5; t++) {
        for (int i = 0; i < ORGANISMS; i++)
            o.organisms[i].fitness = (i * 4 + t) % ORGANISMS; /* each rank once */
        for (int gene = 0; gene < COUNT; gene++) {
            expected[gene] = number_of(&o, 0, gene);
            for (int i = 0; i < ORGANISMS; i++) {
                int place = ORGANISMS - 1 - (int)o.organisms[i].fitness,
                    back = (int)o.organisms[i].fitness;
                double weight = place < HALF ? weights[place] : back < HALF ? -weights[back] : 0;
                expected[gene] += weight / sum / 2 * number_of(&o, i, gene);
            }
        }
        optimiser_step(&o);
        for (int gene = 0; gene < COUNT; gene++)
            cr_expect_float_eq(number_of(&o, 0, gene), fmin(expected[gene], log(1 << REAL_BITS)),
                               REAL_ERROR);
    }
    optimiser_destroy(&o);
}

/* A mean at either end of the range, 0 or 1, leaves both genes there: first genes from 0 on, then genes with
 * values of both signs. */
static void expect_mean_at(double x)
{
    for (int signs = 0; signs < 2; signs++) {
        struct problem p;
        struct optimiser_settings s = optimiser_default_settings(OPTIMISER_EVOLUTION_STRATEGY);
        int32_t values[GENES_MAX];
        make_problem(&p, 2, 10, signs ? -500 : 0);
        s.population = 10;
        struct optimiser o = start_real(&p, &s);
        seed_real(&o, x);
        measure_one(&o, 0, 2);
        optimiser_step(&o);
        values_of(&o, 0, values);
        for (int gene = 0; gene < 2; gene++)
            cr_expect_eq(values[gene], x > 0 ? p.params[0].max : p.params[0].min, "%d",
                         values[gene]);
        optimiser_destroy(&o);
    }
}

Test(mean, can_stay_at_a_bound)
{
    expect_mean_at(0);
    expect_mean_at(1);
}

/* A mean that is pushed beyond the logarithm of the higher of two values stays at it: of all organisms
 * those have the lower value whose factor is less than 1.5 / 2. */
Test(mean, pushed_beyond_a_bound_stays_at_it)
{
    struct problem p;
    struct optimiser_settings s = optimiser_default_settings(OPTIMISER_EVOLUTION_STRATEGY);
    make_problem(&p, 1, 1, 0);
    s.population = 400;
    s.evolution_strategy.common = 0;
    struct optimiser o = start_real(&p, &s);
    int high = 0;
    for (int t = 0; t < 10; t++) {
        for (int i = 0; i < o.population; i++)
            o.organisms[i].fitness = (int64_t)o.organisms[i].chromosome[0];
        optimiser_step(&o);
    }
    for (int i = 0; i < o.population; i++)
        high += (int)o.organisms[i].chromosome[0];
    cr_expect(high > 310 && high < 355, "83 %% of 400: %d", high);
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

/* Options of another engine that have as many values have so by chance: they change by factors of their own,
 * unless they name a group. */
Test(factors, are_common_to_options_of_one_group_alone)
{
    struct problem p;
    make_ranges(&p);
    for (int i = 2; i < 6; i++)
        p.params[i].group = i < 4 ? "margins" : "reductions";
    const struct param_table table = {"test", p.params, GENES, .mixed = true};
    cr_assert(genome_init(&p.genome, &table, NULL));
    struct optimiser o = start(&p, OPTIMISER_EVOLUTION_STRATEGY, 0.001, 0.2, 1);
    begin_with_two_seeds(&o);
    double apart = 0, groups_apart = 0;
    for (int i = 1; i < o.population; i++) {
        int32_t v[GENES_MAX];
        values_of(&o, i, v);
        cr_expect_lt(abs(v[2] - v[3]), 6, "%d %d", v[2], v[3]);
        cr_expect_lt(abs(v[4] - v[5]), 6, "%d %d", v[4], v[5]);
        apart += fabs(log((double)v[6] / v[7])) / (o.population - 1);
        groups_apart += fabs(log((double)v[2] / v[4])) / (o.population - 1);
    }
    cr_expect(0.15 < apart && apart < 0.3, "%g", apart); /* as above */
    cr_expect(0.15 < groups_apart && groups_apart < 0.3, "%g", groups_apart);
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

/* Factors of an organism come from streams of its own, which a resumed run draws again: that of the
 * genes with the range of gene i is named after the population times i + 1. */
Test(factors, are_drawn_from_the_stream_of_their_first_gene)
{
    struct problem p;
    struct optimiser_settings s = optimiser_default_settings(OPTIMISER_EVOLUTION_STRATEGY);
    make_real(&p, 3);
    p.params[1].max--; /* another range, and the same again in gene 2 */
    p.params[2].max--;
    s.population = 8;
    s.evolution_strategy.sigma = 0;
    struct optimiser o = start_real(&p, &s);
    seed_real(&o, 0.01);
    measure_one(&o, 0, 2);
    optimiser_step(&o);
    for (int index = 1; index < 8; index++)
        for (int gene = 0; gene < 3; gene++) {
            struct stream stream;
            int first = gene == 0 ? 0 : 1;
            stream_init(&stream, o.seed, STREAM_PROPOSAL, 1, (uint64_t)(8 * (first + 1) + index));
            double factor = 0.2 * gsl_ran_ugaussian(&stream.rng);
            cr_expect_float_eq(number_of(&o, index, gene) - number_of(&o, 0, gene), factor, 1e-6);
        }
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

/* The step of a gene with values of both signs is added, in halves of its range. */
Test(groups, have_own_steps_in_halves_of_the_range)
{
    struct problem p;
    make_groups(&p);
    struct optimiser o = start_groups(&p, 0, 0.1, 0);
    double squares = 0;
    int count = 0;
    for (int i = 1; i < o.population; i++) {
        int32_t v[GENES_MAX];
        values_of(&o, i, v);
        for (int gene = 0; gene < GENES - 1; gene += 2, count++)
            squares += v[gene] * v[gene];
    }
    double deviation = sqrt(squares / count); /* 0.1 of 400.5 */
    cr_expect(deviation > 35 && deviation < 45, "%g", deviation);
    optimiser_destroy(&o);
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

/* ---- the margin ---- */

enum { SWITCH, DEPTH, NUMBER, SWITCHED_GENES };

/* A switch, a gene of eight values that it leaves without effect, and one of many values. */
static void make_switch(struct problem *p)
{
    p->params[SWITCH] =
        (struct param){.name = "USE", .bits = 1, .max = 1, .sign = 1, .meaning = ""};
    p->params[DEPTH] = (struct param){
        .name = "DEPTH", .bits = 3, .max = 7, .sign = 1, .active_if = "USE >= 1", .meaning = ""};
    p->params[NUMBER] =
        (struct param){.name = "NUMBER", .bits = 10, .max = 1023, .sign = 1, .meaning = ""};
    const struct param_table table = {"test", p->params, SWITCHED_GENES};
    cr_assert(genome_init(&p->genome, &table, NULL));
}

/* Generation 1 from a seed with this switch, 7 and 500. */
static struct optimiser start_switch(struct problem *p, int32_t on, double margin)
{
    struct optimiser_settings s = optimiser_default_settings(OPTIMISER_EVOLUTION_STRATEGY);
    const int32_t values[SWITCHED_GENES] = {on, 7, 500};
    struct optimiser o;
    struct error err;
    uint64_t seed[1];
    make_switch(p);
    s.population = 400;
    s.evolution_strategy =
        (struct evolution_strategy_settings){.sigma = 0.1, .common = 0, .margin = margin};
    cr_assert(optimiser_create(&o, &p->genome, &s, 1, &err), "%s", err.text);
    genome_encode(&p->genome, values, seed);
    optimiser_seed(&o, seed, 1);
    optimiser_step(&o);
    return o;
}

/* The share of the organisms but the mean with another value of a gene than the mean's. */
static double share_apart(const struct optimiser *o, int gene)
{
    int32_t mean[GENES_MAX], v[GENES_MAX];
    int apart = 0;
    values_of(o, 0, mean);
    for (int i = 1; i < o->population; i++) {
        values_of(o, i, v);
        apart += v[gene] != mean[gene];
    }
    return apart / (o->population - 1.0);
}

Test(margin, opens_switches_that_the_seed_closed)
{
    struct problem p;
    for (int32_t on = 0; on < 2; on++) {
        struct optimiser without = start_switch(&p, on, 0), with = start_switch(&p, on, 0.25);
        cr_expect_lt(share_apart(&without, SWITCH), 0.02, "%g", share_apart(&without, SWITCH));
        cr_expect_float_eq(share_apart(&with, SWITCH), 0.25, 0.06, "%g",
                           share_apart(&with, SWITCH));
        optimiser_destroy(&without);
        optimiser_destroy(&with);
    }
}

Test(margin, leaves_genes_of_many_values_as_they_are)
{
    struct problem p;
    struct optimiser without = start_switch(&p, 0, 0), with = start_switch(&p, 0, 0.25);
    for (int i = 0; i < with.population; i++) {
        int32_t a[GENES_MAX], b[GENES_MAX];
        values_of(&without, i, a);
        values_of(&with, i, b);
        cr_expect_eq(a[NUMBER], b[NUMBER]);
    }
    optimiser_destroy(&without);
    optimiser_destroy(&with);
}

/* In the middle of eight values lie 3 and 4; the seed has 7. */
Test(margin, begins_in_the_middle_where_the_seed_has_no_effect)
{
    struct problem p;
    for (int32_t on = 0; on < 2; on++) {
        int32_t v[GENES_MAX];
        struct optimiser o = start_switch(&p, on, 0.25);
        values_of(&o, 0, v);
        cr_expect(on ? v[DEPTH] == 7 : v[DEPTH] == 3 || v[DEPTH] == 4, "%d", v[DEPTH]);
        cr_expect_eq(v[SWITCH], on);
        cr_expect_eq(v[NUMBER], 500);
        optimiser_destroy(&o);
    }
}

/* Steps of a tenth never turn the switch on: without the margin it stays as the seed has it. */
Test(margin, lets_a_switch_be_turned_that_is_fitter)
{
    struct problem p;
    for (int with = 0; with < 2; with++) {
        struct optimiser o = start_switch(&p, 0, with * 0.25);
        int32_t v[GENES_MAX];
        for (int t = 0; t < 10; t++) {
            for (int i = 0; i < o.population; i++) {
                values_of(&o, i, v);
                o.organisms[i].fitness = 10 * v[SWITCH] + i % 7;
            }
            optimiser_step(&o);
        }
        values_of(&o, 0, v);
        cr_expect_eq(v[SWITCH], with);
        optimiser_destroy(&o);
    }
}

/* ---- mates ---- */

/* The two of a pair are as far from the mean, in logarithms; only the first pair's games are won. The last organism
 * is the average of the path, and what is reported. */
Test(mates, are_mirrored_and_draw_the_mean_to_the_winner)
{
    enum { MATES = 9, LAST = MATES - 1, START = 300 };
    struct problem p;
    int32_t values[GENES];
    uint64_t seeds[2 * GENES];
    double middle[GENES], way[GENES];
    struct optimiser_settings s = optimiser_default_settings(OPTIMISER_EVOLUTION_STRATEGY);
    make_ranges(&p);
    s.population = MATES;
    s.rate = 0.5;
    s.evolution_strategy.sigma = s.evolution_strategy.common = 0.1;
    struct optimiser o = start_real(&p, &s);
    for (int k = 0; k < 2; k++) {
        for (int i = 0; i < GENES; i++)
            values[i] = START + 10 * k;
        genome_encode(o.genome, values, genome_row(o.genome, seeds, k));
    }
    optimiser_seed(&o, seeds, 2);
    o.mates = o.relative = true;
    cr_expect_eq(optimiser_statistics(&o).best, 0, "the start");
    optimiser_step(&o);
    for (int k = 0; k < LAST; k += 2)
        for (int i = 0; i < GENES; i++)
            cr_expect_float_eq(number_of(&o, k, i) + number_of(&o, k + 1, i), 2 * log(START + 1),
                               0.02, "pair %d, gene %d", k / 2, i);
    for (int i = 0; i < GENES; i++) {
        way[i] = number_of(&o, 0, i) - number_of(&o, 1, i);
        middle[i] = log(START + 1);
        cr_expect_float_eq(number_of(&o, LAST, i), middle[i], 1e-9);
    }
    for (int k = 0; k < MATES; k++)
        o.organisms[k].fitness = k == 0 ? 8 : k == 1 ? 0 : 4;
    cr_expect_eq(optimiser_statistics(&o).best, LAST);
    optimiser_step(&o);
    for (int i = 0; i < GENES; i++) {
        const double next = (number_of(&o, 0, i) + number_of(&o, 1, i)) / 2;
        cr_expect_float_eq(next, middle[i] + 0.5 * 8 / 4 * way[i], 0.02, "gene %d", i);
        cr_expect_float_eq(number_of(&o, LAST, i), middle[i] + 4.0 / 5 * way[i], 0.01);
    }
    optimiser_destroy(&o);
}
