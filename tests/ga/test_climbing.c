/* Methods that follow one point: hill climbing, against a model of its rounds and kicks that has the same random
 * streams; gradient descent and SPSA where a bound or a cell is in their way. */
#include "real_genes.h"

enum { LOCI_MAX = 13, POPULATION = 4 };

struct model {
    int loci;
    uint64_t point, top; /* the current point, and the best local optimum */
    int64_t fitness, top_fitness;
    int order[LOCI_MAX], tried;
};

/* The order of a round: each locus changes places with one of those before it, or stays. */
static void draw_order(struct model *m, uint64_t seed, int generation)
{
    struct stream s;
    stream_init(&s, seed, STREAM_PROPOSAL, (uint64_t)generation, 0);
    for (int i = 0; i < m->loci; i++) {
        int j = (int)stream_below(&s, (uint64_t)i + 1);
        m->order[i] = i;
        int locus = m->order[j];
        m->order[j] = i;
        m->order[i] = locus;
    }
    m->tried = 0;
}

/* The kick of an organism: so many loci, of which one may be drawn twice. */
static uint64_t kick(const struct model *m, uint64_t seed, int generation, int index, int kicks)
{
    struct stream s;
    uint64_t loci = 0;
    stream_init(&s, seed, STREAM_PROPOSAL, (uint64_t)generation, (uint64_t)index);
    for (int k = 0; k < kicks; k++)
        loci ^= (uint64_t)1 << stream_below(&s, (uint64_t)m->loci);
    return loci;
}

/* The best of a generation, the first of equals. */
static const struct organism *best_of(const struct optimiser *o)
{
    const struct organism *best = o->organisms;
    for (int i = 1; i < o->population; i++)
        best = o->organisms[i].fitness > best->fitness ? &o->organisms[i] : best;
    return best;
}

/* A gain, a kick and generation 0 begin a round of flips; a point of equal fitness goes on with it, so that a
 * plateau is crossed. After a round without a gain come kicks from the best of the points where rounds ended:
 * the latest of equals. The best kick is the next point, even if it is worse. */
static void expect_climb(int loci, int kicks)
{
    struct problem p;
    struct stream luck;
    struct model m = {.loci = loci, .top_fitness = -1};
    struct optimiser_settings s = optimiser_default_settings(OPTIMISER_HILL_CLIMBING);
    bool kicked = true;
    int seen = 0;
    make_problem(&p, 1, loci, 0);
    s.population = POPULATION;
    s.hill_climbing.kick = kicks;
    stream_init(&luck, 2, STREAM_TEST, 0, 0);
    struct optimiser o = start_real(&p, &s);
    for (int t = 1; t < 400; t++) {
        measure_anyhow(&o, &luck, t % 100 < 50 ? 4 : 40);
        const struct organism *best = best_of(&o);
        const bool gain = kicked || best->fitness > m.fitness;
        if (gain || best->fitness == m.fitness)
            m.point = best->chromosome[0];
        if (gain) {
            m.fitness = best->fitness;
            draw_order(&m, o.seed, t);
        }
        kicked = m.tried >= loci;
        seen += kicked;
        if (kicked && m.fitness >= m.top_fitness) {
            m.top = m.point;
            m.top_fitness = m.fitness;
        }
        optimiser_step(&o);
        for (int i = 0; i < POPULATION; i++) {
            uint64_t expected = kicked ? m.top ^ kick(&m, o.seed, t, i, kicks)
                                       : m.point ^ (uint64_t)1 << m.order[m.tried++ % loci];
            cr_assert_eq(o.organisms[i].chromosome[0], expected, "generation %d, organism %d", t,
                         i);
        }
    }
    cr_assert_gt(seen, 20, "kicks: %d", seen);
    optimiser_destroy(&o);
}

/* Thirteen loci take four generations, of which the last begins to flip them again. */
Test(hill_climbing, flips_each_locus_once_and_then_kicks)
{
    expect_climb(12, 1);
    expect_climb(13, 4);
}

/* Where nothing is worth anything, the first organism is the point: each other one flips a locus of its own. */
Test(hill_climbing, begins_where_nothing_is_worth_anything)
{
    struct problem p;
    struct optimiser_settings s = optimiser_default_settings(OPTIMISER_HILL_CLIMBING);
    make_problem(&p, 1, 12, 0);
    s.population = POPULATION;
    struct optimiser o = start_real(&p, &s);
    uint64_t first = o.organisms[0].chromosome[0], loci = 0;
    optimiser_step(&o);
    for (int i = 0; i < POPULATION; i++)
        loci |= o.organisms[i].chromosome[0] ^ first;
    cr_assert_eq(__builtin_popcountll(loci), POPULATION);
    optimiser_destroy(&o);
}

/* ---- gradient descent ---- */

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

/* ---- SPSA ---- */

enum { GENES = 4, PAIRS = 3, ESTIMATE = 2 * PAIRS };

static struct optimiser_settings spsa_settings_of(double step, int population)
{
    struct optimiser_settings s = optimiser_default_settings(OPTIMISER_SPSA);
    s.population = population;
    s.spsa.step = step;
    return s;
}

/* Genes of 2 to 8 values, and fitness that drives the estimate from bound to bound. */
Test(spsa, has_pairs_that_differ_in_every_gene_also_at_the_bounds)
{
    struct problem p;
    struct stream luck;
    const struct optimiser_settings s = spsa_settings_of(0.2, ESTIMATE + 2);
    make_few(&p);
    stream_init(&luck, 3, STREAM_INITIAL, 0, 0);
    struct optimiser o = start_real(&p, &s);
    for (int t = 0; t < 200; t++) {
        int32_t values[2][FEW_GENES];
        measure_anyhow(&o, &luck, 100);
        optimiser_step(&o);
        for (int k = 0; k < 2 * PAIRS; k += 2) {
            genome_decode(o.genome, o.organisms[k].chromosome, values[0]);
            genome_decode(o.genome, o.organisms[k + 1].chromosome, values[1]);
            for (int i = 0; i < FEW_GENES; i++)
                cr_assert_neq(values[0][i], values[1][i],
                              "generation %d, gene of %d values: both %d", o.generation, i + 2,
                              values[0][i]);
        }
    }
    optimiser_destroy(&o);
}

static int champion(struct optimiser *o, bool relative)
{
    o->relative = relative;
    return optimiser_statistics(o).best;
}

/* Where fitness compares across generations, the best of all of them is looked for. Generation 0, and a single
 * pair, have no estimate. */
Test(spsa, reports_the_estimate_where_fitness_ranks_one_generation)
{
    struct problem p;
    make_real(&p, GENES);
    for (int population = 2; population <= ESTIMATE + 2; population += ESTIMATE) {
        const struct optimiser_settings s = spsa_settings_of(0.1, population);
        struct optimiser o = start_real(&p, &s);
        for (int t = 0; t < 3; t++) {
            measure_one(&o, 1, 2);
            cr_expect_eq(champion(&o, false), 1);
            cr_expect_eq(champion(&o, true), t == 0 || population == 2 ? 1 : ESTIMATE);
            optimiser_step(&o);
        }
        optimiser_destroy(&o);
    }
}
