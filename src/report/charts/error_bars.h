/* Numbers with error bars, a row each on one axis, as inline SVG between names in HTML
 * (chart.h). */
#ifndef GRAYLING_ERROR_BARS_H
#define GRAYLING_ERROR_BARS_H

#include <stdio.h>

/* A number and its interval, whose ends may be infinite; NaN: there is none yet. */
struct error_bar {
    const char *name, *hint; /* beside it, and shown when the pointer rests on it */
    const char *css;         /* a class */
    double value, low, high;
};

/* Writes the rows in their order; 0 is on the axis, and marked. */
void error_bars_write(FILE *out, const struct error_bar *bars, int count, const char *axis_name);

#endif
