/* Intervals and tests against published values, sums done by hand, and as they should behave. */
#include "statistics.h"

#include "stream.h"

#include <criterion/criterion.h>
#include <math.h>

static void expect(int64_t hits, int64_t total, double low, double high)
{
    struct interval i = interval_wilson(hits, total, 0.95);
    cr_assert(fabs(i.share - (double)hits / (double)total) < 1e-15);
    cr_assert(fabs(i.low - low) < 5e-5, "%lld of %lld: low %f", (long long)hits, (long long)total,
              i.low);
    cr_assert(fabs(i.high - high) < 5e-5, "%lld of %lld: high %f", (long long)hits,
              (long long)total, i.high);
}

/* Newcombe (1998), table I, method 3. */
Test(interval, agrees_with_published_values)
{
    expect(81, 263, 0.2553, 0.3662);
    expect(15, 148, 0.0624, 0.1605);
    expect(0, 20, 0.0000, 0.1611);
    expect(1, 29, 0.0061, 0.1718);
}

Test(interval, ends_are_exact_and_symmetric_and_of_nothing_everything)
{
    const struct interval none = interval_wilson(0, 50, 0.95), all = interval_wilson(50, 50, 0.95),
                          nothing = interval_wilson(0, 0, 0.95);
    cr_assert(none.low == 0 && all.high == 1 && nothing.low == 0 && nothing.high == 1);
    cr_assert(fabs(none.high - (1 - all.low)) < 1e-12);
}

Test(interval, holds_the_share_and_narrows_with_more_data)
{
    double width = 2;
    for (int64_t n = 10; n <= 1000000; n *= 10) {
        struct interval i = interval_wilson(3 * n / 10, n, 0.95);
        cr_assert(i.low < i.share && i.share < i.high);
        cr_assert(i.high - i.low < width);
        width = i.high - i.low;
        cr_assert(interval_wilson(3 * n / 10, n, 0.99).high > i.high);
    }
}

