/* Heat maps: shades where the numbers are. */
#include "heat_map.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

/* Two rows of three: 0 1 1, and a half and two out of range. */
static double value(const void *context, int row, int column)
{
    (void)context;
    const double values[2][3] = {{0, 1, 1}, {0.5, 7, -1}};
    return values[row][column];
}

Test(heat_map, cells_of_a_shade_are_joined)
{
    const struct heat_strip s = {"A & B", 2, 3, 20, 2.5, value, NULL};
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    heat_strip_write(out, &s);
    fclose(out);
    cr_assert(strstr(text, "viewBox=\"0 0 2.5 2\"") != NULL, "%s", text);
    cr_assert(strstr(text, "<title>A &amp; B</title>") != NULL, "%s", text);
    cr_assert(strstr(text, "<path class=\"h8\" d=\"M1 0h2M1 1h1\"/>") != NULL, "%s", text);
    cr_assert(strstr(text, "<path class=\"h4\" d=\"M0 1h1\"/>") != NULL, "%s", text);
    cr_assert_null(strstr(text, "h0\""), "the lowest shade is the ground");
    free(text);
}

Test(heat_map, the_legend_shows_every_shade)
{
    char *text = NULL, shade[16];
    size_t size;
    FILE *out = open_memstream(&text, &size);
    heat_legend_write(out, "none", "all");
    fclose(out);
    for (int i = 1; i < HEAT_SHADES; i++) {
        snprintf(shade, sizeof shade, "\"h%d\"", i);
        cr_assert(strstr(text, shade) != NULL, "%s", shade);
    }
    free(text);
}
