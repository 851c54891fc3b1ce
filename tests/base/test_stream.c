/* The random streams: named, repeatable, and as random as their users assume. */
#include "stream.h"

#include <criterion/criterion.h>
#include <math.h>

Test(stream, the_same_name_gives_the_same_numbers)
{
    struct stream a, b;
    stream_init(&a, 1, STREAM_TEST, 2, 3);
    stream_init(&b, 1, STREAM_TEST, 2, 3);
    for (int i = 0; i < 100; i++)
        cr_assert_eq(stream_bits(&a), stream_bits(&b));
}

Test(stream, any_part_of_the_name_changes_the_numbers)
{
    struct stream s[5];
    stream_init(&s[0], 1, STREAM_TEST, 2, 3);
    stream_init(&s[1], 2, STREAM_TEST, 2, 3);
    stream_init(&s[2], 1, STREAM_SAMPLE, 2, 3);
    stream_init(&s[3], 1, STREAM_TEST, 3, 3);
    stream_init(&s[4], 1, STREAM_TEST, 2, 4);
    uint64_t first[5];
    for (int i = 0; i < 5; i++)
        first[i] = stream_bits(&s[i]);
    for (int i = 0; i < 5; i++)
        for (int j = 0; j < i; j++)
            cr_assert_neq(first[i], first[j], "streams %d and %d", i, j);
}

/* Published output of xoshiro256** from the state {1, 2, 3, 4}. */
Test(stream, is_xoshiro256_star_star)
{
    struct stream s;
    stream_init(&s, 0, STREAM_TEST, 0, 0);
    for (int i = 0; i < 4; i++)
        s.state[i] = (uint64_t)i + 1;
    cr_assert_eq(stream_bits(&s), 11520u);
    cr_assert_eq(stream_bits(&s), 0u);
    cr_assert_eq(stream_bits(&s), 1509978240u);
}

/* Runs depend on these numbers. A machine with words of 32 bits has the same. */
Test(stream, has_the_same_numbers_on_every_machine)
{
    struct stream s;
    stream_init(&s, 1, STREAM_TEST, 2, 3);
    cr_assert_eq(stream_bits(&s), 11129443390420856579u);
    cr_assert_eq(stream_below(&s, 1000), 465u);
    cr_assert_eq(stream_below(&s, UINT64_C(1) << 40), 874131700686u);
    cr_assert_eq(stream_below(&s, UINT64_C(3) << 62), 8399221658588221853u);
    cr_assert_eq((int)(1e9 * gsl_rng_uniform(&s.rng)), 68468825);
}

Test(stream, below_stays_below_and_reaches_all)
{
    struct stream s;
    stream_init(&s, 7, STREAM_TEST, 0, 0);
    int seen[10] = {0};
    for (int i = 0; i < 10000; i++)
        seen[stream_below(&s, 10)]++;
    for (int i = 0; i < 10; i++)
        cr_assert(seen[i] > 850 && seen[i] < 1150, "%d seen %d times", i, seen[i]);
}

/* Chi-square over 64 bit places, each with the same probability: 63 degrees of freedom, 0.1 %
 * point 103.4 (Abramowitz and Stegun 26.8). */
Test(stream, masks_set_each_bit_with_the_given_probability)
{
    const double p = 0.005;
    const int draws = 200000;
    struct stream s;
    stream_init(&s, 11, STREAM_TEST, 0, 0);
    int count[64] = {0};
    for (int i = 0; i < draws; i++) {
        uint64_t mask = stream_mask(&s, probability_fixed(p));
        for (int b = 0; b < 64; b++)
            count[b] += (int)(mask >> b & 1);
    }
    double chi = 0;
    for (int b = 0; b < 64; b++) {
        double d = count[b] - p * draws;
        chi += d * d / (p * (1 - p) * draws);
    }
    cr_assert_lt(chi, 103.4 + 1.3);
    cr_assert_gt(chi, 30);
}

Test(stream, masks_of_never_and_always)
{
    struct stream s;
    stream_init(&s, 1, STREAM_TEST, 0, 0);
    cr_assert_eq(stream_mask(&s, probability_fixed(0)), 0u);
    cr_assert_eq(stream_mask(&s, probability_fixed(1)), UINT64_MAX);
}

/* All 24 orders of four numbers, each as often: 23 degrees of freedom, 0.1 % point 49.7. */
Test(stream, permutations_have_each_order_as_often)
{
    enum { COUNT = 4, DRAWS = 24000 };
    int seen[256] = {0}, orders = 0;
    double chi = 0;
    struct stream s;
    stream_init(&s, 1, STREAM_TEST, 0, 0);
    for (int i = 0; i < DRAWS; i++) {
        uint32_t order[COUNT];
        stream_permutation(&s, COUNT, order);
        seen[order[0] << 6 | order[1] << 4 | order[2] << 2 | order[3]]++;
    }
    for (int i = 0; i < 256; i++)
        if (seen[i] > 0) {
            orders++;
            chi += pow(seen[i] - DRAWS / 24.0, 2) / (DRAWS / 24.0);
        }
    cr_assert_eq(orders, 24, "%d orders", orders);
    cr_assert_lt(chi, 49.7, "%g", chi);
}
