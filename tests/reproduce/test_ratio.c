/* The geometric mean of ratios and its interval. */
#include "ratio.h"

#include "stream.h"

#include <criterion/criterion.h>
#include <math.h>

static void expect_near(double value, double expected, double by)
{
    cr_expect(fabs(value - expected) <= by, "%g, not %g", value, expected);
}

Test(ratio, of_equal_ratios_is_that_ratio)
{
    const double logs[] = {log(1.5), log(1.5), log(1.5)};
    const struct ratio r = ratio_of_logs(logs, 3);
    expect_near(r.mean, 1.5, 1e-9);
    expect_near(r.low, 1.5, 1e-9);
    expect_near(r.high, 1.5, 1e-9);
    cr_expect(ratio_of_logs(logs, 0).mean == 0 && ratio_of_logs(logs, 0).high == 0);
}

/* A half and twice cancel; one great ratio counts with its logarithm alone. */
Test(ratio, is_geometric)
{
    const double logs[] = {log(0.5), log(2), log(16), log(1)};
    const struct ratio r = ratio_of_logs(logs, 4);
    expect_near(r.mean, 2, 1e-9);
    cr_expect(0.5 <= r.low && r.low < r.mean && r.mean < r.high && r.high <= 16);
}

/* Beside the normal approximation, which is good for so many. */
Test(ratio, interval_is_that_of_a_mean)
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
