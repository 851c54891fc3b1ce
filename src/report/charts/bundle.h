/* A bundle of curves on one axis, each named at its end: inline SVG between ticks and names in HTML
 * (chart.h). Curves may have bands, and need not have the same points. */
#ifndef GRAYLING_BUNDLE_H
#define GRAYLING_BUNDLE_H

#include "chart.h"

#include <stdbool.h>

/* The values of a curve at one of its points. */
struct bundle_point {
    double x, y;
    double low, high; /* of the band */
};

/* All borrowed. */
struct bundle_curve {
    const char *name, *css; /* the CSS classes of its colour */
    int count;              /* points, in the order of x: 1 or more */
    struct bundle_point (*at)(const void *context, int point);
    const void *context;
    bool has_band;
};

struct bundle {
    const char *title; /* for screen readers */
    const char *x_name, *y_name;
    double x_last; /* the axis goes from 0 to here */
    const struct bundle_curve *curves;
    int count; /* CHART_CURVES or fewer */
};

/* Writes the picture. Bands lie below all curves, and the first curve is on top. */
void bundle_write(FILE *out, const struct bundle *b);

/* Moves `count` places, 0 to 1 in any order, apart: each two are `gap` or more apart and keep their
 * order, and all stay in [0, 1]. If there is no room for that, the gap is smaller. Public for
 * tests. */
void bundle_spread(double *places, int count, double gap);

#endif
