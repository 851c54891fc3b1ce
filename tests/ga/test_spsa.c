/* SPSA: where its pairs lie, and how the estimate moves along their slopes (Spall 1998). */
#include "optimiser.h"

#include "real_genes.h"

enum { GENES = 4, PAIRS = 3, ESTIMATE = 2 * PAIRS, AHEAD = ESTIMATE + 1, POPULATION = AHEAD + 1 };

static struct problem problem;

static struct optimiser_settings settings(double step, double perturbation, int stability)
{
    struct optimiser_settings s = optimiser_default_settings(OPTIMISER_SPSA);
    s.population = POPULATION;
    s.spsa.step = step;
    s.spsa.perturbation = perturbation;
    s.spsa.stability = stability;
    return s;
}

/* Generation 1 from a seed whose genes are at `x`. */
static struct optimiser start(const struct optimiser_settings *s, double x)
{
    make_real(&problem, GENES);
    struct optimiser o = start_real(&problem, s);
    seed_real(&o, x);
    measure_one(&o, 0, 2);
    optimiser_step(&o);
    return o;
}

/* The perturbation of a generation. */
static double perturbation(const struct optimiser *o)
{
    return o->settings.spsa.perturbation / pow(o->generation, 0.101);
}

/* Writes the slopes that the fitness of the pairs gives, and returns how steep they are on average. */
static double slopes_of(const struct optimiser *o, double slopes[GENES])
{
    double first[GENES], second[GENES], steepness = 0;
    for (int i = 0; i < GENES; i++)
        slopes[i] = 0;
    for (int p = 0; p < PAIRS; p++) {
        const struct organism *pair = &o->organisms[2 * p];
        double difference = (double)pair[0].fitness - (double)pair[1].fitness;
        real_point(o, 2 * p, first);
        real_point(o, 2 * p + 1, second);
        for (int i = 0; i < GENES; i++)
            slopes[i] += difference / (first[i] - second[i]) / PAIRS;
        steepness += fabs(difference) / (2 * perturbation(o)) / PAIRS;
    }
    return steepness;
}

static void measure_anyhow(struct optimiser *o, struct stream *s, int64_t scale)
{
    for (int i = 0; i < o->population; i++)
        o->organisms[i].fitness = scale * (int64_t)stream_below(s, 100);
}

/* ---- where the organisms are ---- */

Test(pairs, lie_on_both_sides_of_the_estimate)
{
    const struct optimiser_settings s = settings(0.01, 0.05, 10);
    struct optimiser o = start(&s, 0.4);
    int up = 0, alike = 0;
    for (int t = 0; t < 20; t++) {
        double x[GENES], first[GENES], second[GENES];
        real_point(&o, ESTIMATE, x);
        for (int p = 0; p < PAIRS; p++) {
            real_point(&o, 2 * p, first);
            real_point(&o, 2 * p + 1, second);
            for (int i = 0; i < GENES; i++) {
                cr_assert_float_eq(fabs(first[i] - x[i]), perturbation(&o), REAL_ERROR);
                cr_assert_float_eq(first[i] + second[i], 2 * x[i], REAL_ERROR);
                up += first[i] > x[i];
            }
            alike += (first[0] > x[0]) == (first[1] > x[1]);
        }
        measure_one(&o, t % POPULATION, 2);
        optimiser_step(&o);
    }
    cr_assert(up > 90 && up < 150, "of 240 signs: %d", up);
    cr_assert(alike > 18 && alike < 42, "of 60 pairs: %d", alike);
    optimiser_destroy(&o);
}

/* The signs of a pair come from a stream of its own, which a resumed run draws again. */
Test(pairs, have_the_signs_that_their_streams_draw)
{
    const struct optimiser_settings s = settings(0.01, 0.05, 10);
    struct optimiser o = start(&s, 0.4);
    for (int t = 1; t <= 3; t++) {
        for (int p = 0; p < PAIRS; p++) {
            struct stream stream;
            double first[GENES], second[GENES];
            stream_init(&stream, o.seed, STREAM_PROPOSAL, (uint64_t)t, (uint64_t)p);
            real_point(&o, 2 * p, first);
            real_point(&o, 2 * p + 1, second);
            for (int i = 0; i < GENES; i++)
                cr_expect_eq(first[i] > second[i], stream_below(&stream, 2) == 1, "%d %d", p, i);
        }
        measure_one(&o, ESTIMATE, 2);
        optimiser_step(&o);
    }
    optimiser_destroy(&o);
}

