/* Axes: round steps, and what lies far beyond the range of interest is compressed. */
#include "canvas.h"

#include <criterion/criterion.h>
#include <math.h>

Test(scale, axes_have_round_steps)
{
    static const struct {
        double low, high, from, to, step;
        int decimals;
    } cases[] = {{18.4, 31.2, 18, 32, 2, 0},
                 {7.7, 9.9, 7.5, 10, 0.5, 1},
                 {0, 1, 0, 1, 0.2, 1},
                 {-3, 11, -4, 12, 2, 0},
                 {30.01, 30.07, 30.01, 30.07, 0.01, 2}};
    for (int i = 0; i < 5; i++) {
        const struct scale s = scale_for(cases[i].low, cases[i].high, 6);
        cr_assert_float_eq(s.low, cases[i].from, 1e-9, "case %d begins at %g", i, s.low);
        cr_assert_float_eq(s.high, cases[i].to, 1e-9, "case %d ends at %g", i, s.high);
        cr_assert_float_eq(s.step, cases[i].step, 1e-9, "case %d has steps of %g", i, s.step);
        cr_assert_eq(s.decimals, cases[i].decimals, "case %d", i);
    }
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

Test(scale, what_lies_far_from_the_values_of_interest_gets_a_strip)
{
    const struct scale below = scale_broken(2, 33, 25, 33, 6),
                       above = scale_broken(100, 900, 100, 200, 6);
    double gap[2], ticks[SCALE_TICKS];
    cr_assert(below.side == BROKEN_BELOW && above.side == BROKEN_ABOVE);
    cr_assert(below.end <= 2 && above.end >= 900);
    scale_gap(&below, gap);
    cr_assert_float_eq(scale_place(&below, below.high), 1, 1e-9);
    cr_assert_float_eq(scale_place(&below, below.low), gap[1], 1e-9);
    cr_assert_float_eq(scale_place(&below, below.end), 0, 1e-9);
    cr_assert_gt(scale_place(&below, 33) - scale_place(&below, 25), 0.7, "most is of interest");
    cr_assert_eq(ticks[scale_ticks(&below, ticks) - 1], below.end);
    scale_gap(&above, gap);
    cr_assert_float_eq(scale_place(&above, above.low), 0, 1e-9);
    cr_assert_float_eq(scale_place(&above, above.high), gap[0], 1e-9);
    cr_assert_float_eq(scale_place(&above, above.end), 1, 1e-9);
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
