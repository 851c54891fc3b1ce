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

Test(format, nouns_agree_with_their_counts)
{
    char text[COUNTED_MAX];
    expect(format_things(0, "game", text), "0 games");
    expect(format_things(1, "game", text), "1 game");
    expect(format_things(12345, "game", text), "12,345 games");
    expect(format_things(INT64_MIN, "position", text), "-9,223,372,036,854,775,808 positions");
}

Test(format, a_run_of_one_generation_has_no_last)
{
    char text[FORMAT_MAX];
    expect(format_generation(3, 200, text), "3 of 200");
    expect(format_generation(0, 1, text), "0 of 1");
    expect(format_generation(0, 0, text), "0");
}

Test(format, a_chance_below_a_threshold_looks_so)
{
    char text[FORMAT_MAX];
    expect(format_chance(0, text), "< 2 %");
    expect(format_chance(0.01999, text), "< 2 %");
    expect(format_chance(0.02, text), "2.0 %");
    expect(format_chance(0.0497, text), "4.9 %");
    expect(format_chance(0.04999, text), "4.9 %");
    expect(format_chance(0.05, text), "5.0 %");
    expect(format_chance(0.09999, text), "9.9 %");
    expect(format_chance(0.1, text), "10 %");
    expect(format_chance(0.376, text), "38 %");
    expect(format_chance(1, text), "100 %");
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

Test(format, progress_says_what_there_is)
{
    char text[FORMAT_MAX];
    cr_assert_str_eq(format_progress("", true, 200, 200, text), "complete, 200 generations");
    cr_assert_str_eq(format_progress("", true, 1, 1, text), "complete, 1 generation");
    cr_assert_str_eq(format_progress("", true, 0, 0, text), "complete, generation 0 only");
    cr_assert_str_eq(format_progress("stopped", false, 0, 3, text),
                     "stopped after generation 0 of 3");
}
