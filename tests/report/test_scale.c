/* Axes: round steps, and what lies far beyond the range of interest is compressed. */
#include "canvas.h"

#include <criterion/criterion.h>
#include <math.h>

static void expect_scale(double low, double high, double from, double to, double step, int decimals)
{
    struct scale s = scale_for(low, high, 6);
    cr_assert_float_eq(s.low, from, 1e-9, "%g to %g begins at %g", low, high, s.low);
    cr_assert_float_eq(s.high, to, 1e-9, "%g to %g ends at %g", low, high, s.high);
    cr_assert_float_eq(s.step, step, 1e-9, "%g to %g has steps of %g", low, high, s.step);
    cr_assert_eq(s.decimals, decimals, "%g to %g has %d decimals", low, high, s.decimals);
}

Test(scale, axes_have_round_steps)
{
    expect_scale(18.4, 31.2, 18, 32, 2, 0);
    expect_scale(7.7, 9.9, 7.5, 10, 0.5, 1);
    expect_scale(0, 1, 0, 1, 0.2, 1);
    expect_scale(-3, 11, -4, 12, 2, 0);
    expect_scale(30.01, 30.07, 30.01, 30.07, 0.01, 2);
}

Test(scale, values_all_alike_still_have_an_axis)
{
    struct scale s = scale_for(30, 30, 6), zero = scale_for(0, 0, 6),
                 none = scale_for(INFINITY, -INFINITY, 6);
    cr_assert(s.low < 30 && 30 < s.high);
    cr_assert(zero.low <= 0 && 0 < zero.high);
    cr_assert(isfinite(none.low) && none.low < none.high);
}

Test(scale, generations_end_at_the_last_and_cells_have_their_ticks_in_the_middle)
{
    struct scale s = scale_to(24, 10), one = scale_to(0, 10), cells = scale_cells(29, 5);
    cr_assert_float_eq(scale_place(&s, 24), 1, 1e-12);
    cr_assert_float_eq(s.step, 2, 1e-12);
    cr_assert_float_eq(scale_place(&one, 0), 0.5, 1e-12, "a single one is in the middle");
    double ticks[SCALE_TICKS];
    cr_assert_eq(scale_ticks(&one, ticks), 1, "and no other is on the axis");
    cr_assert_eq(scale_ticks(&cells, ticks), 6);
    cr_assert_eq(ticks[5], 25);
    cr_assert_float_eq(scale_place(&cells, 29), 29.5 / 30, 1e-12);
}

Test(scale, a_steep_start_gets_a_strip_below)
{
    const struct scale s = scale_broken(2, 33, 25, 33, 6);
    double gap[2], ticks[SCALE_TICKS];
    cr_assert_eq(s.side, BROKEN_BELOW);
    scale_gap(&s, gap);
    cr_assert_float_eq(scale_place(&s, s.high), 1, 1e-9);
    cr_assert_float_eq(scale_place(&s, s.low), gap[1], 1e-9);
    cr_assert_float_eq(scale_place(&s, s.end), 0, 1e-9);
    cr_assert_leq(s.end, 2);
    cr_assert_gt(scale_place(&s, 33) - scale_place(&s, 25), 0.7, "most is for what is of interest");
    cr_assert_eq(ticks[scale_ticks(&s, ticks) - 1], s.end);
}

Test(scale, falling_values_get_it_above)
{
    const struct scale s = scale_broken(100, 900, 100, 200, 6);
    double gap[2];
    cr_assert_eq(s.side, BROKEN_ABOVE);
    scale_gap(&s, gap);
    cr_assert_float_eq(scale_place(&s, s.low), 0, 1e-9);
    cr_assert_float_eq(scale_place(&s, s.high), gap[0], 1e-9);
    cr_assert_float_eq(scale_place(&s, s.end), 1, 1e-9);
    cr_assert_geq(s.end, 900);
}

Test(scale, places_rise_with_values_and_stay_inside)
{
    const struct scale s = scale_broken(2, 33, 25, 33, 6);
    double last = -1;
    for (double value = s.end; value <= s.high; value += 0.5) {
        cr_assert_gt(scale_place(&s, value), last, "%g", value);
        last = scale_place(&s, value);
    }
    cr_assert_eq(scale_place(&s, -1000), 0);
    cr_assert_eq(scale_place(&s, 1000), 1);
    cr_assert_not(isnan(scale_place(&s, NAN)));
}

Test(scale, a_small_gain_is_not_worth_a_break)
{
    cr_assert_eq(scale_broken(20, 33, 24, 33, 6).side, NOT_BROKEN);
    cr_assert_eq(scale_broken(5, 5, 5, 5, 6).side, NOT_BROKEN);
    cr_assert_eq(scale_broken(INFINITY, -INFINITY, INFINITY, -INFINITY, 6).side, NOT_BROKEN);
}

Test(scale, numbers_below_zero_have_a_minus)
{
    const struct scale s = scale_for(-1, 1, 4);
    char text[SCALE_TEXT];
    cr_assert_str_eq(scale_text(&s, -0.5, text), "\xe2\x88\x92"
                                                 "0.5");
    cr_assert_str_eq(scale_text(&s, -1e-9, text), "0.0");
}
