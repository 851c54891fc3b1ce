/* The evolution strategy against its formulas, written down a second time: the model has the same random
 * streams. And what it is for: noise does not lead it astray, and switches open. */
#include "operators.h"
#include "real_genes.h"

#include <gsl/gsl_cdf.h>

enum { GENES = 10, POPULATION = 60 };

/* ---- the strategy ---- */

enum { N = 6, MATES = 9 };

/* Genes from 0 to 1023, of which the last two end at 900; with `signs` from -400 to 400, but for the last. The
 * middle ones belong to two groups. */
static void make_genes(struct problem *p, bool signs, bool mixed)
{
    for (int i = 0; i < N; i++)
        p->params[i] = (struct param){.name = "x",
                                      .bits = 10,
                                      .min = signs && i < N - 1 ? -400 : 0,
                                      .max = signs       ? 400
                                             : i < N - 2 ? 1023
                                                         : 900,
                                      .sign = 1,
                                      .meaning = "",
                                      .group = i < 1   ? NULL
                                               : i < 3 ? "margins"
                                                       : "reductions"};
    const struct param_table table = {"test", p->params, N, .mixed = mixed};
    cr_assert(genome_init(&p->genome, &table, NULL));
}

struct model {
    double mean[N], spread[N], own[N], average[N], numbers[POPULATION][N];
};

/* A value is a logarithm, or of values of both signs a part of half the range. Cells have their centres at 0, 1,
 * 2 and so on. */
static double number_of(const struct param *g, double cell)
{
    return g->min < 0 ? (cell + g->min) / ((g->max - g->min + 1) / 2.0) : log(cell + 1);
}

static double cell_of(const struct param *g, double number)
{
    return g->min < 0 ? number * ((g->max - g->min + 1) / 2.0) - g->min : exp(number) - 1;
}

static double in_range(const struct param *g, double number)
{
    return fmax(number_of(g, 0), fmin(number_of(g, g->max - g->min), number));
}

static void take_numbers(const struct optimiser *o, int index, double numbers[N])
{
    int32_t values[N];
    genome_decode(o->genome, o->organisms[index].chromosome, values);
    for (int i = 0; i < N; i++)
        numbers[i] = number_of(&o->genome->genes[i], values[i] - o->genome->genes[i].min);
}

/* The first gene that has the same common factor: of a group, or of as many values, and of options both. */
static int first_of(const struct optimiser *o, int gene)
{
    for (int i = 0; i < gene; i++) {
        const struct param *a = &o->genome->genes[i], *b = &o->genome->genes[gene];
        const bool group = a->group == b->group, values = a->max - a->min == b->max - b->min;
        if (o->settings.evolution_strategy.groups
                ? group
                : values && (!o->genome->mixed || (group && a->group != NULL)))
            return i;
    }
    return gene;
}

/* The mean of the better half of the seeds, or of all organisms; of mates the first. Spreads are as those of the
 * seeds, and `sigma` in the quadratic mean; no less than half of it. */
static void begin(struct model *m, const struct optimiser *o)
{
    struct rank ranking[POPULATION];
    const int seeds = o->seed_count, from = o->mates ? 1 : seeds > 0 ? seeds : o->population;
    double variance[N] = {0}, all = 0;
    ranking_sort(ranking, o->organisms, from);
    for (int k = 0; k < (from + 1) / 2; k++) {
        take_numbers(o, ranking[k].index, m->numbers[0]);
        for (int i = 0; i < N; i++)
            m->mean[i] += m->numbers[0][i] / ((from + 1) / 2);
    }
    for (int k = 0; k < seeds; k++)
        take_numbers(o, k, m->numbers[k]);
    for (int i = 0; i < N && seeds > 1; i++) {
        double middle = 0;
        for (int k = 0; k < seeds; k++)
            middle += m->numbers[k][i] / seeds;
        for (int k = 0; k < seeds; k++)
            variance[i] += pow(m->numbers[k][i] - middle, 2) / (seeds - 1);
        all += variance[i] / N;
    }
    for (int i = 0; i < N; i++)
        m->spread[i] = o->settings.evolution_strategy.sigma *
                       (all > 0 ? sqrt(fmax(0.25, variance[i] / all)) : 1);
}

/* The mean goes to the better half and away from the worse half, with half of the log-rank weights each. */
static void move_mean(struct model *m, const struct optimiser *o)
{
    struct rank ranking[POPULATION];
    const int half = o->population / 2;
    double sum = 0;
    ranking_sort(ranking, o->organisms, o->population);
    for (int k = 0; k < half; k++)
        sum += log((o->population + 1) / 2.0) - log(k + 1);
    for (int k = 0; k < half; k++) {
        const double weight = (log((o->population + 1) / 2.0) - log(k + 1)) / sum / 2;
        const double *better = m->numbers[ranking[k].index],
                     *worse = m->numbers[ranking[o->population - 1 - k].index];
        for (int i = 0; i < N; i++)
            m->mean[i] += weight * (better[i] - worse[i]);
    }
}

/* The mean of mates goes to the winner of each pair, as both played, by its points more. */
static void follow(struct model *m, const struct optimiser *o)
{
    const int games = 4 * (o->population / 2);
    const double rate = o->settings.rate / sqrt(1 + (o->generation - 1) * games / 125.0);
    for (int p = 0; p < o->population / 2; p++) {
        take_numbers(o, 2 * p, m->numbers[0]);
        take_numbers(o, 2 * p + 1, m->numbers[1]);
        for (int i = 0; i < N; i++)
            m->mean[i] = in_range(&o->genome->genes[i],
                                  m->mean[i] + rate * (double)(o->organisms[2 * p].fitness - 4) /
                                                   2 * (m->numbers[0][i] - m->numbers[1][i]));
    }
}

