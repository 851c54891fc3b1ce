/* Numbers with error bars, one row each, on one axis: inline SVG between names in HTML
 * (chart.h). */
#ifndef GRAYLING_ERROR_BARS_H
#define GRAYLING_ERROR_BARS_H

#include <stdio.h>

/* A number and its interval, whose ends may be infinite; NaN: no number yet. */
struct error_bar {
    const char *name, *hint; /* the label and the tooltip */
    const char *css;         /* a class */
    double value, low, high;
};

/* Writes the rows in order. The axis contains 0, which is marked. */
void error_bars_write(FILE *out, const struct error_bar *bars, int count, const char *axis_name);

#endif
