/* Objective values: each kind's direction, figures, words and interval, and who points to which. */
#include "objective_value.h"

#include "recipe.h"
#include "wide.h"

#include <criterion/criterion.h>
#include <math.h>

#define NBSP "\xc2\xa0"

/* Every kind, with its name, which is kept in stores, its direction and what its values hold for. */
static const struct {
    const struct objective_value *value;
    const char *name;
    bool lower, generations, positions;
} kinds[] = {
    {&objective_moves_matched, "moves matched", false, true, true},
    {&objective_moves_in_batch, "moves matched", false, false, true},
    {&objective_points, "points", false, false, false},
    {&objective_nodes, "nodes to solution", true, true, true},
    {&objective_log_nodes, "1/1024 log2 nodes to solution", true, true, true},
    {&objective_time, "time to solution", true, true, true},
    {&objective_distance, "distance from the mentor", true, true, true},
    {&objective_results, "squared error of the result", true, true, true},
    {&objective_results_in_batch, "squared error of the result", true, false, true},
};

enum { KINDS = sizeof kinds / sizeof kinds[0] };

static void expect(const char *found, const char *expected)
{
    cr_assert_str_eq(found, expected, "'%s' in place of '%s'", found, expected);
}

Test(objective_value, fewer_nodes_less_time_and_smaller_losses_are_better)
{
    for (int i = 0; i < KINDS; i++) {
        const struct objective_value *v = kinds[i].value;
        const bool lower = kinds[i].lower;
        expect(v->name, kinds[i].name);
        cr_assert_eq(v->lower_is_better, lower, "%s", v->name);
        cr_assert_eq(objective_better(v, 1, 2), lower, "%s", v->name);
        cr_assert_eq(objective_better(v, 2, 1), !lower, "%s", v->name);
        cr_assert_not(objective_better(v, 2, 2), "%s", v->name);
        cr_assert_eq(objective_cost(v, 7) < objective_cost(v, 8), lower, "%s", v->name);
        cr_assert_eq(v->across_generations, kinds[i].generations, "%s", v->name);
        cr_assert_eq(v->over_positions, kinds[i].positions, "%s", v->name);
        /* The logarithms are summed, and their mean is shown as nodes. */
        expect(objective_title(v),
               v == &objective_log_nodes ? "geometric mean of nodes to solution" : v->name);
    }
    expect(objective_moves_matched.words->held_out, "held out");
    expect(objective_points.words->held_out, "against the opponent");
}

Test(objective_value, a_recipe_asks_for_one_of_them)
{
    struct recipe r = {.measure = MEASURE_MOVE_MATCH};
    cr_assert_eq(objective_value_of(&r), &objective_moves_matched);
    r.measure = MEASURE_GAMES;
    cr_assert_eq(objective_value_of(&r), &objective_points);
    r.measure = MEASURE_NODES_TO_SOLUTION;
    cr_assert_eq(objective_value_of(&r), &objective_nodes);
    r.scale = SCALE_LOG;
    cr_assert_eq(objective_value_of(&r), &objective_log_nodes);
    r.cost = COST_TIME;
    cr_assert_eq(objective_value_of(&r), &objective_time);
    r.measure = MEASURE_MENTOR;
    cr_assert_eq(objective_value_of(&r), &objective_distance);
    r.measure = MEASURE_RESULTS;
    cr_assert_eq(objective_value_of(&r), &objective_results);
    r.batch = 500;
    cr_assert_eq(objective_value_of(&r), &objective_results_in_batch);
    r.measure = MEASURE_MOVE_MATCH;
    cr_assert_eq(objective_value_of(&r), &objective_moves_in_batch);
}

Test(objective_value, in_few_words)
{
    char text[OBJECTIVE_TEXT];
    expect(objective_brief(&objective_moves_matched, 1622, 5000, text), "32.44 %");
    expect(objective_brief(&objective_moves_matched, 1234.56, 0, text), "1234.6");
    expect(objective_brief(&objective_points, 43, 72, text), "59.72 %");
    expect(objective_brief(&objective_nodes, 219345678, 879, text), "219.35 M nodes");
    expect(objective_brief(&objective_nodes, 4535, 15, text), "4,535 nodes");
    expect(objective_brief(&objective_log_nodes, 10 * 1024 * 7, 7, text),
           "geometric mean 1,024 nodes");
    expect(objective_brief(&objective_moves_in_batch, 1622, 5000, text), "32.44 %");
    expect(objective_brief(&objective_time, 12346, 15, text), "12.35 s");
    expect(objective_brief(&objective_distance, 1234, 100, text), "12.34 centipawns");
}

