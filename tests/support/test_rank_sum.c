/* Ranks, the exact rank-sum test against published values, and the adjustment for many tests. */
#include "rank_sum.h"

#include "stream.h"

#include <criterion/criterion.h>

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
