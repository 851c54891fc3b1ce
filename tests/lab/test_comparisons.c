/* The geometric mean of ratios and its interval; verdicts beside a control: each of the answers is
 * possible. */
#include "comparisons.h"

#include "stream.h"

#include <criterion/criterion.h>
#include <math.h>

static void expect_near(double value, double expected, double by)
{
    cr_expect(fabs(value - expected) <= by, "%g, not %g", value, expected);
}

Test(statistics, a_ratio_of_equal_ratios_is_that_ratio)
{
    const double logs[] = {log(1.5), log(1.5), log(1.5)};
    const struct ratio r = ratio_of_logs(logs, 3);
    expect_near(r.mean, 1.5, 1e-9);
    expect_near(r.low, 1.5, 1e-9);
    expect_near(r.high, 1.5, 1e-9);
    cr_expect(ratio_of_logs(logs, 0).mean == 0 && ratio_of_logs(logs, 0).high == 0);
}

/* A half and twice cancel; one great ratio counts with its logarithm alone. */
Test(statistics, a_ratio_is_geometric)
{
    const double logs[] = {log(0.5), log(2), log(16), log(1)};
    const struct ratio r = ratio_of_logs(logs, 4);
    expect_near(r.mean, 2, 1e-9);
    cr_expect(0.5 <= r.low && r.low < r.mean && r.mean < r.high && r.high <= 16);
}

/* Beside the normal approximation, which is good for so many. */
Test(statistics, a_ratios_interval_is_that_of_a_mean)
{
    enum { COUNT = 400 };
    double logs[COUNT], sum = 0, squares = 0;
    struct stream s;
    stream_init(&s, 1, STREAM_TEST, 0, 0);
    for (int i = 0; i < COUNT; i++) {
        logs[i] = (double)stream_below(&s, 1000) / 1000;
        sum += logs[i];
        squares += logs[i] * logs[i];
    }
    const double mean = sum / COUNT, error = sqrt((squares / COUNT - mean * mean) / COUNT);
    const struct ratio r = ratio_of_logs(logs, COUNT), again = ratio_of_logs(logs, COUNT);
    expect_near(log(r.mean), mean, 1e-9);
    expect_near(log(r.low), mean - 1.96 * error, 0.2 * error);
    expect_near(log(r.high), mean + 1.96 * error, 0.2 * error);
    cr_expect(r.low == again.low && r.high == again.high, "the same draws each time");
}

static const double low[] = {1, 2, 3}, high[] = {4, 5, 6}, mixed[] = {2, 3.5, 4};

Test(statistics, all_must_be_below_the_control)
{
    cr_expect_str_eq(verdict_below(low, high, 3), "Holds");
    cr_expect_str_eq(verdict_below(low, mixed, 3), "Holds only in part");
    cr_expect_str_eq(verdict_below(mixed, high, 3), "Holds only in part");
    cr_expect_str_eq(verdict_below(high, low, 3), "Does not hold");
    cr_expect_str_eq(verdict_below(low, low, 3), "Does not hold");
}

/* A mean of 0.5 with a standard error of 0.02, and random genes at 0.8 or at 0.53. */
Test(statistics, a_range_needs_a_control_elsewhere)
{
    cr_expect_str_eq(verdict_within(0.5, 0.02, 0.4, 0.6, 0.8), "Holds");
    cr_expect_str_eq(verdict_within(0.39, 0.02, 0.4, 0.6, 0.8), "Does not hold");
    cr_expect_str_eq(verdict_within(0.61, 0.02, 0.4, 0.6, 0.8), "Does not hold");
    cr_expect_str_eq(verdict_within(0.5, 0.02, 0.4, 0.6, 0.53), "Not shown");
}

/* Standard deviations of 3 and 4 over four runs: the standard error of the difference is 2.5. */
Test(statistics, above_is_by_two_standard_errors_of_the_difference)
{
    const struct spread controls = {50, 4};
    cr_expect(spread_is_above((struct spread){55.1, 3}, controls, 4));
    cr_expect_not(spread_is_above((struct spread){54.9, 3}, controls, 4));
    cr_expect_not(spread_is_above((struct spread){44, 3}, controls, 4));
}
