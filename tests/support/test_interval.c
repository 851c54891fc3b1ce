/* Wilson's interval: against published values, and as an interval should behave. */
#include "interval.h"

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

Test(interval, ends_are_exact_and_symmetric)
{
    struct interval none = interval_wilson(0, 50, 0.95), all = interval_wilson(50, 50, 0.95);
    cr_assert_eq(none.low, 0.0);
    cr_assert_eq(all.high, 1.0);
    cr_assert(fabs(none.high - (1 - all.low)) < 1e-12);
}

Test(interval, of_nothing_is_everything)
{
    struct interval i = interval_wilson(0, 0, 0.95);
    cr_assert_eq(i.low, 0.0);
    cr_assert_eq(i.high, 1.0);
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
