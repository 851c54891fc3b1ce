/* The evolution strategy: noise does not lead it astray, and switches open. */
#include "real_genes.h"

enum { GENES = 10, POPULATION = 60 };

/* ---- noise ---- */

/* How far genes are from 50, 100, 150 and so on, in factors. */
static double distance(const struct optimiser *o, int i)
{
    int32_t values[GENES_MAX];
    double sum = 0;
    genome_decode(o->genome, o->organisms[i].chromosome, values);
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
    struct optimiser_settings s = optimiser_default_settings(kind);
    s.population = POPULATION;
    s.evolution_strategy.common = 0;
    for (uint64_t seed = 1; seed <= 10; seed++) {
        struct stream noise;
        struct optimiser o;
        stream_init(&noise, seed, STREAM_TEST, 0, 0);
        cr_assert(optimiser_create(&o, &p->genome, &s, seed, NULL));
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
    make_problem(&p, GENES, 10, 0);
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

static void values_of(const struct optimiser *o, int i, int32_t values[GENES_MAX])
{
    genome_decode(o->genome, o->organisms[i].chromosome, values);
}

/* Generation 1 from a seed with this switch, 7 and this number. */
static struct optimiser start_with(struct problem *p, int32_t on, int32_t number, double margin,
                                   bool open)
{
    struct optimiser_settings s = optimiser_default_settings(OPTIMISER_EVOLUTION_STRATEGY);
    const int32_t values[SWITCHED_GENES] = {on, 7, number};
    struct optimiser o;
    struct error err;
    uint64_t seed[1];
    make_switch(p);
    s.population = 400;
    s.evolution_strategy =
        (struct evolution_strategy_settings){.sigma = 0.1, .margin = margin, .open = open};
    cr_assert(optimiser_create(&o, &p->genome, &s, 1, &err), "%s", err.text);
    genome_encode(&p->genome, values, seed);
    optimiser_seed(&o, seed, 1);
    optimiser_step(&o);
    return o;
}

static struct optimiser start_switch(struct problem *p, int32_t on, double margin)
{
    return start_with(p, on, 500, margin, false);
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

/* 0, off, is what the number is at first; 1 was found. */
Test(margin, opens_a_number_that_is_off_as_at_first)
{
    struct problem p;
    for (int32_t number = 0; number < 2; number++)
        for (int open = 0; open < 2; open++) {
            int32_t v[GENES_MAX];
            struct optimiser o = start_with(&p, 1, number, 0, open);
            values_of(&o, 0, v);
            if (open && number == 0)
                cr_expect(v[NUMBER] == 511 || v[NUMBER] == 512, "%d", v[NUMBER]);
            else
                cr_expect_eq(v[NUMBER], number);
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
