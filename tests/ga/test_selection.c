/* Who becomes a parent: each selection gives the shares that its theory says. The draws come from
 * fixed streams, so that a test passes always or never; the level is 0.1 %. */
#include "operators.h"

#include <criterion/criterion.h>
#include <gsl/gsl_cdf.h>
#include <math.h>

enum { COUNT = 8, DRAWS = 200000 };

static const double level = 0.001;

/* The probability of counts at least this far from what is expected; where 0 is expected, 0 must
 * have been seen. */
static double chi_square_p(const int *seen, const double *expected, int cells)
{
    double chi = 0;
    int degrees = -1;
    for (int i = 0; i < cells; i++) {
        if (expected[i] == 0) {
            cr_assert_eq(seen[i], 0, "cell %d is impossible, but was seen %d times", i, seen[i]);
            continue;
        }
        double d = seen[i] - expected[i];
        chi += d * d / expected[i];
        degrees++;
    }
    return degrees > 0 ? gsl_cdf_chisq_Q(chi, degrees) : 1;
}

static void set_fitness(struct organism *organisms, const int64_t *fitness, int count)
{
    for (int i = 0; i < count; i++)
        organisms[i] = (struct organism){.fitness = fitness[i]};
}

/* How often each organism is drawn from a wheel, against its probability. */
static double wheel_p(const uint64_t *wheel, const double *probability, uint64_t seed)
{
    struct stream s;
    stream_init(&s, seed, STREAM_TEST, 0, 0);
    int seen[COUNT] = {0};
    double expected[COUNT];
    for (int i = 0; i < DRAWS; i++)
        seen[wheel_draw(wheel, COUNT, &s)]++;
    for (int i = 0; i < COUNT; i++)
        expected[i] = DRAWS * probability[i];
    return chi_square_p(seen, expected, COUNT);
}

static double proportional_p(const int64_t *fitness, const double *probability, uint64_t seed)
{
    struct organism organisms[COUNT];
    uint64_t wheel[COUNT];
    set_fitness(organisms, fitness, COUNT);
    wheel_proportional(wheel, organisms, COUNT);
    return wheel_p(wheel, probability, seed);
}

static double rank_p(const int64_t *fitness, double pressure, const double *probability,
                     uint64_t seed)
{
    struct organism organisms[COUNT];
    struct rank ranking[COUNT];
    uint64_t wheel[COUNT];
    set_fitness(organisms, fitness, COUNT);
    ranking_sort(ranking, organisms, COUNT);
    wheel_rank(wheel, ranking, COUNT, pressure);
    return wheel_p(wheel, probability, seed);
}

Test(ranking, is_best_first_and_of_equals_the_lower_index_first)
{
    struct organism organisms[COUNT];
    struct rank ranking[COUNT];
    set_fitness(organisms, (int64_t[]){5, 9, 0, 9, 5, INT64_MAX, 0, 9}, COUNT);
    ranking_sort(ranking, organisms, COUNT);
    const int order[] = {5, 1, 3, 7, 0, 4, 2, 6};
    for (int i = 0; i < COUNT; i++) {
        cr_assert_eq(ranking[i].index, order[i], "place %d is %d", i, ranking[i].index);
        cr_assert_eq(ranking[i].fitness, organisms[order[i]].fitness);
    }
}

Test(proportional, shares_are_those_of_fitness)
{
    const int64_t fitness[] = {0, 1, 2, 3, 10, 0, 20, 64};
    double share[COUNT];
    for (int i = 0; i < COUNT; i++)
        share[i] = (double)fitness[i] / 100;
    cr_assert_gt(proportional_p(fitness, share, 1), level);
}

/* The test would notice: a share wrong by one part in forty is refused. */
Test(proportional, the_chi_square_test_can_fail)
{
    const int64_t fitness[] = {10, 10, 10, 10, 10, 10, 20, 20};
    const double wrong[] = {0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.205, 0.195};
    cr_assert_lt(proportional_p(fitness, wrong, 1), level);
}

Test(proportional, chances_are_even_when_all_fitness_is_0)
{
    double share[COUNT];
    for (int i = 0; i < COUNT; i++)
        share[i] = 1.0 / COUNT;
    cr_assert_gt(proportional_p((int64_t[COUNT]){0}, share, 2), level);
}