/* Of the 2^n ways, those as extreme on either side; 1 where there is no difference. */
Test(sign_test, counts_the_ways)
{
    static const struct {
        int64_t a, b;
        double p;
    } cases[] = {{0, 5, 2.0 / 32},
                 {5, 0, 2.0 / 32},
                 {1, 5, 2.0 * (1 + 6) / 64},
                 {2, 8, 2.0 * (1 + 10 + 45) / 1024},
                 {5, 15, 2.0 * (1 + 20 + 190 + 1140 + 4845 + 15504) / 1048576},
                 {0, 0, 1},
                 {7, 7, 1},
                 {3, 4, 1},
                 {0, 1, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        cr_expect_float_eq(sign_test(cases[i].a, cases[i].b), cases[i].p, 1e-12, "case %zu", i);
}

/* 500 of 1,000 expected, with a deviation of sqrt(1000) / 2: with its correction for continuity the
 * normal approximation has p = 0.0437 at 468. */
Test(sign_test, of_many_is_as_the_normal_distribution)
{
    double normal = erfc((532 - 0.5 - 500) / (sqrt(1000) / 2) / sqrt(2));
    cr_expect_float_eq(sign_test(532, 468), normal, 1e-3);
}

/* With a power of 80 % and the level of 5 %, z is 0.8416 and 1.9600. */
Test(sign_test_positions, are_those_of_the_formula)
{
    double root = 1.959964 * sqrt(0.2) + 0.841621 * sqrt(0.2 - 0.01);
    cr_expect_float_eq(sign_test_positions(0.2, 0.1), ceil(root * root / 0.01), 0);
    cr_expect_eq(sign_test_positions(0.2, 0.1), 155);
    cr_expect_gt(sign_test_positions(0.1, 0.01), 100 * sign_test_positions(0.1, 0.1));
}

/* A test of as many simulated positions detects the difference in 80 of 100. */
Test(sign_test_positions, give_the_power)
{
    const double discordant = 0.2, difference = 0.06;
    int n = (int)sign_test_positions(discordant, difference), detected = 0;
    unsigned long long state = 1;
    for (int trial = 0; trial < 4000; trial++) {
        int64_t a = 0, b = 0;
        for (int i = 0; i < n; i++) {
            state = state * 6364136223846793005ULL + 1442695040888963407ULL;
            double u = (double)(state >> 11) / 9007199254740992.0;
            a += u < (discordant + difference) / 2;
            b += u >= (discordant + difference) / 2 && u < discordant;
        }
        detected += sign_test(a, b) < 0.05;
    }
    cr_expect(detected > 4000 * 0.75 && detected < 4000 * 0.83, "%d of 4000", detected);
}

Test(ranks, of_equals_are_shared)
{
    const int64_t numbers[] = {30, 10, 20, 20, 40};
    double ranks[5];
    rank_numbers(numbers, 5, ranks);
    const double expected[] = {4, 1, 2.5, 2.5, 5};
    for (int i = 0; i < 5; i++)
        cr_assert_float_eq(ranks[i], expected[i], 0);
}

/* Of the 20 ways to deal six numbers out to three and three, two are as extreme as this one. */
Test(rank_sum, of_small_samples_counts_the_ways)
{
    const int64_t low[] = {1, 2, 3}, high[] = {4, 5, 6}, mixed[] = {1, 4, 6}, others[] = {2, 3, 5};
    cr_assert_float_eq(rank_sum_test(low, 3, high, 3), 2.0 / 20, 1e-12);
    cr_assert_float_eq(rank_sum_test(high, 3, low, 3), 2.0 / 20, 1e-12);
    cr_assert_float_eq(rank_sum_test(mixed, 3, others, 3), 1, 1e-12);
    cr_assert_float_eq(rank_sum_test(low, 2, high, 2), 2.0 / 6, 1e-12);
}

/* U = 23 is the two-sided 5 per cent limit of ten and ten (Mann and Whitney's tables): there the
 * probability is 0.0433, and beyond it 0.0524. */
Test(rank_sum, of_ten_and_ten_has_the_limit_of_the_tables)
{
    for (int u = 23; u <= 24; u++) {
        /* b is even; two of a lie above all of b, one above u - 20 of them, the others below. */
        int64_t a[10], b[10];
        for (int i = 0; i < 10; i++) {
            a[i] = i < 7 ? -1 - i : 100 + i;
            b[i] = 2 * i;
        }
        a[7] = 2 * (u - 20) - 1;
        double p = rank_sum_test(a, 10, b, 10);
        cr_assert_float_eq(p, u == 23 ? 0.0433 : 0.0524, 5e-5, "U %d: %g", u, p);
    }
}

Test(rank_sum, of_nothing_or_of_equals_tells_nothing)
{
    const int64_t ones[] = {1, 1, 1};
    cr_assert_float_eq(rank_sum_test(ones, 3, ones, 3), 1, 1e-12);
    cr_assert_float_eq(rank_sum_test(ones, 0, ones, 3), 1, 0);
}

/* Where there is no difference, about one test in twenty finds one at the 5 per cent level, and no
 * more. */
Test(rank_sum, is_as_often_wrong_as_it_says)
{
    int wrong = 0;
    for (uint64_t round = 0; round < 2000; round++) {
        struct stream s;
        int64_t a[8], b[10];
        stream_init(&s, 1, STREAM_TEST, round, 0);
        for (int i = 0; i < 8; i++)
            a[i] = (int64_t)stream_below(&s, 30);
        for (int i = 0; i < 10; i++)
            b[i] = (int64_t)stream_below(&s, 30);
        wrong += rank_sum_test(a, 8, b, 10) <= 0.05;
    }
    cr_assert(wrong > 60 && wrong < 120, "%d of 2000", wrong);
}

Test(rank_sum, takes_the_largest_samples)
{
    int64_t a[RANK_SUM_MAX], b[RANK_SUM_MAX];
    for (int i = 0; i < RANK_SUM_MAX; i++) {
        a[i] = i;
        b[i] = i + 1;
    }
    double p = rank_sum_test(a, RANK_SUM_MAX, b, RANK_SUM_MAX);
    cr_assert(p > 0.7 && p < 0.8, "%g", p);
}

/* The example of Holm's procedure: sorted, times 4, 3, 2 and 1, and never falling. */
Test(holm, multiplies_by_the_tests_that_are_left)
{
    double p[] = {0.04, 0.01, 0.03, 0.005};
    holm_adjust(p, 4);
    const double expected[] = {0.06, 0.03, 0.06, 0.02};
    for (int i = 0; i < 4; i++)
        cr_assert_float_eq(p[i], expected[i], 1e-12, "%d: %g", i, p[i]);
    double large[] = {0.9, 0.8};
    holm_adjust(large, 2);
    cr_assert_float_eq(large[0], 1, 0);
    holm_adjust(large, 0);
}