Test(pairs, change_a_gene_of_few_values)
{
    struct problem p;
    struct optimiser_settings s = settings(0.2, 0.001, 10);
    make_problem(&p, 1, 1, 0);
    struct optimiser o = start_real(&p, &s);
    for (int t = 0; t < 10; t++) {
        measure_one(&o, 0, 2);
        optimiser_step(&o);
        for (int k = 0; k < PAIRS; k++)
            cr_assert_neq(o.organisms[2 * k].chromosome[0], o.organisms[2 * k + 1].chromosome[0]);
    }
    optimiser_destroy(&o);
}

/* Genes of 2 to 8 values, and fitness that drives the estimate from bound to bound. */
Test(pairs, differ_in_every_gene_also_at_the_bounds)
{
    struct problem p;
    struct stream luck;
    const struct optimiser_settings s = settings(0.2, 0.1, 10);
    make_few(&p);
    stream_init(&luck, 3, STREAM_INITIAL, 0, 0);
    struct optimiser o = start_real(&p, &s);
    for (int t = 0; t < 200; t++) {
        int32_t values[2][FEW_GENES];
        measure_anyhow(&o, &luck, 1);
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

Test(estimate, begins_at_the_best_organism)
{
    const struct optimiser_settings s = settings(0.2, 0.01, 10);
    struct optimiser o = start(&s, 0.4);
    double x[GENES];
    real_point(&o, ESTIMATE, x);
    for (int i = 0; i < GENES; i++)
        cr_expect_float_eq(x[i], 0.4, REAL_ERROR);
    optimiser_destroy(&o);
}

/* One gene, one pair, and a slope that leads beyond a bound. */
Test(estimate, stays_a_perturbation_away_from_the_bounds)
{
    struct problem p;
    struct optimiser_settings s = settings(1, 0.1, 10);
    make_real(&p, 1);
    s.population = 3;
    for (int side = 0; side < 2; side++) {
        struct optimiser o = start_real(&p, &s);
        seed_real(&o, side);
        measure_one(&o, 0, 2);
        for (int t = 0; t < 5; t++) {
            double x, first;
            optimiser_step(&o);
            real_point(&o, 2, &x);
            real_point(&o, 0, &first);
            cr_expect_float_eq(x, side == 1 ? 1 - perturbation(&o) : perturbation(&o), REAL_ERROR,
                               "generation %d: %g", o.generation, x);
            measure_one(&o, (first > x) == side ? 0 : 1, 2);
        }
        optimiser_destroy(&o);
    }
}

/* ---- how the estimate moves ---- */

Test(estimate, moves_along_the_mean_slope_by_shorter_and_shorter_steps)
{
    const struct optimiser_settings s = settings(0.02, 0.05, 3);
    struct optimiser o = start(&s, 0.5);
    struct stream noise;
    double x[GENES], next[GENES], ahead[GENES], slopes[GENES], first = 0;
    stream_init(&noise, 1, STREAM_TEST, 0, 0);
    for (int t = 1; t < 15; t++) {
        real_point(&o, ESTIMATE, x);
        measure_anyhow(&o, &noise, 1);
        double steepness = slopes_of(&o, slopes), a = 0.02 * pow(4.0 / (3 + t), 0.602);
        first = t == 1 ? steepness : first;
        optimiser_step(&o);
        real_point(&o, ESTIMATE, next);
        real_point(&o, AHEAD, ahead);
        for (int i = 0; i < GENES; i++) {
            double move = fmax(-0.02, fmin(0.02, a * slopes[i] / first));
            cr_assert_float_eq(next[i], x[i] + move, REAL_ERROR, "generation %d", t);
            cr_assert_float_eq(ahead[i], next[i] + move, REAL_ERROR);
        }
    }
    optimiser_destroy(&o);
}

Test(estimate, moves_by_no_more_than_the_first_step)
{
    const struct optimiser_settings s = settings(0.02, 0.05, 1000000);
    struct optimiser o = start(&s, 0.5);
    double x[GENES], next[GENES];
    measure_one(&o, 0, 2);
    optimiser_step(&o);
    real_point(&o, ESTIMATE, x);
    measure_one(&o, 1, 1000);
    optimiser_step(&o);
    real_point(&o, ESTIMATE, next);
    for (int i = 0; i < GENES; i++)
        cr_expect_float_eq(fabs(next[i] - x[i]), 0.02, REAL_ERROR);
    optimiser_destroy(&o);
}

/* A flat generation says nothing of how steep the slopes are. */
Test(estimate, rests_where_fitness_is_flat)
{
    const struct optimiser_settings s = settings(0.02, 0.05, 3);
    struct optimiser o = start(&s, 0.5);
    double x[GENES], next[GENES], slopes[GENES];
    for (int t = 0; t < 3; t++) {
        measure_one(&o, 0, 1);
        optimiser_step(&o);
    }
    real_point(&o, ESTIMATE, x);
    measure_one(&o, 0, 2);
    double steepness = slopes_of(&o, slopes), a = 0.02 * pow(4.0 / (3 + o.generation), 0.602);
    optimiser_step(&o);
    real_point(&o, ESTIMATE, next);
    for (int i = 0; i < GENES; i++) {
        cr_expect_float_eq(x[i], 0.5, REAL_ERROR);
        cr_expect_float_eq(next[i] - x[i], a * slopes[i] / steepness, REAL_ERROR);
    }
    optimiser_destroy(&o);
}

/* The least difference that fitness can have is as good as any, in a pair out of many. */
Test(estimate, does_not_depend_on_the_scale_of_fitness)
{
    struct optimiser_settings s = settings(0.1, 0.1, 10);
    s.population = 41;
    struct optimiser small = start(&s, 0.5), large = start(&s, 0.5);
    double x[GENES], y[GENES];
    measure_one(&small, 0, 2);
    for (int i = 0; i < large.population; i++)
        large.organisms[i].fitness = 1000000 * small.organisms[i].fitness;
    optimiser_step(&small);
    optimiser_step(&large);
    real_point(&small, 40, x);
    real_point(&large, 40, y);
    for (int i = 0; i < GENES; i++) {
        cr_expect_gt(fabs(x[i] - 0.5), 0.01);
        cr_expect_float_eq(x[i], y[i], REAL_ERROR);
    }
    optimiser_destroy(&small);
    optimiser_destroy(&large);
}

/* ---- pairs that play each other ---- */

enum { MATES = 2 * PAIRS + 1 };

static struct optimiser start_mates(double rate)
{
    struct optimiser_settings s = settings(0.1, 0.05, 10);
    s.population = MATES;
    s.rate = rate;
    make_real(&problem, GENES);
    struct optimiser o = start_real(&problem, &s);
    seed_real(&o, 0.4);
    o.mates = o.relative = true;
    return o;
}

/* The two of each pair have 8 half points together, in four games; the estimate has 4 of its own. */
static void play_mates(struct optimiser *o, struct stream *s)
{
    for (int p = 0; p < PAIRS; p++) {
        o->organisms[2 * p].fitness = (int64_t)stream_below(s, 9);
        o->organisms[2 * p + 1].fitness = 8 - o->organisms[2 * p].fitness;
    }
    o->organisms[MATES - 1].fitness = 4;
}

/* The middle of a pair, which is where the estimate is. */
static void middle(const struct optimiser *o, double x[GENES])
{
    double first[GENES], second[GENES];
    real_point(o, 0, first);
    real_point(o, 1, second);
    for (int i = 0; i < GENES; i++)
        x[i] = (first[i] + second[i]) / 2;
}

Test(mates, begin_at_the_first_organism_which_nobody_has_measured)
{
    struct optimiser o = start_mates(0.03);
    double x[GENES];
    optimiser_step(&o);
    middle(&o, x);
    for (int i = 0; i < GENES; i++)
        cr_expect_float_eq(x[i], 0.4, REAL_ERROR);
    optimiser_destroy(&o);
}

Test(mates, draw_the_estimate_to_the_winner_by_the_games_that_it_won_more)
{
    struct optimiser o = start_mates(0.03);
    struct stream games;
    double x[GENES], next[GENES], first[GENES], second[GENES];
    stream_init(&games, 1, STREAM_TEST, 0, 0);
    optimiser_step(&o);
    for (int t = 1; t < 10; t++) {
        const double rate = 0.03 / sqrt(1 + (t - 1) * 4 * PAIRS / 125.0); /* four games a pair */
        middle(&o, x);
        play_mates(&o, &games);
        for (int p = 0; p < PAIRS; p++) {
            const double won = (double)(o.organisms[2 * p].fitness - 4);
            real_point(&o, 2 * p, first);
            real_point(&o, 2 * p + 1, second);
            for (int i = 0; i < GENES; i++)
                x[i] += rate * won * (first[i] - second[i]) / 2;
        }
        optimiser_step(&o);
        middle(&o, next);
        for (int i = 0; i < GENES; i++)
            cr_expect_float_eq(next[i], x[i], 3 * REAL_ERROR, "generation %d", t);
    }
    optimiser_destroy(&o);
}

Test(mates, are_followed_by_an_average_of_the_path_which_is_the_champion)
{
    struct optimiser o = start_mates(0.1);
    struct stream games;
    double x[GENES], average[GENES] = {0}, last[GENES];
    stream_init(&games, 2, STREAM_TEST, 0, 0);
    for (int t = 0; t < 10; t++) {
        optimiser_step(&o);
        middle(&o, x);
        real_point(&o, MATES - 1, last);
        for (int i = 0; i < GENES; i++) {
            average[i] += (x[i] - average[i]) * 4 / (t + 4);
            cr_expect_float_eq(last[i], average[i], 3 * REAL_ERROR, "generation %d", t + 1);
        }
        play_mates(&o, &games);
        cr_expect_eq(optimiser_statistics(&o).best, MATES - 1);
    }
    optimiser_destroy(&o);
}

/* The first gene has a perturbation of its own; the estimate begins at a bound and stays there. */
Test(mates, are_perturbed_by_the_c_of_each_gene_and_reach_the_bounds)
{
    struct optimiser_settings s = settings(0.1, 0.05, 10);
    double first[GENES], second[GENES];
    s.population = MATES;
    make_real(&problem, GENES);
    problem.params[0].c = 0.2 * problem.params[0].max;
    struct optimiser o = start_real(&problem, &s);
    seed_real(&o, 0.4);
    o.mates = o.relative = true;
    for (int t = 0; t < 3; t++) {
        optimiser_step(&o);
        real_point(&o, 0, first);
        real_point(&o, 1, second);
        cr_expect_float_eq(fabs(first[0] - second[0]), 0.4, REAL_ERROR, "generation %d", t + 1);
        cr_expect_float_eq(fabs(first[1] - second[1]), 0.1, REAL_ERROR, "generation %d", t + 1);
    }
    optimiser_destroy(&o);

    o = start_real(&problem, &s);
    seed_real(&o, 0);
    o.mates = o.relative = true;
    optimiser_step(&o);
    real_point(&o, 0, first);
    real_point(&o, 1, second);
    cr_expect_float_eq(fmin(first[1], second[1]), 0, REAL_ERROR);
    cr_expect_float_eq(fmax(first[1], second[1]), 0.05, REAL_ERROR);
    real_point(&o, MATES - 1, first);
    cr_expect_float_eq(first[1], 0, REAL_ERROR);
    optimiser_destroy(&o);
}

/* ---- which organism it reports ---- */

/* Where fitness compares across generations, the best of all of them is looked for. */
Test(champion, is_the_estimate_where_fitness_ranks_one_generation)
{
    const struct optimiser_settings s = settings(0.1, 0.1, 10);
    struct optimiser o = start(&s, 0.5);
    for (int t = 0; t < 3; t++) {
        measure_one(&o, t, 2);
        o.relative = false;
        cr_expect_eq(optimiser_statistics(&o).best, t);
        o.relative = true;
        cr_expect_eq(optimiser_statistics(&o).best, ESTIMATE);
        cr_expect_eq(optimiser_statistics(&o).best_fitness, 1);
        optimiser_step(&o);
    }
    optimiser_destroy(&o);
}

Test(champion, is_the_fittest_where_there_is_no_estimate)
{
    struct optimiser_settings s = settings(0.1, 0.1, 10);
    make_real(&problem, GENES);
    struct optimiser first = start_real(&problem, &s);
    first.relative = true;
    measure_one(&first, 3, 2);
    cr_expect_eq(optimiser_statistics(&first).best, 3, "in generation 0");
    optimiser_destroy(&first);

    s.population = 2;
    struct optimiser pair = start(&s, 0.5);
    pair.relative = true;
    measure_one(&pair, 1, 2);
    cr_expect_eq(optimiser_statistics(&pair).best, 1, "of one pair");
    optimiser_destroy(&pair);
}

/* A population of two is one pair, without the estimate. */
Test(pairs, are_one_in_a_population_of_two)
{
    struct optimiser_settings s = settings(0.1, 0.1, 10);
    s.population = 2;
    struct optimiser o = start(&s, 0.5);
    double first[GENES], second[GENES];
    real_point(&o, 0, first);
    real_point(&o, 1, second);
    for (int i = 0; i < GENES; i++) {
        cr_expect_float_eq(fabs(first[i] - 0.5), 0.1, REAL_ERROR);
        cr_expect_float_eq(first[i] + second[i], 1, REAL_ERROR);
    }
    optimiser_destroy(&o);
}
