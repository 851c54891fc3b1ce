/* Bundles of curves: each where its values are, with its name at its end and no two names on top of
 * each other. */
#include "bundle.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

Test(bundle, names_move_apart_and_keep_their_order)
{
    double places[] = {0.5, 0.52, 0.1, 0.99, 0.98};
    bundle_spread(places, 5, 0.1);
    cr_assert_float_eq(places[2], 0.1, 1e-12, "what has room stays");
    cr_assert_float_eq(places[0], 0.5, 1e-12);
    cr_assert_float_eq(places[1], 0.6, 1e-12);
    cr_assert_float_eq(places[3], 1, 1e-12);
    cr_assert_float_eq(places[4], 0.9, 1e-12);
}

Test(bundle, many_names_at_one_place_share_the_room)
{
    double places[16];
    for (int i = 0; i < 16; i++)
        places[i] = 0.97;
    bundle_spread(places, 16, 1 / 15.0);
    for (int i = 0; i < 16; i++)
        cr_assert_float_eq(places[i], i / 15.0, 1e-9, "%d at %f", i, places[i]);
}

/* From (50, 1) in steps of 50 up by what the context says. */
static struct bundle_point rising(const void *context, int point)
{
    double y = 1 + point * *(const double *)context;
    return (struct bundle_point){50.0 * (point + 1), y, y - 1, y + 1};
}

static char *drawn(const struct bundle_curve *curves, int count)
{
    const struct bundle b = {"t & u", "evaluations", "matched", 200, curves, count};
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    bundle_write(out, &b);
    fclose(out);
    cr_assert_null(strstr(text, "nan"), "%s", text);
    return text;
}

Test(bundle, curves_have_their_own_points_and_names_at_their_ends)
{
    const double fast = 3, slow = 0;
    const struct bundle_curve curves[] = {{"f < g", "stage-0", 4, rising, &fast, true},
                                          {"short", "stage-1", 2, rising, &slow, false}};
    char *text = drawn(curves, 2);
    cr_assert(strstr(text, "<path class=\"curve stage-0\" d=\"M250.0 916.7L500.0 666.7L750.0 416.7"
                           "L1000.0 166.7\">") != NULL,
              "%s", text);
    cr_assert(strstr(text, "<path class=\"curve stage-1\" d=\"M250.0 916.7L500.0 916.7\">") != NULL,
              "%s", text);
    cr_assert(strstr(text, "<path class=\"spread stage-0\" d=\"M250.0 833.3") != NULL, "%s", text);
    cr_assert_null(strstr(text, "spread stage-1"), "it has no band");
    cr_assert(strstr(text, "<span style=\"top:16.67%\"><i class=\"key stage-0\"></i>f &lt; g") !=
                  NULL,
              "%s", text);
    cr_assert(strstr(text, "<span style=\"top:91.67%\"><i class=\"key stage-1\"></i>short") != NULL,
              "%s", text);
    cr_assert(strstr(text, "t &amp; u") != NULL);
    free(text);
}

Test(bundle, a_single_point_is_a_dot)
{
    const double slow = 0;
    const struct bundle_curve curve = {"one", "stage-0", 1, rising, &slow, false};
    char *text = drawn(&curve, 1);
    cr_assert(strstr(text, "curve stage-0 single") != NULL && strstr(text, "h0\">") != NULL, "%s",
              text);
    free(text);
}
