/* A strip of a heat map as inline SVG: rows of cells, each shaded by a number from 0 to 1. The
 * shades are classes of the page's style, so that they follow its light and dark theme. */
#ifndef GRAYLING_HEAT_MAP_H
#define GRAYLING_HEAT_MAP_H

#include <stdio.h>

enum { HEAT_SHADES = 9 }; /* classes h0 (0) to h8 (1) */

struct heat_strip {
    const char *title;         /* for screen readers */
    int rows, columns, pixels; /* its height; it takes the whole width */
    double width;              /* in columns; less than `columns` if the last is cut */
    double (*value)(const void *context, int row, int column);
    const void *context;
};

void heat_strip_write(FILE *out, const struct heat_strip *s);

/* Writes the shades from 0 to 1, with a word at either end. */
void heat_legend_write(FILE *out, const char *none, const char *full);

#endif
