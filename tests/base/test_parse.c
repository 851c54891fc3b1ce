/* Text into numbers: the whole text or nothing. */
#include "parse.h"

#include <criterion/criterion.h>

Test(parse, whole_numbers)
{
    int64_t n;
    cr_assert(parse_int64("0", &n) && n == 0);
    cr_assert(parse_int64("-17", &n) && n == -17);
    cr_assert(parse_int64("+17", &n) && n == 17);
    cr_assert(parse_int64("007", &n) && n == 7);
    cr_assert(parse_int64("9223372036854775807", &n) && n == INT64_MAX);
    cr_assert(parse_int64("-9223372036854775808", &n) && n == INT64_MIN);
}

Test(parse, what_is_no_whole_number)
{
    static const char *const wrong[] = {
        "",     " 1", "1 ", "1x", "0x10", "1e3", "1.0", "-", "+-1", "1-1", "9223372036854775808",
        "1,000"};
    int64_t n;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        cr_expect_not(parse_int64(wrong[i], &n), "'%s'", wrong[i]);
}

Test(parse, real_numbers)
{
    double x;
    cr_assert(parse_double("0.75", &x));
    cr_assert_float_eq(x, 0.75, 0);
    cr_assert(parse_double("-1e-3", &x));
    cr_assert_float_eq(x, -1e-3, 0);
    cr_assert(parse_double(".5", &x));
    cr_assert_float_eq(x, 0.5, 0);
}

Test(parse, what_is_no_real_number)
{
    static const char *const wrong[] = {"",   " 1",   "1 ",    "nan", "inf", "-inf", "0x1p",
                                        "1e", "1..2", "1e999", "1,5", "one", ".",    "e5"};
    double x;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        cr_expect_not(parse_double(wrong[i], &x), "'%s'", wrong[i]);
}

Test(parse, time_controls)
{
    static const char *const wrong[] = {"",     "+",      "+1",     "0",   "0.0001", "-1",
                                        "8+-1", "8+0.1s", "8+0.1+", "8 +", "40/8",   "1000001"};
    int64_t time, increment;
    cr_assert(parse_clock("8+0.08", &time, &increment) && time == 8000 && increment == 80);
    cr_assert(parse_clock("0.2", &time, &increment) && time == 200 && increment == 0);
    cr_assert(parse_clock("60+0", &time, &increment) && time == 60000 && increment == 0);
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        cr_expect_not(parse_clock(wrong[i], &time, &increment), "'%s'", wrong[i]);
}
