/* Numbers for people: what they read is what was meant. */
#include "format.h"

#include <criterion/criterion.h>

static void expect(const char *found, const char *expected)
{
    cr_assert_str_eq(found, expected, "'%s' in place of '%s'", found, expected);
}

Test(format, counts_have_commas)
{
    char text[FORMAT_MAX];
    expect(format_count(0, text), "0");
    expect(format_count(999, text), "999");
    expect(format_count(1000, text), "1,000");
    expect(format_count(1234567, text), "1,234,567");
    expect(format_count(-123, text), "-123");
    expect(format_count(-1234, text), "-1,234");
    expect(format_count(INT64_MIN, text), "-9,223,372,036,854,775,808");
}

Test(format, durations_take_two_units_at_most)
{
    char text[FORMAT_MAX];
    expect(format_duration(0.0304, text), "30 ms");
    expect(format_duration(1.44, text), "1.4 s");
    expect(format_duration(9.96, text), "10 s");
    expect(format_duration(59.4, text), "59 s");
    expect(format_duration(59.6, text), "1 min 00 s");
    expect(format_duration(3599, text), "59 min 59 s");
    expect(format_duration(3600 + 120, text), "1 h 02 min");
    expect(format_duration(86400 + 7200, text), "1 d 2 h");
}

Test(format, measures_have_their_share_and_its_interval)
{
    char text[FORMAT_MAX];
    expect(format_measure(1491, 5000, text), "1,491 of 5,000   29.82 %  (28.57 to 31.10)");
    expect(format_measure(123456, 0, text), "123,456"); /* out of nothing: nodes, say */
    expect(format_measure(7, 5, text), "7");            /* nonsense of a damaged file */
    expect(format_share(1491, 5000, text), "29.82 %");
    expect(format_share(1234.56, 0, text), "1234.6");
}

Test(format, each_unit_has_its_form)
{
    char text[FORMAT_MAX];
    cr_assert_str_eq(format_brief(UNIT_SHARE, 1622, 5000, text), "32.44 %");
    cr_assert_str_eq(format_brief(UNIT_NODES, 219345678, 879, text), "219.35 M nodes");
    cr_assert_str_eq(format_brief(UNIT_NODES, 4535, 15, text), "4,535 nodes");
    cr_assert_str_eq(format_brief(UNIT_LOG_NODES, 10 * 1024 * 7, 7, text),
                     "geometric mean 1,024 nodes");
    cr_assert_str_eq(format_full(UNIT_SHARE, 0, 0, text), "0");
    cr_assert_str_eq(format_full(UNIT_NODES, 219345678, 879, text),
                     "219,345,678   249,540 a position");
    cr_assert_str_eq(format_full(UNIT_LOG_NODES, 10 * 1024 * 7 + 512 * 7, 7, text),
                     "75,264   geometric mean 1,448 nodes a position");
    cr_assert_str_eq(format_note(UNIT_NODES), "");
}
