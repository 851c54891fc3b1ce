/* Verdicts beside a control: each of the answers is possible. */
#include "control.h"

#include <criterion/criterion.h>

static const double low[] = {1, 2, 3}, high[] = {4, 5, 6}, mixed[] = {2, 3.5, 4};

Test(control, holds_where_all_are_below)
{
    cr_expect_str_eq(control_verdict_below(low, high, 3), "Holds");
}

Test(control, holds_in_part_where_the_mean_is_below)
{
    cr_expect_str_eq(control_verdict_below(low, mixed, 3), "Holds only in part");
    cr_expect_str_eq(control_verdict_below(mixed, high, 3), "Holds only in part");
}

Test(control, does_not_hold_where_it_is_not)
{
    cr_expect_str_eq(control_verdict_below(high, low, 3), "Does not hold");
    cr_expect_str_eq(control_verdict_below(low, low, 3), "Does not hold");
}

/* A mean of 0.5 with a standard error of 0.02, and random genes at 0.8 or at 0.53. */
Test(control, of_a_range_needs_the_range_and_a_control_elsewhere)
{
    cr_expect_str_eq(control_verdict_within(0.5, 0.02, 0.4, 0.6, 0.8), "Holds");
    cr_expect_str_eq(control_verdict_within(0.39, 0.02, 0.4, 0.6, 0.8), "Does not hold");
    cr_expect_str_eq(control_verdict_within(0.61, 0.02, 0.4, 0.6, 0.8), "Does not hold");
    cr_expect_str_eq(control_verdict_within(0.5, 0.02, 0.4, 0.6, 0.53), "Not shown");
}

/* Standard deviations of 3 and 4 over four runs: the standard error of the difference is 2.5. */
Test(control, is_above_by_two_standard_errors_of_the_difference)
{
    const struct spread controls = {50, 4};
    cr_expect(control_is_above((struct spread){55.1, 3}, controls, 4));
    cr_expect_not(control_is_above((struct spread){54.9, 3}, controls, 4));
    cr_expect_not(control_is_above((struct spread){44, 3}, controls, 4));
}
