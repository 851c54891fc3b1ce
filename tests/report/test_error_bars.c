/* Error bars: each where its numbers are, on an axis with 0, whatever is infinite or missing. */
#include "error_bars.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static char *drawn(const struct error_bar *bars, int count)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    error_bars_write(out, bars, count, "Elo");
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
    const struct error_bar bars[] = {{"a & b", "hint <1>", "ahead", 50, 25, 100},
                                     {"c", "none", "open", 75, 50, 100}};
    char *text = drawn(bars, 2);
    expect_part(text, "a &amp; b");
    expect_part(text, "<title>hint &lt;1&gt;</title>");
    expect_part(text, "<path class=\"zero\" d=\"M0.0 0v100\"/>");
    expect_part(text,
                "<path class=\"error ahead\" d=\"M250.0 50H1000.0M250.0 32v36M1000.0 32v36\"/>");
    expect_part(text, "<path class=\"dot ahead\" d=\"M500.0 50h0\"/>");
    expect_part(text, "<path class=\"dot open\" d=\"M750.0 50h0\"/>");
    free(text);
}

Test(error_bars, without_an_end_they_reach_the_edge_without_a_cap)
{
    const struct error_bar bars[] = {{"all won", "", "ahead", INFINITY, 50, INFINITY},
                                     {"some", "", "behind", -50, -100, -50}};
    char *text = drawn(bars, 2);
    expect_part(text, "<path class=\"error ahead\" d=\"M937.5 50H1000.0M937.5 32v36\"/>");
    expect_part(text, "<path class=\"zero\" d=\"M625.0 0v100\"/>");
    free(text);
}

Test(error_bars, what_is_not_known_is_left_out)
{
    const struct error_bar bars[] = {{"none", "", "open", NAN, -INFINITY, INFINITY}};
    char *text = drawn(bars, 1);
    cr_assert_null(strstr(text, "class=\"dot"), "%s", text);
    expect_part(text, "class=\"zero\"");
    free(text);
}