/* The steps of the genes: with a margin, long enough to leave the value of the mean so often. */
static void set_own(struct model *m, const struct optimiser *o)
{
    const double margin = o->settings.evolution_strategy.margin;
    for (int i = 0; i < N; i++) {
        const struct param *g = &o->genome->genes[i];
        m->mean[i] = in_range(g, m->mean[i]);
        m->average[i] += (m->mean[i] - m->average[i]) * 4 / (o->generation + 4);
        const double cell = round(cell_of(g, m->mean[i])), last = g->max - g->min;
        double below = m->mean[i] - number_of(g, cell - 0.5),
               above = number_of(g, cell + 0.5) - m->mean[i];
        double out = fmax(0, cell == 0 ? above : cell == last ? below : fmin(below, above));
        m->own[i] = fmax(m->spread[i], margin > 0 ? out / gsl_cdf_ugaussian_Qinv(margin) : 0);
    }
}

/* The logarithm of a common factor, from a stream that is named after the first gene that has it. */
static double common_of(const struct optimiser *o, int place, int index)
{
    struct stream s;
    stream_init(&s, o->seed, STREAM_PROPOSAL, (uint64_t)o->generation,
                (uint64_t)(o->population * (place + 1) + index));
    return o->settings.evolution_strategy.common * gsl_ran_ugaussian(&s.rng);
}

/* The organisms of the generation: the first is the mean, or the last the average of its path; of mates the
 * second is the first backwards. */
static void expect_generation(struct model *m, const struct optimiser *o)
{
    const int groups = o->settings.evolution_strategy.groups;
    for (int index = 0; index < o->population; index++) {
        struct stream s;
        double x[N];
        const int drawn = o->mates ? index / 2 * 2 : index, side = index == drawn ? 1 : -1;
        stream_init(&s, o->seed, STREAM_PROPOSAL, (uint64_t)o->generation, (uint64_t)drawn);
        for (int i = 0; i < N; i++) {
            const struct param *g = &o->genome->genes[i];
            double own = side * m->own[i] * gsl_ran_ugaussian(&s.rng);
            double common = common_of(o, first_of(o, i) + groups, drawn);
            common = side * (common + (groups ? common_of(o, 0, drawn) : 0));
            double number = g->min < 0 ? m->mean[i] * exp(common) + own : m->mean[i] + own + common;
            if (index == (o->mates ? o->population - 1 : 0))
                number = o->mates ? m->average[i] : m->mean[i];
            m->numbers[index][i] = in_range(g, number);
            x[i] = (cell_of(g, m->numbers[index][i]) + 0.5) / (g->max - g->min + 1);
        }
        expect_real(o, index, x);
    }
}

static const struct strategy_case {
    bool signs, mixed, mates;
    int seeds;
    struct evolution_strategy_settings settings;
} cases[] = {
    {.seeds = 0, .settings = {0.3, 0.2}},
    {.seeds = 4, .settings = {0.3, 0.2}},
    {.seeds = 1, .settings = {0, 0.2}},
    {.seeds = 2, .mixed = true, .settings = {0.1, 0.2}},
    {.seeds = 3, .signs = true, .settings = {0.2, 0.2}},
    {.seeds = 3, .signs = true, .settings = {0.1, 0.2, .groups = 1}},
    {.seeds = 1, .settings = {0.001, 0.1, .groups = 1, .margin = 0.3}},
    {.seeds = 1, .signs = true, .settings = {0.0001, 0, .margin = 0.3}},
    {.seeds = 2, .mates = true, .settings = {0.1, 0.1}},
    {.seeds = 1, .mates = true, .signs = true, .settings = {0.1, 0.1, .groups = 1}},
};

Test(evolution_strategy, is_that_of_its_formulas)
{
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const struct strategy_case *c = &cases[k];
        struct problem p;
        struct stream luck;
        struct model m = {.mean = {0}};
        struct optimiser_settings s = optimiser_default_settings(OPTIMISER_EVOLUTION_STRATEGY);
        uint64_t seeds[4];
        s.population = MATES;
        s.evolution_strategy = c->settings;
        s.rate = 0.2;
        make_genes(&p, c->signs, c->mixed);
        stream_init(&luck, 1, STREAM_TEST, k, 0);
        struct optimiser o = start_real(&p, &s);
        for (int i = 0; i < c->seeds; i++)
            seeds[i] = o.organisms[i + 3].chromosome[0];
        optimiser_seed(&o, seeds, c->seeds);
        o.mates = o.relative = c->mates;
        measure_anyhow(&o, &luck, 100);
        cr_expect_eq(optimiser_statistics(&o).best,
                     population_best(o.organisms, c->seeds > 0 ? c->seeds : MATES));
        for (int t = 0; t < 20; t++) {
            if (t == 0)
                begin(&m, &o);
            else
                (c->mates ? follow : move_mean)(&m, &o);
            set_own(&m, &o);
            optimiser_step(&o);
            expect_generation(&m, &o);
            measure_anyhow(&o, &luck, 9);
            for (int i = 1; i < MATES && c->mates; i += 2)
                o.organisms[i].fitness = 8 - o.organisms[i - 1].fitness;
            cr_expect_eq(optimiser_statistics(&o).best, c->mates ? MATES - 1 : 0);
        }
        optimiser_destroy(&o);
    }
}

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
