/* The axis for Elo differences. */
#include "elo_axis.h"

#include <criterion/criterion.h>
#include <math.h>

static struct elo_estimate estimate(double low, double elo, double high)
{
    return (struct elo_estimate){.elo_low = low, .elo = elo, .elo_high = high};
}

Test(elo_axis, has_all_bars_and_zero)
{
    const struct elo_estimate e[] = {estimate(10, 30, 50), estimate(20, 60, 99)};
    struct elo_axis axis = elo_axis_for(e, 2);
    cr_assert_eq(axis.low, 0);
    cr_assert_eq(axis.high, 99);
    cr_assert_eq(elo_axis_beyond(&axis, 50), 0);
}

Test(elo_axis, ends_where_a_rout_would_stretch_it)
{
    const struct elo_estimate e[] = {estimate(-20, 30, 80), estimate(900, 1600, INFINITY),
                                     estimate(-INFINITY, -INFINITY, -500)};
    struct elo_axis axis = elo_axis_for(e, 3);
    cr_assert_eq(axis.low, -ELO_AXIS_MOST);
    cr_assert_eq(axis.high, ELO_AXIS_MOST);
    cr_assert_eq(elo_axis_beyond(&axis, 900), 1);
    cr_assert_eq(elo_axis_beyond(&axis, INFINITY), 1);
    cr_assert_eq(elo_axis_beyond(&axis, -INFINITY), -1);
    cr_assert_eq(elo_axis_beyond(&axis, 400), 0);
}

Test(elo_axis, pairings_without_a_game_do_not_widen_it)
{
    const struct elo_estimate e[] = {estimate(-INFINITY, 0, INFINITY), estimate(5, 10, 15)};
    struct elo_axis axis = elo_axis_for(e, 2);
    cr_assert_eq(axis.low, 0);
    cr_assert_eq(axis.high, 15);
}
