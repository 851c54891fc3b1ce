/* Gradient descent: its sweeps, the direction that they give, its line searches, and its base. */
#include "optimiser.h"

#include "real_genes.h"

enum { GENES = 3, POPULATION = 2 * GENES };

static struct problem problem;

/* Generation 1, the first of a sweep, from a seed whose genes are at `x`. */
static struct optimiser start_at(double x, int population)
{
    struct optimiser_settings s = optimiser_default_settings(OPTIMISER_GRADIENT_DESCENT);
    make_real(&problem, GENES);
    s.population = population;
    struct optimiser o = start_real(&problem, &s);
    seed_real(&o, x);
    measure_one(&o, 0, 2);
    optimiser_step(&o);
    return o;
}

/* An organism is at a place plus so much of a direction. */
static void expect_point(const struct optimiser *o, int index, const double *from, double by,
                         const double *direction)
{
    double x[GENES];
    real_point(o, index, x);
    for (int i = 0; i < GENES; i++)
        cr_expect_float_eq(x[i], from[i] + by * direction[i], REAL_ERROR,
                           "generation %d, organism %d, gene %d: %g", o->generation, index, i,
                           x[i]);
}

/* A generation is a sweep by these changes of the genes of a base. */
static void expect_sweep(const struct optimiser *o, const double *base, double ahead, double behind)
{
    for (int i = 0; i < o->population; i++) {
        double direction[GENES] = {0};
        direction[i % GENES] = 1;
        expect_point(o, i, base, i / GENES % 2 == 0 ? ahead : behind, direction);
    }
}

/* A generation is a line of points from a base, from `step` to one cell. */
static void expect_line(const struct optimiser *o, const double *base, const double *direction)
{
    for (int i = 0; i < o->population; i++)
        expect_point(o, i, base, 0.2 * pow(0x1p-30 / 0.2, i / (o->population - 1.0)), direction);
}

static const double middle[GENES] = {0.5, 0.5, 0.5};

Test(sweep, changes_each_gene_one_way_and_then_the_other)
{
    struct optimiser o = start_at(0.5, POPULATION);
    expect_sweep(&o, middle, 0.1, -0.1);
    optimiser_destroy(&o);
    o = start_at(0.5, 4 * GENES);
    expect_sweep(&o, middle, 0.1, -0.1);
    optimiser_destroy(&o);
}

/* At the upper bound the first change is down, and there is no other; at the lower bound neither. */
Test(sweep, keeps_to_the_bounds)
{
    const double top[GENES] = {1, 1, 1}, bottom[GENES] = {0, 0, 0};
    struct optimiser o = start_at(1, POPULATION);
    expect_sweep(&o, top, -0.1, 0);
    optimiser_destroy(&o);
    o = start_at(0, POPULATION);
    expect_sweep(&o, bottom, 0.1, 0);
    optimiser_destroy(&o);
}

Test(sweep, changes_a_gene_of_few_values)
{
    struct problem p;
    struct optimiser_settings s = optimiser_default_settings(OPTIMISER_GRADIENT_DESCENT);
    make_problem(&p, 2, 2, 0);
    s.population = 2;
    struct optimiser o = start_real(&p, &s);
    uint64_t best = o.organisms[0].chromosome[0];
    measure_one(&o, 0, 2);
    optimiser_step(&o);
    cr_assert_neq(o.organisms[0].chromosome[0], best);
    cr_assert_neq(o.organisms[1].chromosome[0], best);
    optimiser_destroy(&o);
}

/* The line ends at the upper bound, one cell below which is the last cell too. */
Test(sweep, leaves_the_last_cell_from_the_upper_bound)
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
    int32_t values[2];
    genome_decode(o.genome, o.organisms[0].chromosome, &values[0]);
    genome_decode(o.genome, o.organisms[1].chromosome, &values[1]);
    cr_assert_eq(values[0], 2, "one below 3");
    cr_assert_eq(values[1], 3, "no way up");
    optimiser_destroy(&o);
}

/* Writes the fitness of a sweep in which both ways have been measured. */
static void measure_sweep(struct optimiser *o, const int64_t ahead[GENES],
                          const int64_t behind[GENES])
{
    for (int i = 0; i < o->population; i++)
        o->organisms[i].fitness = i < GENES ? ahead[i] : i < 2 * GENES ? behind[i - GENES] : 0;
}

Test(line, goes_along_central_differences)
{
    struct optimiser o = start_at(0.5, POPULATION);
    o.organisms[0].fitness = 0;
    measure_sweep(&o, (int64_t[]){1, 0, 1}, (int64_t[]){0, 2, 1});
    optimiser_step(&o);
    expect_line(&o, middle, (double[]){0.5, -1, 0});
    optimiser_destroy(&o);
}

/* Two organisms sweep three genes in two generations, and the first the other way in what is left. */
Test(line, goes_along_what_several_generations_measured)
{
    struct optimiser o = start_at(0.5, 2);
    expect_point(&o, 1, middle, 0.1, (double[]){0, 1, 0});
    o.organisms[0].fitness = 1; /* the base has 2 */
    o.organisms[1].fitness = 0;
    optimiser_step(&o);
    expect_point(&o, 0, middle, 0.1, (double[]){0, 0, 1});
    expect_point(&o, 1, middle, -0.1, (double[]){1, 0, 0});
    o.organisms[0].fitness = 1;
    o.organisms[1].fitness = 0;
    optimiser_step(&o); /* 1/0.2, -2/0.1, -1/0.1 */
    expect_line(&o, middle, (double[]){0.25, -1, -0.5});
    optimiser_destroy(&o);
}

