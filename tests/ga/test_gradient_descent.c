/* Gradient descent against a model of its sweeps, lines and base. */
#include "real_genes.h"

enum { GENES = 3 };

#define STEP         0.2
#define PERTURBATION 0.1

struct model {
    double base[GENES], best[GENES], direction[GENES];
    double base_fitness, best_fitness;
    double slopes[2][GENES]; /* fitness with a gene changed one way, and the other */
    int swept;               /* organisms of the sweep so far; -1: a line */
    double perturbation, cells[GENES];
};

/* A gene after a change up (way 0) or down (way 1), or the other way round if up is beyond the bound: by the
 * perturbation, or by a little more than a cell. */
static double changed(const struct model *m, int i, int way)
{
    const double by = fmin(1, fmax(m->perturbation, 1.01 / m->cells[i]));
    const bool up = (m->base[i] + by <= 1) == (way == 0);
    return fmax(0, fmin(1, m->base[i] + (up ? by : -by)));
}

/* Where an organism of a population is: the sweep changes each gene one way, then each the other way; the line
 * goes from the longest step to the narrowest cell. */
static void model_point(const struct model *m, int index, int population, double x[GENES])
{
    double narrowest = 1;
    for (int i = 0; i < GENES; i++)
        narrowest = fmin(narrowest, 1 / m->cells[i]);
    const double by = STEP * pow(fmin(1, narrowest / STEP), index / (population - 1.0));
    const int place = m->swept + index;
    for (int i = 0; i < GENES; i++)
        x[i] = m->swept < 0 ? fmax(0, fmin(1, m->base[i] + by * m->direction[i])) : m->base[i];
    if (m->swept >= 0)
        x[place % GENES] = changed(m, place % GENES, place / GENES % 2);
}

/* The direction along the slopes, central where both ways were measured; of random signs if all are flat. */
static void find_direction(struct model *m, int measured, uint64_t seed, int generation)
{
    struct stream s;
    double steepest = 0;
    for (int i = 0; i < GENES; i++) {
        const bool central = measured > GENES + i;
        const double from = central ? changed(m, i, 1) : m->base[i];
        const double rise = m->slopes[0][i] - (central ? m->slopes[1][i] : m->base_fitness);
        m->direction[i] = rise / (changed(m, i, 0) - from);
        steepest = fmax(steepest, fabs(m->direction[i]));
    }
    stream_init(&s, seed, STREAM_PROPOSAL, (uint64_t)generation, 0);
    for (int i = 0; i < GENES; i++)
        m->direction[i] = steepest > 0               ? m->direction[i] / steepest
                          : stream_below(&s, 2) == 0 ? -1
                                                     : 1;
}

/* The base moves to the best point, and a sweep begins. */
static void begin_sweep(struct model *m)
{
    memcpy(m->base, m->best, sizeof m->base);
    m->base_fitness = m->best_fitness;
    m->swept = 0;
}

static void model_learn(struct model *m, const struct optimiser *o)
{
    for (int i = 0; i < o->population; i++) {
        const double fitness = (double)o->organisms[i].fitness;
        if (m->swept >= 0 && m->swept + i < 2 * GENES)
            m->slopes[(m->swept + i) / GENES][(m->swept + i) % GENES] = fitness;
        if (fitness > m->best_fitness) {
            model_point(m, i, o->population, m->best);
            m->best_fitness = fitness;
        }
    }
    if (m->swept < 0) { /* the perturbation is halved without a gain, down to a hundredth */
        m->perturbation /= m->best_fitness > m->base_fitness ? 1 : 2;
        if (m->perturbation < PERTURBATION / 100)
            m->perturbation = PERTURBATION;
        begin_sweep(m);
    } else if (m->swept + o->population < GENES) {
        m->swept += o->population;
    } else {
        find_direction(m, m->swept + o->population, o->seed, o->generation + 1);
        m->swept = -1;
    }
}

/* Runs both from a seed at `x`. Gains are rare, and get rarer; flat generations come too. */
static void run_both(int population, double x, int coarse)
{
    struct problem p;
    struct stream luck;
    struct model m = {.best_fitness = 2, .perturbation = PERTURBATION};
    struct optimiser_settings s = optimiser_default_settings(OPTIMISER_GRADIENT_DESCENT);
    s.population = population;
    make_real(&p, GENES);
    make_coarse(&p, coarse);
    stream_init(&luck, 1, STREAM_TEST, (uint64_t)population, 0);
    struct optimiser o = start_real(&p, &s);
    seed_real(&o, x);
    measure_one(&o, 0, 2);
    real_point(&o, 0, m.best);
    begin_sweep(&m);
    for (int i = 0; i < GENES; i++)
        m.cells[i] = p.params[i].max + 1.0;
    for (int t = 1; t < 60; t++) {
        if (t > 1)
            model_learn(&m, &o);
        optimiser_step(&o);
        for (int i = 0; i < population; i++) {
            double point[GENES];
            model_point(&m, i, population, point);
            expect_real(&o, i, point);
        }
        if (t % 9 < 3)
            measure_one(&o, 0, 1);
        else
            measure_anyhow(&o, &luck, t < 30 ? (uint64_t)t : 2);
    }
    optimiser_destroy(&o);
}

Test(gradient_descent, sweeps_and_searches_along_lines)
{
    for (int population = 2; population <= 12; population++) {
        run_both(population, 0.5, 0);
        run_both(population, 0.5, 1);
        run_both(population, 0.95, 0);
        run_both(population, 1, 0);
        run_both(population, 0, 0);
    }
}

/* The line ends at the upper bound, one cell below which is the last cell too. */
Test(gradient_descent, leaves_the_last_cell_from_the_upper_bound)
{
    struct problem p;
    struct optimiser_settings s = optimiser_default_settings(OPTIMISER_GRADIENT_DESCENT);
    make_problem(&p, 1, 2, 0);
    s.population = 2;
    s.gradient_descent.step = 1;
    struct optimiser o = start_real(&p, &s);
    seed_real(&o, 0.67);                             /* 2 of 0 to 3 */
    for (int fitness = 2; fitness <= 4; fitness++) { /* of the seed, the sweep up, the line up */
        measure_one(&o, 0, fitness);
        optimiser_step(&o);
    }
    expect_real(&o, 0, &(double){0.6});
    expect_real(&o, 1, &(double){1});
    optimiser_destroy(&o);
}