Test(proportional, the_highest_fitness_does_not_overflow)
{
    const int64_t high = (int64_t)1 << 62;
    const int64_t fitness[] = {high, high / 2, high / 4, 0, high, 1, high / 4, high};
    const double share[] = {.25, .125, .0625, 0, .25, 0, .0625, .25};
    cr_assert_gt(proportional_p(fitness, share, 3), level);
}

Test(proportional, the_largest_population_of_the_highest_fitness_does_not_overflow)
{
    static struct organism organisms[POPULATION_MAX];
    static uint64_t wheel[POPULATION_MAX];
    for (int i = 0; i < POPULATION_MAX; i++)
        organisms[i].fitness = INT64_MAX;
    wheel_proportional(wheel, organisms, POPULATION_MAX);
    cr_assert_gt(wheel[0], 0u);
    for (int i = 1; i < POPULATION_MAX; i++) {
        cr_assert_gt(wheel[i], wheel[i - 1], "the sum overflows at organism %d", i);
        cr_assert_eq(wheel[i] - wheel[i - 1], wheel[0], "organism %d", i);
    }
}

Test(proportional, ordinary_fitness_is_not_rounded)
{
    struct organism organisms[3];
    uint64_t wheel[3];
    set_fitness(organisms, (int64_t[]){((int64_t)1 << 52) - 1, 1, 0}, 3);
    wheel_proportional(wheel, organisms, 3);
    cr_assert_eq(wheel[0], ((uint64_t)1 << 52) - 1);
    cr_assert_eq(wheel[1], (uint64_t)1 << 52);
    cr_assert_eq(wheel[2], (uint64_t)1 << 52);
}

static double truncated_p(const int64_t *fitness, double deviations, const double *probability,
                          uint64_t seed)
{
    struct organism organisms[COUNT];
    uint64_t wheel[COUNT];
    set_fitness(organisms, fitness, COUNT);
    wheel_truncated(wheel, organisms, COUNT, deviations);
    return wheel_p(wheel, probability, seed);
}

/* The shares by real numbers. */
static void truncated_shares(const int64_t *fitness, double deviations, double *share)
{
    double mean = 0, variance = 0, sum = 0;
    for (int i = 0; i < COUNT; i++)
        mean += (double)fitness[i] / COUNT;
    for (int i = 0; i < COUNT; i++)
        variance += ((double)fitness[i] - mean) * ((double)fitness[i] - mean) / COUNT;
    for (int i = 0; i < COUNT; i++) {
        share[i] = fmax(0, (double)fitness[i] - mean + deviations * sqrt(variance));
        sum += share[i];
    }
    for (int i = 0; i < COUNT; i++)
        share[i] /= sum;
}

/* Mean 5, standard deviation 2: with one deviation 3 counts as 0, 9 as 6. */
Test(truncated, shares_begin_deviations_below_the_mean)
{
    const int64_t fitness[] = {2, 4, 4, 4, 5, 5, 7, 9};
    const double share[] = {0, 1. / 17, 1. / 17, 1. / 17, 2. / 17, 2. / 17, 4. / 17, 6. / 17};
    cr_assert_gt(truncated_p(fitness, 1, share, 9), level);
}

/* Mean 5, standard deviation 2.3: with half of it, all below 4 have no number of the wheel. */
Test(truncated, who_is_further_below_is_never_drawn)
{
    struct organism organisms[COUNT];
    uint64_t wheel[COUNT];
    set_fitness(organisms, (const int64_t[]){9, 2, 4, 3, 5, 7, 7, 3}, COUNT);
    wheel_truncated(wheel, organisms, COUNT, 0.5);
    for (int i = 1; i < COUNT; i++)
        cr_expect_eq(wheel[i] == wheel[i - 1], organisms[i].fitness < 4, "organism %d", i);
}

Test(truncated, shares_are_those_of_real_numbers)
{
    const int64_t fitness[] = {70, 1000000, 3, 400, 60, 600000, 50, 5};
    for (double deviations = 0.5; deviations <= 3; deviations += 0.5) {
        double share[COUNT];
        truncated_shares(fitness, deviations, share);
        cr_assert_gt(truncated_p(fitness, deviations, share, 10), level, "%g", deviations);
    }
}

