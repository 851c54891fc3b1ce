/* Axes: the number that is drawn for a measure, and what the axis is called. */
#include "axis.h"

#include <criterion/criterion.h>

static void expect_labels(const struct run_summary *s, const char *axis, const char *held_out)
{
    char label[OBJECTIVE_LABEL];
    cr_assert_str_eq(axis_label(s, label), axis);
    cr_assert_str_eq(axis_held_out(s, label), held_out);
}

Test(axis, a_share_is_drawn_in_per_cent)
{
    struct run_summary s = {.value = &objective_moves_matched, .train_size = 200};
    cr_assert_float_eq(axis_value(&s, 50, 200), 25, 1e-12);
    expect_labels(&s, "moves matched (%)", "best, held-out");
}

Test(axis, a_count_out_of_nothing_is_drawn_as_it_is)
{
    struct run_summary s = {.value = &objective_moves_matched};
    cr_assert_float_eq(axis_value(&s, 50, 0), 50, 1e-12);
    expect_labels(&s, "moves matched", "best, held-out");
}

Test(axis, nodes_of_two_suites_are_drawn_in_proportion)
{
    struct run_summary s = {.value = &objective_nodes, .train_size = 440, .held_out_size = 439};
    cr_assert_float_eq(axis_value(&s, 8e6, 440), 8, 1e-9);
    cr_assert_float_eq(axis_value(&s, 4.39e6, 439), 4.4, 1e-9);
    expect_labels(&s, "nodes to solution (millions, 440 positions)",
                  "best, held-out (scaled to 440 positions)");
}

Test(axis, logarithms_of_nodes_are_drawn_as_their_geometric_mean)
{
    struct run_summary s = {.value = &objective_log_nodes, .train_size = 10};
    cr_assert_float_eq(axis_value(&s, 0, 10), 1, 1e-12);
    expect_labels(&s, "nodes to solution (geometric mean of 10 positions)", "best, held-out");
}
