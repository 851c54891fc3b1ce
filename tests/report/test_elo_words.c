/* Elo in words: signs, rounding, what is infinite, and what an interval says. */
#include "elo_words.h"

#include <criterion/criterion.h>
#include <math.h>

#define MINUS "\xe2\x88\x92"
#define NBSP  "\xc2\xa0"

static void expect_signed(double elo, int decimals, const char *expected)
{
    char text[FORMAT_MAX];
    cr_assert_str_eq(elo_signed(elo, decimals, text), expected);
}

Test(elo_words, differences_have_a_sign_unless_they_are_nothing)
{
    expect_signed(61.24, 1, "+61.2");
    expect_signed(-20.5001, 0, MINUS "21");
    expect_signed(0.04, 1, "0.0");
    expect_signed(-0.04, 1, "0.0");
    expect_signed(-0.06, 1, MINUS "0.1");
    expect_signed(INFINITY, 0, "+∞");
    expect_signed(-INFINITY, 1, MINUS "∞");
}

Test(elo_words, ranges_may_have_one_end_or_none)
{
    char text[FORMAT_MAX];
    const struct elo_estimate both = {.elo_low = -3.2, .elo_high = 12},
                              one = {.elo_low = 40, .elo_high = INFINITY},
                              none = {.elo_low = -INFINITY, .elo_high = INFINITY};
    cr_assert_str_eq(elo_range(&both, 1, text), MINUS "3.2 to +12.0");
    cr_assert_str_eq(elo_range(&one, 0, text), "+40 to +∞");
    cr_assert_str_eq(elo_range(&none, 0, text), "–");
}

Test(elo_words, no_chance_is_said_to_be_certain)
{
    char text[FORMAT_MAX];
    cr_assert_str_eq(elo_chance(0.8214, text), "82.1" NBSP "%");
    cr_assert_str_eq(elo_chance(1, text), ">" NBSP "99.9" NBSP "%");
    cr_assert_str_eq(elo_chance(0.0004, text), "<" NBSP "0.1" NBSP "%");
}

Test(elo_words, only_an_interval_beside_zero_is_a_verdict)
{
    const struct elo_estimate open = {.elo_low = -1, .elo_high = 30},
                              ahead = {.elo_low = 0.1, .elo_high = INFINITY},
                              behind = {.elo_low = -9, .elo_high = -0.1};
    cr_assert_eq(elo_verdict(&open), ELO_OPEN);
    cr_assert_eq(elo_verdict(&ahead), ELO_AHEAD);
    cr_assert_eq(elo_verdict(&behind), ELO_BEHIND);
    cr_assert_str_eq(elo_verdict_class(ELO_BEHIND), "behind");
}