/* Two that differ by 1 lie half of it, one deviation, from the mean: with one and a half deviations the
 * weights are as 1 to 5. */
Test(truncated, the_smallest_difference_is_not_rounded)
{
    const struct organism organisms[] = {{.fitness = 6}, {.fitness = 7}};
    uint64_t wheel[2];
    wheel_truncated(wheel, organisms, 2, 1.5);
    cr_assert_float_eq((double)wheel[1] / (double)wheel[0], 6, 1e-5);
}

/* Organisms that differ by little are told apart, whatever they have in common. */
Test(truncated, does_not_see_what_all_have)
{
    const int64_t common[] = {0, 1000, (int64_t)1 << 40};
    uint64_t wheels[3][COUNT];
    for (int k = 0; k < 3; k++) {
        struct organism organisms[COUNT];
        for (int i = 0; i < COUNT; i++)
            organisms[i] = (struct organism){.fitness = common[k] + i * i};
        wheel_truncated(wheels[k], organisms, COUNT, 2);
        cr_assert_arr_eq(wheels[k], wheels[0], sizeof wheels[0]);
    }
    cr_assert_gt(wheels[0][COUNT - 1] - wheels[0][COUNT - 2], 4 * wheels[0][0]);
}

Test(truncated, chances_are_even_when_all_fitness_is_equal)
{
    double share[COUNT];
    for (int i = 0; i < COUNT; i++)
        share[i] = 1.0 / COUNT;
    const int64_t most = INT64_MAX, fitness[] = {most, most, most, most, most, most, most, most};
    cr_assert_gt(truncated_p(fitness, 2, share, 11), level);
    cr_assert_gt(truncated_p((int64_t[COUNT]){0}, 2, share, 12), level);
}

/* Half of the largest population has the highest fitness, half has none: with c deviations the
 * weights are as c + 1 to c - 1. */
Test(truncated, the_largest_population_of_the_highest_fitness_does_not_overflow)
{
    static struct organism organisms[POPULATION_MAX];
    static uint64_t wheel[POPULATION_MAX];
    for (int i = 0; i < POPULATION_MAX; i++)
        organisms[i].fitness = i % 2 == 0 ? INT64_MAX : 0;
    for (int c = 2; c <= 10; c++) {
        wheel_truncated(wheel, organisms, POPULATION_MAX, c);
        double high = (double)wheel[0], low = (double)(wheel[1] - wheel[0]);
        cr_assert_float_eq(high / low, (c + 1.0) / (c - 1.0), 1e-5, "%d", c);
        cr_assert_float_eq((double)wheel[POPULATION_MAX - 1], POPULATION_MAX / 2 * (high + low), 1);
    }
}

/* Baker's line: from `pressure` for the best to 2 - pressure for the worst, per n children. */
Test(rank, shares_fall_in_a_line)
{
    const int64_t fitness[] = {70, 1000000, 3, 4, 60, 6, 50, 5}; /* places 1 0 7 6 2 4 3 5 */
    const int place[] = {1, 0, 7, 6, 2, 4, 3, 5};
    const double pressures[] = {1, 1.1, 1.5, 2};
    for (int k = 0; k < 4; k++) {
        double share[COUNT], p = pressures[k];
        for (int i = 0; i < COUNT; i++)
            share[i] = (p - 2 * (p - 1) * place[i] / (COUNT - 1)) / COUNT;
        cr_assert_gt(rank_p(fitness, p, share, 4), level, "pressure %g", p);
    }
}

Test(rank, equals_share_the_mean_of_their_places)
{
    const int64_t fitness[] = {5, 9, 5, 5, 1, 1, 5, 0};
    const double mean_place[] = {2.5, 0, 2.5, 2.5, 5.5, 5.5, 2.5, 7};
    double share[COUNT];
    for (int i = 0; i < COUNT; i++)
        share[i] = (2 - 2 * mean_place[i] / (COUNT - 1)) / COUNT;
    cr_assert_gt(rank_p(fitness, 2, share, 5), level);
}

