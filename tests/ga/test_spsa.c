/* SPSA against its formulas (Spall 1998), written down a second time. The model has the same random streams, so
 * each organism lies where the model puts it. */
#include "real_genes.h"

enum { GENES = 4, PAIRS = 3, ESTIMATE = 2 * PAIRS, POPULATION = ESTIMATE + 2 };

static struct optimiser_settings settings(double step, double perturbation, int stability)
{
    struct optimiser_settings s = optimiser_default_settings(OPTIMISER_SPSA);
    s.population = POPULATION;
    s.spsa.step = step;
    s.spsa.perturbation = perturbation;
    s.spsa.stability = stability;
    return s;
}

struct model {
    double x[GENES], moved[GENES], average[GENES];
    int signs[PAIRS][GENES];
    double steepness; /* of the first slopes */
};

/* How far the two of a pair are from the estimate in a gene. The first gene may have a c of its own. */
static double perturbation(const struct optimiser *o, int generation, int gene)
{
    const double max = o->genome->genes[gene].max + 1.0, own = o->genome->genes[gene].c / max;
    const double first = own > 0 ? own : o->settings.spsa.perturbation;
    return fmin(0.5, o->mates ? first : first / pow(generation, 0.101));
}

/* Moves the estimate along the mean slopes of the pairs, relative to the first steepness that is not 0: by
 * steps that shrink, none longer than the first. */
static void climb(struct model *m, const struct optimiser *o)
{
    const struct spsa_settings *s = &o->settings.spsa;
    const int t = o->generation;
    const double a = s->step * pow((s->stability + 1.0) / (s->stability + t), 0.602);
    double slopes[GENES] = {0}, steepness = 0;
    for (int p = 0; p < PAIRS; p++) {
        double difference =
            (double)(o->organisms[2 * p].fitness - o->organisms[2 * p + 1].fitness) / PAIRS;
        steepness += fabs(difference) / (2 * s->perturbation / pow(t, 0.101));
        for (int i = 0; i < GENES; i++)
            slopes[i] += difference * m->signs[p][i] / (2 * perturbation(o, t, i));
    }
    m->steepness = m->steepness > 0 ? m->steepness : steepness;
    for (int i = 0; i < GENES; i++) {
        double by = m->steepness > 0 ? a * slopes[i] / m->steepness : 0;
        m->moved[i] = fmax(-s->step, fmin(s->step, by));
        m->x[i] += m->moved[i];
    }
}

/* Moves the estimate to the winners, for each game won more by a part of half the distance between the two. That
 * part falls with the games so far: PAIRS times four a generation. */
static void follow(struct model *m, const struct optimiser *o)
{
    const double rate = o->settings.rate / sqrt(1 + (o->generation - 1) * 4 * PAIRS / 125.0);
    for (int p = 0; p < PAIRS; p++) {
        double first[GENES], second[GENES];
        real_point(o, 2 * p, first);
        real_point(o, 2 * p + 1, second);
        for (int i = 0; i < GENES; i++)
            m->x[i] +=
                rate * (double)(o->organisms[2 * p].fitness - 4) * (first[i] - second[i]) / 2;
    }
}

/* The estimate stays away from the bounds by a perturbation, or of mates to the outer cells. */
static void expect_generation(struct model *m, const struct optimiser *o)
{
    const int t = o->generation;
    for (int i = 0; i < GENES; i++) {
        double away = o->mates ? 0 : perturbation(o, t, i);
        m->x[i] = fmax(away, fmin(1 - away, m->x[i]));
        m->average[i] += (m->x[i] - m->average[i]) * 4 / (t + 3); /* Shamir and Zhang, eta = 3 */
    }
    for (int p = 0; p < PAIRS; p++) {
        struct stream s;
        double pair[2][GENES];
        stream_init(&s, o->seed, STREAM_PROPOSAL, (uint64_t)t, (uint64_t)p);
        for (int i = 0; i < GENES; i++) {
            m->signs[p][i] = stream_below(&s, 2) == 0 ? -1 : 1;
            for (int k = 0; k < 2; k++)
                pair[k][i] = fmax(0, fmin(1, m->x[i] + (k == 0 ? 1 : -1) * m->signs[p][i] *
                                                           perturbation(o, t, i)));
        }
        expect_real(o, 2 * p, pair[0]);
        expect_real(o, 2 * p + 1, pair[1]);
    }
    expect_real(o, ESTIMATE, o->mates ? m->average : m->x);
    for (int i = 0; i < GENES && !o->mates; i++)
        m->x[i] += m->moved[i];
    if (!o->mates)
        expect_real(o, ESTIMATE + 1, m->x);
    for (int i = 0; i < GENES && !o->mates; i++)
        m->x[i] -= m->moved[i];
}

/* Runs both from a seed at `x`, with random fitness; at first it is flat, which says nothing of slopes. */
static void run_both(struct optimiser_settings s, double x, double c, bool mates, uint64_t scale)
{
    struct problem p;
    struct stream luck;
    struct model m = {.steepness = 0};
    make_real(&p, GENES);
    p.params[0].c = c * (p.params[0].max + 1.0);
    s.population = mates ? POPULATION - 1 : POPULATION;
    stream_init(&luck, 1, STREAM_TEST, 0, 0);
    struct optimiser o = start_real(&p, &s);
    o.mates = o.relative = mates;
    seed_real(&o, x);
    if (!mates) /* nobody measures the start of mates */
        measure_one(&o, 0, 2);
    real_point(&o, 0, m.x);
    for (int t = 1; t < 20; t++) {
        if (t > 1 && mates)
            follow(&m, &o);
        else if (t > 1)
            climb(&m, &o);
        optimiser_step(&o);
        expect_generation(&m, &o);
        for (int i = 0; i < o.population; i++)
            o.organisms[i].fitness =
                t < 3 && !mates ? 1 : (int64_t)(scale * stream_below(&luck, 9));
        for (int i = 1; i < ESTIMATE && mates; i += 2)
            o.organisms[i].fitness = 8 - o.organisms[i - 1].fitness;
    }
    optimiser_destroy(&o);
}

Test(spsa, moves_along_the_mean_slopes_of_its_pairs)
{
    run_both(settings(0.02, 0.05, 3), 0.4, 0, false, 1);
    run_both(settings(0.02, 0.05, 3), 0.4, 0, false, 1000000);
    run_both(settings(0.02, 0.05, 3), 0.4, 0.1, false, 1);
    run_both(settings(1, 0.1, 10), 1, 0, false, 1);
}

Test(spsa, follows_the_winners_of_pairs_that_play_each_other)
{
    struct optimiser_settings s = settings(0.1, 0.05, 10);
    s.rate = 0.03;
    run_both(s, 0.4, 0.2, true, 1);
    s.rate = 0.5;
    run_both(s, 0, 0, true, 1);
}

/* Genes of 2 to 8 values, and fitness that drives the estimate from bound to bound. */
Test(spsa, has_pairs_that_differ_in_every_gene_also_at_the_bounds)
{
    struct problem p;
    struct stream luck;
    const struct optimiser_settings s = settings(0.2, 0.1, 10);
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

/* ---- which organism it reports ---- */

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
    struct optimiser_settings s = settings(0.1, 0.1, 10);
    make_real(&p, GENES);
    for (int population = 2; population <= POPULATION; population += POPULATION - 2) {
        s.population = population;
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
