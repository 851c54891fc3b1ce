/* Curves on one axis. */
#ifndef GRAYLING_CHART_H
#define GRAYLING_CHART_H

#include "picture.h"

enum { CHART_CURVES = 64 };

/* A point of a curve, in the units of the axes; NaN where there is no value. */
struct chart_point {
    double x, y;
    double low, high; /* of the band */
};

/* All borrowed. */
struct chart_curve {
    const char *name;      /* NULL: not in the legend */
    enum canvas_sign sign; /* a line, a thin one or one of dashes */
    const char *css;       /* the class of its colour (canvas.h) */
    int count;             /* points, in the order of x */
    struct chart_point (*at)(const void *context, int point);
    const void *context;
    const char *band; /* the name of its band; "": not in the legend; NULL: no band */
};

struct chart {
    const char *title, *description; /* (picture.h) */
    const char *x_name, *y_name;
    double x_last; /* the axis goes from 0 to here */
    struct chart_curve curves[CHART_CURVES];
    int count;   /* of them; the first is on top */
    bool ends;   /* they have their names at their ends, in place of a legend */
    bool is_low; /* a picture of less height */
    /* The values under the pointer on a page; NULL: none. `x` is a whole number. */
    void (*tell)(const void *context, int x, char *text, size_t size);
    const void *context;
};

/* Draws curves. The axis of values is broken if those of the first tenth of x lie far from the
 * others, as at the start of a run. */
bool chart_draw(const struct chart *c, const struct plot_file *file, struct error *err);

#endif