/* The sum of all chances is n (n - 1) 2^32 whatever the ties, up to the largest population. */
Test(rank, chances_add_up_exactly)
{
    static struct organism organisms[POPULATION_MAX];
    static struct rank ranking[POPULATION_MAX];
    static uint64_t wheel[POPULATION_MAX];
    for (int i = 0; i < POPULATION_MAX; i++)
        organisms[i].fitness = i * 7919 % 1000;
    ranking_sort(ranking, organisms, POPULATION_MAX);
    for (double pressure = 1; pressure <= 2; pressure += 0.1) {
        wheel_rank(wheel, ranking, POPULATION_MAX, pressure);
        cr_assert_eq(wheel[POPULATION_MAX - 1], (uint64_t)POPULATION_MAX * (POPULATION_MAX - 1)
                                                    << 32);
    }
}

/* Of n organisms the one at place p (0 the best) wins a tournament of size t with probability
 * ((n - p)^t - (n - p - 1)^t) / n^t. */
Test(tournament, shares_are_those_of_the_best_of_several_draws)
{
    const int64_t fitness[] = {70, 1000000, 3, 4, 60, 6, 50, 5};
    const int place[] = {1, 0, 7, 6, 2, 4, 3, 5};
    struct organism organisms[COUNT];
    set_fitness(organisms, fitness, COUNT);
    for (int size = 1; size <= 5; size++) {
        struct stream s;
        stream_init(&s, 6, STREAM_TEST, 0, (uint64_t)size);
        int seen[COUNT] = {0};
        double expected[COUNT];
        for (int i = 0; i < DRAWS; i++)
            seen[tournament_draw(organisms, COUNT, size, &s)]++;
        for (int i = 0; i < COUNT; i++)
            expected[i] = DRAWS * (pow(COUNT - place[i], size) - pow(COUNT - place[i] - 1, size)) /
                          pow(COUNT, size);
        cr_assert_gt(chi_square_p(seen, expected, COUNT), level, "size %d", size);
    }
}

Test(tournament, equals_have_even_chances)
{
    struct organism organisms[COUNT];
    set_fitness(organisms, (int64_t[]){3, 3, 3, 3, 3, 3, 3, 3}, COUNT);
    struct stream s;
    stream_init(&s, 7, STREAM_TEST, 0, 0);
    int seen[COUNT] = {0};
    double expected[COUNT];
    for (int i = 0; i < DRAWS; i++)
        seen[tournament_draw(organisms, COUNT, 3, &s)]++;
    for (int i = 0; i < COUNT; i++)
        expected[i] = (double)DRAWS / COUNT;
    cr_assert_gt(chi_square_p(seen, expected, COUNT), level);
}

/* A pair is two independent draws: each of the n x n pairs has the product of the shares, the same
 * organism twice included. */
Test(parents, are_drawn_independently)
{
    const int64_t fitness[] = {1, 2, 3, 4, 5, 6, 7, 8};
    struct organism organisms[COUNT];
    uint64_t wheel[COUNT];
    set_fitness(organisms, fitness, COUNT);
    wheel_proportional(wheel, organisms, COUNT);
    int seen[COUNT * COUNT] = {0};
    double expected[COUNT * COUNT];
    for (int i = 0; i < DRAWS; i++) {
        struct stream s;
        stream_init(&s, 8, STREAM_SELECTION, (uint64_t)i / 100, (uint64_t)i % 100);
        int first = wheel_draw(wheel, COUNT, &s);
        seen[COUNT * first + wheel_draw(wheel, COUNT, &s)]++;
    }
    for (int i = 0; i < COUNT * COUNT; i++)
        expected[i] = DRAWS * (double)(fitness[i / COUNT] * fitness[i % COUNT]) / (36 * 36);
    cr_assert_gt(chi_square_p(seen, expected, COUNT * COUNT), level);
}

/* The worked values of five organisms whose better two count: log 3 - log 1 and log 3 - log 2. */
Test(recombination_weights, are_logarithmic_by_rank_and_sum_to_one)
{
    double weights[2], best = log(3), sum = 2 * log(3) - log(2);
    recombination_weights(weights, 2, 5);
    cr_assert_float_eq(weights[0], best / sum, 1e-15);
    cr_assert_float_eq(weights[1], 1 - best / sum, 1e-15);
    double many[50], total = 0;
    recombination_weights(many, 50, 100);
    for (int i = 0; i < 50; i++) {
        total += many[i];
        cr_assert(many[i] > 0 && (i == 0 || many[i] < many[i - 1]));
    }
    cr_assert_float_eq(total, 1, 1e-14);
}
