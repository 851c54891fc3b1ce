/* Error bars: each where its numbers are, on an axis with 0, whatever is infinite or missing. */
#include "error_bars.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static char *drawn(const struct error_bar *bars, int count)
{
    const struct error_axis axis = {"Elo", 400};
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    error_bars_write(out, bars, count, &axis);
    fclose(out);
    cr_assert_null(strstr(text, "nan"), "%s", text);
    cr_assert_null(strstr(text, "inf"), "%s", text);
    return text;
}

static void expect_part(const char *text, const char *part)
{
    cr_assert_not_null(strstr(text, part), "expected '%s' in: %s", part, text);
}

Test(error_bars, lie_on_one_axis_that_has_zero)
{
    const struct error_bar bars[] = {{"a & b", "hint <1>", "", "ahead", 50, 25, 100},
                                     {"c", "none", "", "open", 75, 50, 100}};
    char *text = drawn(bars, 2);
    expect_part(text, "a &amp; b");
    expect_part(text, "<title>hint &lt;1&gt;</title>");
    expect_part(text, "<path class=\"zero\" d=\"M0.0 0v100\"/>");
    expect_part(text,
                "<path class=\"error ahead\" d=\"M250.0 50H1000.0M250.0 32v36M1000.0 32v36\"/>");
    expect_part(text, "<path class=\"dot ahead\" d=\"M500.0 50h0\"/>");
    expect_part(text, "<path class=\"dot open\" d=\"M750.0 50h0\"/>");
    cr_assert_null(strstr(text, "beyond"), "%s", text);
    free(text);
}

Test(error_bars, an_infinite_number_is_an_arrow_and_no_dot)
{
    const struct error_bar bars[] = {{"all won", "", "+all", "ahead", INFINITY, 10, INFINITY},
                                     {"some", "", "", "behind", -50, -100, 25}};
    char *text = drawn(bars, 2);
    expect_part(text, "<path class=\"zero\" d=\"M714.3 0v100\"/>");
    expect_part(text, "<path class=\"error ahead\" d=\"M785.7 50H1000.0M785.7 32v36\"/>");
    expect_part(text, "<span class=\"beyond right ahead\">+all</span>");
    cr_assert_null(strstr(text, "dot ahead"), "%s", text);
    free(text);
}

Test(error_bars, a_number_beyond_the_most_does_not_stretch_the_axis)
{
    const struct error_bar bars[] = {{"near", "", "", "open", 20, -20, 80},
                                     {"far", "", "+900", "ahead", 900, 600, 1600},
                                     {"far behind", "", "-900", "behind", -900, -1600, -600}};
    char *text = drawn(bars, 3);
    expect_part(text, "<path class=\"zero\" d=\"M200.0 0v100\"/>");
    expect_part(text, "<path class=\"dot open\" d=\"M400.0 50h0\"/>");
    expect_part(text, "<span class=\"beyond right ahead\">+900</span>");
    expect_part(text, "<span class=\"beyond left behind\">-900</span>");
    free(text);
}

Test(error_bars, an_interval_that_goes_on_beyond_the_axis_ends_in_an_arrow)
{
    const struct error_bar bars[] = {{"wide", "", "+300", "ahead", 300, 100, 700}};
    char *text = drawn(bars, 1);
    expect_part(text, "<path class=\"error ahead\" d=\"M250.0 50H1000.0M250.0 32v36\"/>");
    expect_part(text, "<path class=\"dot ahead\" d=\"M750.0 50h0\"/>");
    expect_part(text, "<span class=\"beyond right ahead\"></span>");
    free(text);
}

Test(error_bars, numbers_that_are_all_beyond_the_axis_leave_it_its_whole_length)
{
    const struct error_bar bars[] = {{"far", "", "+900", "ahead", 900, 600, 1600}};
    char *text = drawn(bars, 1);
    expect_part(text, "<path class=\"zero\" d=\"M500.0 0v100\"/>");
    free(text);
}

Test(error_bars, what_is_not_known_is_left_out)
{
    const struct error_bar bars[] = {{"none", "", "", "open", NAN, -INFINITY, INFINITY}};
    char *text = drawn(bars, 1);
    cr_assert_null(strstr(text, "class=\"dot"), "%s", text);
    cr_assert_null(strstr(text, "beyond"), "%s", text);
    expect_part(text, "class=\"zero\"");
    free(text);
}
