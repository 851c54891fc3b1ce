/* A sparkline: the course of a value over the generations, small enough for a table cell. */
#ifndef GRAYLING_SPARKLINE_H
#define GRAYLING_SPARKLINE_H

#include "chart.h"

/* All borrowed. The functions get `context` and a point in [0, count). */
struct sparkline {
    const char *title; /* for screen readers */
    int count;
    double bottom, top;       /* of the picture */
    chart_values *low, *high; /* a band */
    chart_values *line;       /* a line in it */
    const double *mark;       /* a horizontal level, or NULL */
    const void *context;
};

void sparkline_write(FILE *out, const struct sparkline *s);

#endif
