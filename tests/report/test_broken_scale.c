/* Axes that compress what lies far beyond the range of interest. */
#include "broken_scale.h"

#include <criterion/criterion.h>
#include <math.h>

static double place(const struct broken_scale *s, double value)
{
    return broken_scale_place(s, value);
}

Test(broken_scale, a_steep_start_gets_a_strip_below)
{
    const struct broken_scale s = broken_scale_for(2, 33, 25, 33, 6);
    double gap[2];
    cr_assert_eq(s.side, BROKEN_BELOW);
    broken_scale_gap(&s, gap);
    cr_assert_float_eq(place(&s, s.main.high), 1, 1e-9);
    cr_assert_float_eq(place(&s, s.main.low), gap[1], 1e-9);
    cr_assert_float_eq(place(&s, s.end), 0, 1e-9);
    cr_assert_leq(s.end, 2);
    cr_assert_gt(place(&s, 33) - place(&s, 25), 0.7, "the range of interest has most of the axis");
}

Test(broken_scale, falling_values_get_it_above)
{
    const struct broken_scale s = broken_scale_for(100, 900, 100, 200, 6);
    double gap[2];
    cr_assert_eq(s.side, BROKEN_ABOVE);
    broken_scale_gap(&s, gap);
    cr_assert_float_eq(place(&s, s.main.low), 0, 1e-9);
    cr_assert_float_eq(place(&s, s.main.high), gap[0], 1e-9);
    cr_assert_float_eq(place(&s, s.end), 1, 1e-9);
    cr_assert_geq(s.end, 900);
}

Test(broken_scale, places_rise_with_values_and_stay_inside)
{
    const struct broken_scale s = broken_scale_for(2, 33, 25, 33, 6);
    double last = -1;
    for (double value = s.end; value <= s.main.high; value += 0.5) {
        cr_assert_gt(place(&s, value), last, "%g", value);
        last = place(&s, value);
    }
    cr_assert_eq(place(&s, -1000), 0);
    cr_assert_eq(place(&s, 1000), 1);
    cr_assert_not(isnan(place(&s, NAN)));
}

Test(broken_scale, a_small_gain_is_not_worth_a_break)
{
    cr_assert_eq(broken_scale_for(20, 33, 24, 33, 6).side, NOT_BROKEN);
    cr_assert_eq(broken_scale_for(5, 5, 5, 5, 6).side, NOT_BROKEN);
    cr_assert_eq(broken_scale_for(INFINITY, -INFINITY, INFINITY, -INFINITY, 6).side, NOT_BROKEN);
}

Test(broken_scale, ticks_have_the_end_of_the_strip)
{
    const struct broken_scale s = broken_scale_for(2, 33, 25, 33, 6);
    double ticks[BROKEN_TICKS];
    int count = broken_scale_ticks(&s, ticks);
    cr_assert_geq(count, 5);
    cr_assert_eq(ticks[0], s.main.low);
    cr_assert_eq(ticks[count - 1], s.end);
}
