/* Particle swarm: velocities, the positions that attract, and the bounds. */
#include "optimiser.h"

#include "real_genes.h"

enum { GENES = 4, POPULATION = 5 };

static struct problem problem;

static struct optimiser start(double inertia, double attraction, int population)
{
    struct optimiser_settings s = optimiser_default_settings(OPTIMISER_PARTICLE_SWARM);
    make_real(&problem, GENES);
    s.population = population;
    s.particle_swarm.inertia = inertia;
    s.particle_swarm.attraction = attraction;
    return start_real(&problem, &s);
}

static void take(const struct optimiser *o, double x[][GENES])
{
    for (int i = 0; i < o->population; i++)
        real_point(o, i, x[i]);
}

static void step(struct optimiser *o, int leader, int64_t fitness)
{
    measure_one(o, leader, fitness);
    optimiser_step(o);
}

/* With inertia 1 and no attraction the first move is the first velocity. */
Test(velocity, leads_halfway_to_a_random_point_at_first)
{
    enum { MANY = 50 };
    struct optimiser o = start(1, 0, MANY);
    double before[MANY][GENES], after[MANY][GENES], sum = 0, least = 1, most = 0;
    take(&o, before);
    step(&o, 0, 2);
    take(&o, after);
    for (int i = 0; i < MANY; i++)
        for (int k = 0; k < GENES; k++) {
            double point = 2 * after[i][k] - before[i][k];
            sum += point / MANY / GENES;
            least = fmin(least, point);
            most = fmax(most, point);
        }
    cr_expect(sum > 0.45 && sum < 0.55, "%g", sum);
    cr_expect(least > -REAL_ERROR && least < 0.05, "%g", least);
    cr_expect(most < 1 + REAL_ERROR && most > 0.95, "%g", most);
    optimiser_destroy(&o);
}

Test(velocity, fades_by_the_inertia)
{
    struct optimiser o = start(0.6, 0, POPULATION);
    double x[4][POPULATION][GENES];
    for (int t = 0; t < 4; t++) {
        take(&o, x[t]);
        step(&o, 0, 2);
    }
    for (int i = 0; i < POPULATION; i++)
        for (int k = 0; k < GENES; k++) {
            double first = x[2][i][k] - x[1][i][k], second = x[3][i][k] - x[2][i][k];
            cr_expect_float_eq(second, 0.6 * first, REAL_ERROR);
        }
    optimiser_destroy(&o);
}

/* Without inertia a particle at its best position goes a random part of the way to the leader's. */
Test(attraction, leads_to_the_best_position_of_all)
{
    enum { MANY = 40 };
    struct optimiser o = start(0, 0.8, MANY);
    double before[MANY][GENES], after[MANY][GENES], sum = 0, most = 0, apart = 0;
    take(&o, before);
    step(&o, 3, 2);
    take(&o, after);
    for (int i = 0; i < MANY; i++)
        for (int k = 0; k < GENES && i != 3; k++) {
            double part = (after[i][k] - before[i][k]) / (before[3][k] - before[i][k]);
            double next = (after[i][(k + 1) % GENES] - before[i][(k + 1) % GENES]) /
                          (before[3][(k + 1) % GENES] - before[i][(k + 1) % GENES]);
            cr_assert(part > -0.01 && part < 0.81, "%g", part);
            sum += part / (MANY - 1) / GENES;
            apart += fabs(part - next) / (MANY - 1) / GENES;
            most = fmax(most, part);
        }
    cr_expect(sum > 0.36 && sum < 0.44, "%g", sum);
    cr_expect_gt(most, 0.75, "%g", most);
    cr_expect_gt(apart, 0.2, "each coordinate has its own part: %g", apart);
    for (int k = 0; k < GENES; k++)
        cr_expect_float_eq(after[3][k], before[3][k], REAL_ERROR, "the leader has no way to go");
    optimiser_destroy(&o);
}

/* A particle that has got worse goes back to its own best position too: between 0 and 2 * attraction
 * times the way, if that is the leader's as well. */
Test(attraction, leads_back_to_the_particles_own_best_position)
{
    struct optimiser o = start(0, 0.5, 2);
    double best[2][GENES], x[2][GENES], next[2][GENES];
    int between = 0, cases = 0;
    take(&o, best);
    step(&o, 1, 9);
    for (int t = 0; t < 40; t++) {
        take(&o, x);
        o.organisms[0].fitness = 0; /* its best was 1, in generation 0 */
        o.organisms[1].fitness = 0;
        optimiser_step(&o);
        take(&o, next);
        for (int k = 0; k < GENES; k++) {
            double to_own = best[0][k] - x[0][k], to_all = best[1][k] - x[0][k];
            double move = next[0][k] - x[0][k];
            double low = 0.5 * (fmin(0, to_own) + fmin(0, to_all));
            double high = 0.5 * (fmax(0, to_own) + fmax(0, to_all));
            cr_assert(move > low - REAL_ERROR && move < high + REAL_ERROR, "%g", move);
            between += fabs(move) > 1e-3;
            cases++;
        }
    }
    cr_expect_gt(between, cases / 2, "%d of %d", between, cases);
    optimiser_destroy(&o);
}

/* A better position of another particle makes it the leader; an equal one does not. */
Test(attraction, changes_with_the_leader)
{
    for (int64_t fitness = 9; fitness < 11; fitness++) {
        struct optimiser o = start(0, 0.4, 2);
        double first[2][GENES], x[2][GENES], next[2][GENES];
        take(&o, first);
        step(&o, 0, 9);
        take(&o, x);
        o.organisms[0].fitness = 0;
        o.organisms[1].fitness = fitness;
        optimiser_step(&o);
        take(&o, next);
        for (int k = 0; k < GENES; k++) {
            double moved = fabs(next[1][k] - x[1][k]);
            cr_expect(fitness == 10 ? moved < REAL_ERROR : moved > REAL_ERROR, "%g", moved);
        }
        optimiser_destroy(&o);
    }
}

/* With inertia alone, a particle that comes to a bound stays there. */
Test(bounds, stop_a_particle)
{
    struct optimiser o = start(1, 0, 20);
    double x[20][GENES], next[20][GENES];
    int stopped[2] = {0};
    for (int t = 0; t < 30; t++) {
        take(&o, x);
        step(&o, 0, 2);
        take(&o, next);
        for (int i = 0; i < 20; i++)
            for (int k = 0; k < GENES; k++)
                for (int side = 0; side < 2 && t > 0; side++)
                    if (fabs(x[i][k] - side) < 1e-9) {
                        cr_assert_float_eq(next[i][k], x[i][k], 1e-9);
                        stopped[side]++;
                    }
    }
    cr_expect(stopped[0] > 50 && stopped[1] > 50, "%d %d", stopped[0], stopped[1]);
    optimiser_destroy(&o);
}

/* A particle that is worth as much as before keeps the first of its best positions, which leads some
 * coordinates back, away from the leader's. */
Test(attraction, stays_with_the_first_of_equal_positions)
{
    enum { MANY = 40 };
    struct optimiser o = start(0, 0.8, MANY);
    double before[MANY][GENES], after[MANY][GENES];
    int back = 0;
    step(&o, 3, 2);
    take(&o, before);
    step(&o, 3, 2);
    take(&o, after);
    for (int i = 0; i < MANY; i++)
        for (int k = 0; k < GENES && i != 3; k++)
            back += (after[i][k] - before[i][k]) * (before[3][k] - before[i][k]) < 0;
    cr_expect_gt(back, 10, "%d coordinates", back);
    optimiser_destroy(&o);
}
