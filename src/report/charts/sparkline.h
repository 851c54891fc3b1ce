/* A small picture for a cell of a table: how a value went over the generations. */
#ifndef GRAYLING_SPARKLINE_H
#define GRAYLING_SPARKLINE_H

#include "chart.h"

/* All borrowed. The functions get `context` and a point from 0 to count - 1. */
struct sparkline {
    const char *title; /* in words */
    int count;
    double bottom, top;       /* of the picture */
    chart_values *low, *high; /* a band, */
    chart_values *line;       /* a line in it */
    const double *mark;       /* and a level across; or NULL */
    const void *context;
};

void sparkline_write(FILE *out, const struct sparkline *s);

#endif