/* The change is 0.1 one way, and at the bound 0 the other. */
Test(line, divides_by_the_change_that_there_was)
{
    struct optimiser o = start_at(0.95, POPULATION);
    measure_sweep(&o, (int64_t[]){1, 2, 2}, (int64_t[]){2, 1, 1});
    optimiser_step(&o);
    const double base[GENES] = {0.95, 0.95, 0.95};
    double x[GENES];
    real_point(&o, 0, x);
    cr_expect_float_eq(x[0], 1, REAL_ERROR, "the first changes were down");
    cr_expect_float_eq(x[1], 0.75, REAL_ERROR);
    expect_point(&o, 3, base, 0.2 * pow(0x1p-30 / 0.2, 0.6), (double[]){1, -1, -1});
    optimiser_destroy(&o);
}

Test(line, has_random_signs_where_fitness_is_flat)
{
    int up = 0;
    for (uint64_t seed = 0; seed < 40; seed++) {
        struct optimiser o = start_at(0.5, POPULATION);
        double x[GENES];
        o.seed = seed;
        measure_one(&o, 0, 1);
        optimiser_step(&o);
        real_point(&o, 0, x);
        for (int i = 0; i < GENES; i++) {
            cr_expect_float_eq(fabs(x[i] - 0.5), 0.2, REAL_ERROR);
            up += x[i] > 0.5;
        }
        optimiser_destroy(&o);
    }
    cr_assert(up > 40 && up < 80, "of 120: %d", up);
}

Test(line, keeps_to_the_bounds)
{
    struct optimiser o = start_at(0.9, POPULATION);
    measure_sweep(&o, (int64_t[]){1, 0, 0}, (int64_t[]){0, 1, 1});
    o.organisms[5].fitness = 0;
    optimiser_step(&o);
    double x[GENES];
    real_point(&o, 0, x);
    cr_expect_float_eq(x[0], 1, REAL_ERROR);
    cr_expect_float_eq(x[1], 0.7, REAL_ERROR);
    cr_expect_float_eq(x[2], 0.9, REAL_ERROR, "flat");
    optimiser_destroy(&o);
}

/* Cells of a quarter: a tenth of the range is the longest step, so no point leaves the cell of the base. */
Test(line, is_no_longer_than_the_step_where_cells_are_wider)
{
    struct problem p;
    struct optimiser_settings s = optimiser_default_settings(OPTIMISER_GRADIENT_DESCENT);
    make_problem(&p, 1, 2, 0);
    s.population = 5;
    s.gradient_descent.step = 0.1;
    struct optimiser o = start_real(&p, &s);
    seed_real(&o, 0);
    for (int t = 0; t < 2; t++) {
        measure_one(&o, 0, 2);
        optimiser_step(&o);
    }
    for (int i = 0; i < 5; i++)
        cr_expect_eq(o.organisms[i].chromosome[0], 0, "organism %d", i);
    optimiser_destroy(&o);
}

/* ---- the base ---- */

/* After a line without a gain, the sweep repeats with half the perturbation. */
Test(base, stays_and_the_perturbation_is_halved_down_to_a_hundredth)
{
    struct optimiser o = start_at(0.5, POPULATION);
    for (int t = 0; t < 16; t++) {
        double by = 0.1 / (1 << t % 7); /* 0.1 / 64, and 0.1 / 128 would be too small */
        expect_sweep(&o, middle, by, -by);
        measure_one(&o, 0, 2);
        optimiser_step(&o);
        measure_one(&o, 0, 2); /* as fit as the base is no gain */
        optimiser_step(&o);
    }
    optimiser_destroy(&o);
}

Test(base, moves_to_the_best_point_of_sweep_and_line)
{
    for (int on_line = 0; on_line < 2; on_line++) {
        struct optimiser o = start_at(0.5, POPULATION);
        double best[GENES];
        measure_one(&o, 4, 10);
        real_point(&o, 4, best);
        optimiser_step(&o);
        measure_one(&o, 1, on_line ? 20 : 9);
        if (on_line)
            real_point(&o, 1, best);
        optimiser_step(&o);
        expect_sweep(&o, best, 0.1, -0.1);
        measure_one(&o, 3, on_line ? 20 : 10); /* the new base is as fit */
        optimiser_step(&o);
        measure_one(&o, 3, 2);
        optimiser_step(&o);
        expect_sweep(&o, best, 0.05, -0.05);
        optimiser_destroy(&o);
    }
}

/* One-way slopes are taken against the base's own fitness, which a gain has changed. */
Test(base, has_the_fitness_of_the_point_that_it_moved_to)
{
    struct optimiser o = start_at(0.5, GENES);
    double base[GENES];
    measure_one(&o, 0, 10);
    optimiser_step(&o);
    real_point(&o, 1, base);
    measure_one(&o, 1, 20);
    optimiser_step(&o);
    for (int i = 0; i < GENES; i++)
        o.organisms[i].fitness = 20 - i;
    optimiser_step(&o);
    expect_line(&o, base, (double[]){0, -0.5, -1});
    optimiser_destroy(&o);
}
