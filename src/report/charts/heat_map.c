#include "heat_map.h"

#include "html.h"

static int shade_of(const struct heat_strip *s, int row, int column)
{
    double value = s->value(s->context, row, column);
    int shade = (int)(value * (HEAT_SHADES - 1) + 0.5);
    return shade < 0 ? 0 : shade < HEAT_SHADES ? shade : HEAT_SHADES - 1;
}

/* Writes the cells of one shade in a row, with neighbours joined. Returns true if there are any. */
static int write_row(FILE *out, const struct heat_strip *s, int shade, int row, int begun)
{
    for (int column = 0; column < s->columns; column++) {
        int length = 0;
        while (column + length < s->columns && shade_of(s, row, column + length) == shade)
            length++;
        if (length == 0)
            continue;
        if (!begun)
            fprintf(out, "<path class=\"h%d\" d=\"", shade);
        begun = 1;
        fprintf(out, "M%d %dh%d", column, row, length);
        column += length;
    }
    return begun;
}

/* Writes a path for each shade except the lowest, which is the background. Lines are as thick as a
 * row and drawn along its middle, hence the shift. */
void heat_strip_write(FILE *out, const struct heat_strip *s)
{
    fprintf(out,
            "<svg class=\"heat\" style=\"height:%dpx\" viewBox=\"0 0 %.6g %d\" "
            "preserveAspectRatio=\"none\" role=\"img\"><title>",
            s->pixels, s->width, s->rows);
    html_text(out, s->title);
    fputs("</title><g transform=\"translate(0 .5)\">", out);
    for (int shade = 1; shade < HEAT_SHADES; shade++) {
        int begun = 0;
        for (int row = 0; row < s->rows; row++)
            begun = write_row(out, s, shade, row, begun);
        if (begun)
            fputs("\"/>", out);
    }
    fputs("</g></svg>", out);
}

void heat_legend_write(FILE *out, const char *none, const char *full)
{
    fputs("<span class=\"shades\">", out);
    html_text(out, none);
    fprintf(out,
            " <svg class=\"heat\" viewBox=\"0 0 %d 1\" preserveAspectRatio=\"none\" "
            "aria-hidden=\"true\"><g transform=\"translate(0 .5)\">",
            HEAT_SHADES);
    for (int shade = 1; shade < HEAT_SHADES; shade++)
        fprintf(out, "<path class=\"h%d\" d=\"M%d 0h1\"/>", shade, shade);
    fputs("</g></svg> ", out);
    html_text(out, full);
    fputs("</span>", out);
}
