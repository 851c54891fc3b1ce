/* Measures in words: the figure, what it counts and how sure it is, for every unit. */
#include "measure_words.h"

#include "nodes_to_solution.h"

#include <criterion/criterion.h>

#define NBSP "\xc2\xa0"

static void expect(enum measure_unit unit, int64_t measure, int64_t size, const char *figure,
                   const char *parts)
{
    const struct run_summary s = {.unit = unit, .measure = "ones", .train_size = size};
    char text[FORMAT_MAX];
    cr_assert_str_eq(measure_figure(&s, (double)measure, size, text), figure);
    cr_assert_str_eq(measure_parts(&s, measure, size, text), parts);
}

Test(measure_words, each_unit_has_its_figure_and_what_it_counts)
{
    expect(UNIT_SHARE, 1545, 5000, "30.90" NBSP "%", "1,545 of 5,000");
    expect(UNIT_SHARE, 60, 0, "60.0", "ones");
    expect(UNIT_POINTS, 43, 72, "59.7" NBSP "%", "21.5 of 36 points");
    expect(UNIT_NODES, 7793174, 440, "7,793,174", "nodes, 17,712 a position");
    expect(UNIT_LOG_NODES, 10 * LOG_NODES_UNIT * 100, 100, "1,024", "nodes, geometric mean of 100");
}

Test(measure_words, only_shares_have_an_interval)
{
    struct interval i;
    const struct run_summary share = {.unit = UNIT_SHARE}, points = {.unit = UNIT_POINTS},
                             nodes = {.unit = UNIT_NODES};
    cr_assert(measure_interval(&share, 1545, 5000, &i));
    cr_assert_float_eq(i.low, 0.2963, 5e-5);
    cr_assert_float_eq(i.high, 0.3220, 5e-5);
    cr_assert(measure_interval(&points, 43, 72, &i));
    cr_assert(i.low < 43.0 / 72 && 43.0 / 72 < i.high);
    cr_assert_not(measure_interval(&nodes, 43, 72, &i));
    cr_assert_not(measure_interval(&share, 5, 0, &i), "out of nothing");
    cr_assert_not(measure_interval(&share, 73, 72, &i), "of a damaged run");
}

Test(measure_words, games_are_not_training)
{
    const struct run_summary share = {.unit = UNIT_SHARE}, points = {.unit = UNIT_POINTS};
    cr_assert_str_eq(measure_places(&share).held_out, "held out");
    cr_assert_str_eq(measure_places(&points).held_out, "against the opponent");
}
