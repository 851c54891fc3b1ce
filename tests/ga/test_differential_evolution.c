/* Differential evolution against its formulas (Storn and Price 1997), written down a second time. The model
 * has the same random streams, so each trial lies where the model puts it. */
#include "real_genes.h"

enum { GENES = 5, POPULATION = 6 };

/* The targets and their trials. */
struct model {
    double x[POPULATION][GENES], trial[POPULATION][GENES];
    int64_t fitness[POPULATION];
};

/* A trial is no worse than the target that it replaces. */
static void model_select(struct model *m, const struct optimiser *o)
{
    for (int i = 0; i < POPULATION; i++)
        if (o->generation == 0 || o->organisms[i].fitness >= m->fitness[i]) {
            memcpy(m->x[i], m->trial[i], sizeof m->x[i]);
            m->fitness[i] = o->organisms[i].fitness;
        }
}

/* rand/1/bin: a + F (b - c), of three other organisms, in one coordinate and by chance in each other one; what
 * is beyond a bound lands anywhere between it and a. */
static void model_trial(struct model *m, uint64_t seed, int generation, int i, double weight,
                        double crossover)
{
    struct stream s;
    int of[3], count = 0;
    stream_init(&s, seed, STREAM_PROPOSAL, (uint64_t)generation, (uint64_t)i);
    while (count < 3) {
        int other = (int)stream_below(&s, POPULATION);
        if (other != i && (count < 1 || other != of[0]) && (count < 2 || other != of[1]))
            of[count++] = other;
    }
    const int always = (int)stream_below(&s, GENES);
    for (int k = 0; k < GENES; k++) {
        double a = m->x[of[0]][k], mutant = a + weight * (m->x[of[1]][k] - m->x[of[2]][k]);
        bool crosses = gsl_rng_uniform(&s.rng) < crossover;
        double landing = gsl_rng_uniform(&s.rng);
        if (mutant < 0)
            mutant = a * (1 - landing);
        else if (mutant > 1)
            mutant = a + (1 - a) * landing;
        m->trial[i][k] = crosses || k == always ? mutant : m->x[i][k];
    }
}

Test(differential_evolution, is_rand_1_bin)
{
    const double settings[][2] = {{0.5, 0.9}, {0.5, 0}, {0.8, 0.5}, {2, 1}};
    for (size_t k = 0; k < sizeof settings / sizeof *settings; k++) {
        struct problem p;
        struct model m;
        struct stream luck;
        struct optimiser_settings s = optimiser_default_settings(OPTIMISER_DIFFERENTIAL_EVOLUTION);
        s.population = POPULATION;
        s.differential_evolution.weight = settings[k][0];
        s.differential_evolution.crossover = settings[k][1];
        make_real(&p, GENES);
        stream_init(&luck, 1, STREAM_TEST, k, 0);
        struct optimiser o = start_real(&p, &s);
        for (int i = 0; i < POPULATION; i++)
            real_point(&o, i, m.trial[i]);
        for (int t = 1; t < 40; t++) {
            measure_anyhow(&o, &luck, 10);
            model_select(&m, &o);
            optimiser_step(&o);
            for (int i = 0; i < POPULATION; i++) {
                model_trial(&m, o.seed, t, i, settings[k][0], settings[k][1]);
                expect_real(&o, i, m.trial[i]);
            }
        }
        optimiser_destroy(&o);
    }
}
