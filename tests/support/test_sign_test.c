/* McNemar's exact test against sums of binomial coefficients done by hand, and the size of a suite. */
#include "sign_test.h"

#include <criterion/criterion.h>
#include <math.h>

/* Of the 2^n ways, those as extreme on either side. */
Test(sign_test, counts_the_ways)
{
    cr_expect_float_eq(sign_test(0, 5), 2.0 / 32, 1e-12);
    cr_expect_float_eq(sign_test(5, 0), 2.0 / 32, 1e-12);
    cr_expect_float_eq(sign_test(1, 5), 2.0 * (1 + 6) / 64, 1e-12);
    cr_expect_float_eq(sign_test(2, 8), 2.0 * (1 + 10 + 45) / 1024, 1e-12);
    cr_expect_float_eq(sign_test(5, 15), 2.0 * (1 + 20 + 190 + 1140 + 4845 + 15504) / 1048576,
                       1e-12);
}

Test(sign_test, is_1_where_there_is_no_difference)
{
    cr_expect_float_eq(sign_test(0, 0), 1, 1e-12);
    cr_expect_float_eq(sign_test(7, 7), 1, 1e-12);
    cr_expect_float_eq(sign_test(3, 4), 1, 1e-12);
    cr_expect_float_eq(sign_test(0, 1), 1, 1e-12);
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