Test(objective_value, in_full_with_an_interval_where_there_is_one)
{
    char text[OBJECTIVE_TEXT];
    const struct objective_value *v = &objective_moves_matched;
    expect(objective_full(v, 1491, 5000, text), "1,491 of 5,000   29.82 %  (28.57 to 31.10)");
    expect(objective_full(v, 123456, 0, text), "123,456"); /* out of nothing */
    expect(objective_full(v, 7, 5, text), "7");            /* nonsense of a damaged file */
    expect(objective_full(&objective_points, 83, 144, text),
           "41.5 of 72 points   57.6 %  (46.1 to 68.4)");
    expect(objective_full(&objective_points, 83, 0, text), "41.5"); /* of a damaged file, too */
    expect(objective_full(&objective_points, 7, 4, text), "3.5");
    expect(objective_full(&objective_nodes, 219345678, 879, text),
           "219,345,678   249,540 a position");
    expect(objective_full(&objective_log_nodes, 10 * 1024 * 7 + 512 * 7, 7, text),
           "75,264   geometric mean 1,448 nodes a position");
    expect(objective_note(v), ", 95 % interval in parentheses");
    expect(objective_note(&objective_points), ", 95 % interval in parentheses");
    expect(objective_note(&objective_nodes), "");
    expect(objective_note(&objective_log_nodes), "");
}

static void expect_figure(const struct objective_value *v, int64_t value, int64_t size,
                          const char *figure, const char *parts)
{
    char text[OBJECTIVE_TEXT];
    expect(objective_figure(v, (double)value, size, text), figure);
    expect(objective_parts(v, value, size, text), parts);
}

Test(objective_value, as_a_figure_and_what_it_counts)
{
    expect_figure(&objective_moves_matched, 1545, 5000, "30.90" NBSP "%", "1,545 of 5,000");
    expect_figure(&objective_moves_matched, 60, 0, "60.0", "moves matched");
    expect_figure(&objective_points, 43, 72, "59.7" NBSP "%", "21.5 of 36 points");
    expect_figure(&objective_nodes, 7793174, 440, "7,793,174", "nodes, 17,712 a position");
    expect_figure(&objective_log_nodes, 10 * LOG_NODES_UNIT * 100, 100, "1,024",
                  "nodes, geometric mean of 100");
}

Test(objective_value, a_deviation_of_logarithms_is_a_factor)
{
    char text[OBJECTIVE_TEXT];
    expect(objective_deviation(&objective_moves_matched, 50, 5000, text), "1.00" NBSP "%");
    expect(objective_deviation(&objective_points, 36, 72, text), "50.0" NBSP "%");
    expect(objective_deviation(&objective_nodes, 1234.5, 440, text), "1,235");
    expect(objective_deviation(&objective_log_nodes, 512 * 100, 100, text), "× 1.414");
}

Test(objective_value, only_shares_have_an_interval)
{
    struct interval i;
    cr_assert(objective_interval(&objective_moves_matched, 1545, 5000, &i));
    cr_assert_float_eq(i.low, 0.2963, 5e-5);
    cr_assert_float_eq(i.high, 0.3220, 5e-5);
    cr_assert(objective_interval(&objective_points, 43, 72, &i));
    cr_assert(i.low < 43.0 / 72 && 43.0 / 72 < i.high);
    cr_assert(objective_interval(&objective_points, 5, 5, &i), "an odd number of half points");
    cr_assert(i.low < i.share && i.share < 1);
    cr_assert_not(objective_interval(&objective_nodes, 43, 72, &i));
    cr_assert_not(objective_interval(&objective_log_nodes, 43, 72, &i));
    cr_assert_not(objective_interval(&objective_moves_matched, 5, 0, &i), "out of nothing");
    cr_assert_not(objective_interval(&objective_moves_matched, 73, 72, &i), "of a damaged run");
}

/* On an axis a value of two suites of different sizes is one number. */
Test(objective_value, on_an_axis)
{
    char text[OBJECTIVE_TEXT], label[OBJECTIVE_LABEL];
    cr_assert_float_eq(objective_axis(&objective_points, 36, 72, 72), 50, 1e-12);
    cr_assert_float_eq(objective_axis(&objective_nodes, 4.39e6, 439, 440), 4.4, 1e-9);
    cr_assert_float_eq(objective_axis(&objective_nodes, 7, 0, 440), 7, 0);
    expect(objective_label(&objective_points, 72, label), "points (%)");
    expect(objective_held_out_label(&objective_points, 72, 100, label),
           "best, against the opponent");
    expect(objective_held_out_label(&objective_nodes, 440, 440, label), "best, held-out");
    expect(objective_held_out_label(&objective_log_nodes, 440, 439, label), "best, held-out");
    expect(objective_cell(&objective_moves_matched, 31.5249, text), "31.52");
    expect(objective_cell(&objective_nodes, 12345.6, text), "1.235e+04");
}
