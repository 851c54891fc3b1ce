/* Charts: axes that people can read, and curves where the numbers are. */
#include "chart.h"

#include "sparkline.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void expect_scale(double low, double high, double from, double to, double step, int decimals)
{
    struct scale s = scale_for(low, high, 6);
    cr_assert_float_eq(s.low, from, 1e-9, "%g to %g begins at %g", low, high, s.low);
    cr_assert_float_eq(s.high, to, 1e-9, "%g to %g ends at %g", low, high, s.high);
    cr_assert_float_eq(s.step, step, 1e-9, "%g to %g has steps of %g", low, high, s.step);
    cr_assert_eq(s.decimals, decimals, "%g to %g has %d decimals", low, high, s.decimals);
}

Test(chart, axes_have_round_steps)
{
    expect_scale(18.4, 31.2, 18, 32, 2, 0);
    expect_scale(7.7, 9.9, 7.5, 10, 0.5, 1);
    expect_scale(0, 1, 0, 1, 0.2, 1);
    expect_scale(-3, 11, -4, 12, 2, 0);
    expect_scale(30.01, 30.07, 30.01, 30.07, 0.01, 2);
}

Test(chart, values_all_alike_still_have_an_axis)
{
    struct scale s = scale_for(30, 30, 6), zero = scale_for(0, 0, 6),
                 none = scale_for(INFINITY, -INFINITY, 6);
    cr_assert(s.low < 30 && 30 < s.high);
    cr_assert(zero.low <= 0 && 0 < zero.high);
    cr_assert(isfinite(none.low) && none.low < none.high);
    cr_assert_float_eq(scale_place(&s, s.low), 0, 1e-12);
    cr_assert_float_eq(scale_place(&s, s.high), 1, 1e-12);
}

Test(chart, the_axis_of_generations_ends_at_the_last)
{
    struct scale s = scale_generations(24, 10), one = scale_generations(0, 10);
    cr_assert_float_eq(s.high, 24, 1e-12);
    cr_assert_float_eq(s.step, 2, 1e-12);
    cr_assert_float_eq(scale_place(&one, 0), 0.5, 1e-12, "a single one is in the middle");
    cr_assert(one.high < 1 && one.low > -1, "and no other is on the axis");
}

Test(chart, an_axis_of_cells_ends_with_the_last_cell_and_marks_middles)
{
    struct scale s = scale_cells(29, 5);
    cr_assert_float_eq(scale_place(&s, 0), 0.5 / 30, 1e-12);
    cr_assert_float_eq(scale_place(&s, 29), 29.5 / 30, 1e-12);
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    scale_write_below(out, &s);
    fclose(out);
    cr_assert(strstr(text, ">0</span><span style=\"left:18.33%\">5</span>") != NULL, "%s", text);
    cr_assert(strstr(text, ">25</span></div>") != NULL, "%s", text);
    free(text);
}

/* ---- pictures ---- */

static double rising(const void *context, int point)
{
    (void)context;
    return point;
}

static double with_gap(const void *context, int point)
{
    return point == 2 ? NAN : rising(context, point);
}

static void tell(const void *context, int point, char *text, size_t size)
{
    (void)context;
    snprintf(text, size, "<%d>", point);
}

static char *drawn(const struct chart *c)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    chart_write(out, c);
    fclose(out);
    return text;
}

static int occurrences(const char *text, const char *part)
{
    int count = 0;
    for (; (text = strstr(text, part)) != NULL; text++)
        count++;
    return count;
}

static struct chart some_chart(int count)
{
    return (struct chart){.title = "a & b",
                          .x_name = "generation",
                          .y_name = "x < y",
                          .count = count,
                          .curves = {{"up", "best", rising, NULL}, {"gap", "mean", with_gap, NULL}},
                          .curve_count = 2,
                          .tell = tell};
}

Test(chart, a_curve_is_where_its_numbers_are)
{
    struct chart c = some_chart(5);
    char *text = drawn(&c);
    cr_assert(strstr(text, "\"M0.0 1000.0h0L250.0 750.0L500.0 500.0L750.0 250.0L1000.0 0.0\"") !=
                  NULL,
              "%s", text);
    cr_assert(strstr(text, "\"M0.0 1000.0h0L250.0 750.0M750.0 250.0h0L1000.0 0.0\"") != NULL,
              "a gap: %s", text);
    free(text);
}

