/* Numbers with error bars, one row each, on one axis: inline SVG between names in HTML
 * (chart.h). */
#ifndef GRAYLING_ERROR_BARS_H
#define GRAYLING_ERROR_BARS_H

#include <stdio.h>

/* A number and its interval. All may be infinite; NaN: no number yet. */
struct error_bar {
    const char *name, *hint; /* the label and the tooltip */
    const char *figure;      /* the number in words, written where it lies beyond the axis */
    const char *css;         /* a class */
    double value, low, high;
};

/* The axis of a picture. */
struct error_axis {
    const char *name;
    double most; /* the axis never reaches beyond -most and +most; > 0 */
};

/* Writes the rows in order. The axis contains 0, which is marked, and the intervals of all numbers
 * up to `most`. Larger numbers do not widen it: an arrow at its end shows where they are, with the
 * number beside it. An interval that reaches beyond the axis ends in an arrow too. */
void error_bars_write(FILE *out, const struct error_bar *bars, int count,
                      const struct error_axis *axis);

#endif
