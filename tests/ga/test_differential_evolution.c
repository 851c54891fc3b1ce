/* Differential evolution: what its trials are made of, and which become targets (Storn and Price 1997). */
#include "optimiser.h"

#include "real_genes.h"

#include <string.h>

enum { GENES = 5, POPULATION = 6 };

static struct problem problem;

/* The targets, as the fitness that a test wrote leaves them. */
struct targets {
    double x[POPULATION][GENES];
    int64_t fitness[POPULATION];
};

static struct optimiser start(double weight, double crossover)
{
    struct optimiser_settings s = optimiser_default_settings(OPTIMISER_DIFFERENTIAL_EVOLUTION);
    make_real(&problem, GENES);
    s.population = POPULATION;
    s.differential_evolution.weight = weight;
    s.differential_evolution.crossover = crossover;
    return start_real(&problem, &s);
}

/* Writes fitness from 0 to 9, selects the targets, and steps. */
static void step(struct optimiser *o, struct targets *t, struct stream *noise)
{
    for (int i = 0; i < POPULATION; i++) {
        int64_t fitness = (int64_t)stream_below(noise, 10);
        o->organisms[i].fitness = fitness;
        if (o->generation > 0 && fitness < t->fitness[i])
            continue;
        t->fitness[i] = fitness;
        real_point(o, i, t->x[i]);
    }
    optimiser_step(o);
}

static bool near(double x, double y)
{
    return fabs(x - y) < 1e-6;
}

/* True if a coordinate is that of the mutant a + F (b - c), or between a and the bound that the mutant
 * is beyond. */
static bool of_mutant(double x, double a, double mutant)
{
    if (mutant < 0)
        return x <= a;
    return mutant > 1 ? x >= a : near(x, mutant);
}

/* Returns the number of coordinates that a trial has of the mutant of three targets, or -1 if the others
 * are not the target's. */
static int taken_from(const struct targets *t, int i, const double *trial, const int of[3],
                      double weight)
{
    int taken = 0;
    for (int k = 0; k < GENES; k++) {
        double a = t->x[of[0]][k];
        double mutant = a + weight * (t->x[of[1]][k] - t->x[of[2]][k]);
        if (near(trial[k], t->x[i][k]))
            continue;
        if (!of_mutant(trial[k], a, mutant))
            return -1;
        taken++;
    }
    return taken;
}

/* Returns the number of coordinates that a trial has of the mutant of three other targets, or -1. It is
 * 0 if the same three made the target before. */
static int taken_from_others(const struct targets *t, int i, const double *trial, double weight)
{
    for (int a = 0; a < POPULATION; a++)
        for (int b = 0; b < POPULATION; b++)
            for (int c = 0; c < POPULATION; c++) {
                if (a == i || b == i || c == i || a == b || a == c || b == c)
                    continue;
                int taken = taken_from(t, i, trial, (int[]){a, b, c}, weight);
                if (taken >= 0)
                    return taken;
            }
    return -1;
}

/* Returns the mean number of coordinates from the mutant, in 30 generations. */
static double mean_taken(double weight, double crossover)
{
    struct optimiser o = start(weight, crossover);
    struct targets t;
    struct stream noise;
    int taken = 0;
    stream_init(&noise, 1, STREAM_TEST, 0, 0);
    for (int g = 0; g < 30; g++) {
        step(&o, &t, &noise);
        for (int i = 0; i < POPULATION; i++) {
            double trial[GENES];
            real_point(&o, i, trial);
            int now = taken_from_others(&t, i, trial, weight);
            cr_assert_geq(now, 0, "the trial of target %d is no mutant", i);
            taken += now;
        }
    }
    optimiser_destroy(&o);
    return taken / 30.0 / POPULATION;
}

Test(trials, are_mutants_with_crossover_1)
{
    cr_expect_gt(mean_taken(0.5, 1), 4.8);
    cr_expect_gt(mean_taken(1.5, 1), 4.8, "of which many are beyond the bounds");
}

Test(trials, have_one_coordinate_of_the_mutant_with_crossover_0)
{
    double taken = mean_taken(0.5, 0);
    cr_expect(taken > 0.95 && taken <= 1, "%g", taken);
}

Test(trials, have_each_coordinate_of_the_mutant_by_chance)
{
    double taken = mean_taken(0.5, 0.5); /* 1 + 4 / 2 */
    cr_expect(taken > 2.7 && taken < 3.3, "%g", taken);
}

/* With crossover 0, each gene is the one that is always the mutant's now and then. */
Test(trials, take_any_gene_always)
{
    struct optimiser o = start(0.5, 0);
    struct targets t;
    struct stream noise;
    int taken[GENES] = {0};
    stream_init(&noise, 1, STREAM_TEST, 0, 0);
    for (int g = 0; g < 20; g++) {
        step(&o, &t, &noise);
        for (int i = 0; i < POPULATION; i++) {
            double trial[GENES];
            real_point(&o, i, trial);
            for (int k = 0; k < GENES; k++)
                taken[k] += !near(trial[k], t.x[i][k]);
        }
    }
    for (int k = 0; k < GENES; k++)
        cr_expect(taken[k] > 10 && taken[k] < 40, "24 of 120 expected: %d", taken[k]);
    optimiser_destroy(&o);
}

/* A mutant beyond a bound lands between a and the bound, anywhere. */
Test(trials, land_anywhere_before_the_bound)
{
    struct optimiser o = start(2, 1);
    struct targets t;
    struct stream noise;
    int beyond[2] = {0}, near_bound[2] = {0};
    stream_init(&noise, 1, STREAM_TEST, 0, 0);
    for (int g = 0; g < 60; g++) {
        step(&o, &t, &noise);
        for (int i = 0; i < POPULATION; i++) {
            double x[GENES];
            real_point(&o, i, x);
            for (int k = 0; k < GENES; k++)
                for (int side = 0; side < 2; side++) {
                    double away = side == 0 ? x[k] : 1 - x[k];
                    beyond[side] += away < 0.25;
                    near_bound[side] += away < 0.01;
                }
        }
    }
    for (int side = 0; side < 2; side++) {
        cr_expect_gt(beyond[side], 200, "%d", beyond[side]);
        cr_expect_lt(near_bound[side], beyond[side] / 4, "%d", near_bound[side]);
    }
    optimiser_destroy(&o);
}