static double level(const void *context, int point)
{
    (void)point;
    return *(const int *)context;
}

Test(chart, curves_may_have_contexts_of_their_own_and_no_name)
{
    const int two = 2, one = 1;
    struct chart c = some_chart(5);
    c.context = &one;
    c.curves[0] = (struct chart_curve){"named", "best", level, &two};
    c.curves[1] = (struct chart_curve){NULL, "other", level, NULL};
    c.tell = NULL;
    char *text = drawn(&c);
    cr_assert(strstr(text, "curve best\" d=\"M0.0 0.0h0") != NULL, "on top: %s", text);
    cr_assert(strstr(text, "curve other\" d=\"M0.0 1000.0h0") != NULL, "below: %s", text);
    cr_assert(strstr(text, "<i class=\"key best\">") != NULL);
    cr_assert_null(strstr(text, "<i class=\"key other\">"), "%s", text);
    free(text);
}

Test(chart, numbers_below_zero_have_a_minus)
{
    const int level_below = -3;
    struct chart c = some_chart(2);
    c.context = &level_below;
    c.curves[0].y = level;
    char *text = drawn(&c);
    cr_assert(strstr(text, ">\xe2\x88\x92"
                           "2.0<") != NULL,
              "%s", text);
    cr_assert(strstr(text, ">0.0<") != NULL, "%s", text);
    free(text);
}

static double infinite(const void *context, int point)
{
    (void)context;
    return point == 1 ? INFINITY : 1e308;
}

Test(chart, a_band_without_end_stays_in_the_picture)
{
    struct chart c = some_chart(3);
    c.band_name = "band";
    c.band_low = rising;
    c.band_high = infinite;
    char *text = drawn(&c);
    cr_assert_null(strstr(text, "inf"), "%s", text);
    cr_assert_null(strstr(text, "nan"), "%s", text);
    free(text);
}

static double later(const void *context, int point)
{
    (void)context;
    return point == 0 ? NAN : point;
}

Test(chart, a_band_begins_where_it_is_known)
{
    struct chart c = some_chart(3);
    c.band_name = "band";
    c.band_low = c.band_high = later;
    char *text = drawn(&c);
    cr_assert_null(strstr(text, "nan"), "%s", text);
    cr_assert_not_null(strstr(text, "class=\"band\" d=\"M"), "%s", text);
    free(text);
}

Test(chart, names_and_hints_are_escaped)
{
    struct chart c = some_chart(3);
    char *text = drawn(&c);
    cr_assert(strstr(text, "a &amp; b") != NULL);
    cr_assert(strstr(text, "x &lt; y") != NULL);
    cr_assert(strstr(text, "<title>&lt;2&gt;</title>") != NULL, "%s", text);
    free(text);
}

Test(chart, long_runs_are_thinned_and_end_at_their_last_point)
{
    struct chart c = some_chart(5002);
    char *text = drawn(&c);
    int hints = occurrences(text, "<title>");
    cr_assert(200 < hints && hints <= 401, "%d hints", hints);
    cr_assert(strstr(text, "&lt;5001&gt;") != NULL);
    free(text);
}

Test(chart, a_single_generation_is_a_dot)
{
    struct chart c = some_chart(1);
    char *text = drawn(&c);
    cr_assert(strstr(text, "h0\"") != NULL, "%s", text);
    cr_assert_null(strstr(text, "nan"));
    free(text);
}

Test(chart, a_sparkline_has_its_band_its_line_and_its_mark)
{
    const double mark = 2;
    const struct sparkline s = {"t", 5, 0, 4, rising, rising, rising, &mark, NULL};
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    sparkline_write(out, &s);
    fclose(out);
    cr_assert(strstr(text, "class=\"band\"") != NULL);
    cr_assert(strstr(text, "M0 13.0h120") != NULL, "the middle: %s", text);
    cr_assert(strstr(text, "M0 25.0L30 19.0L60 13.0L90 7.0L120 1.0\"") != NULL, "%s", text);
    free(text);
}
