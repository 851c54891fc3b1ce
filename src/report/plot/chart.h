/* Curves on one axis, and those of a run's fitness. */
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
    struct chart_point (*at)(const void *context, int kind, int point); /* NULL: a level */
    const void *context;
    int kind;
    double level;     /* the value from end to end */
    bool steps;       /* each value holds until the next */
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

/* Draw a curve, and its band of this class (with names at the ends bands are many, and have edges), on an
 * area of any picture. */
void chart_draw_curve(const struct canvas *c, const struct area *a,
                      const struct chart_curve *curve);
void chart_draw_band(const struct canvas *c, const struct area *a, const char *css,
                     const struct chart_curve *curve);

/* Draws curves. The axis of values is broken if those of the first tenth of x lie far from the
 * others, as at the start of a run. */
bool chart_draw(const struct chart *c, const struct plot_file *file, struct error *err);

/* ---- the curves of a run's fitness by generation */

/* Values that compare across generations: the best, the mean with one standard deviation as a band, and the best on
 * held-out data. Values of games do not: the organisms of a generation always score half of the points together.
 * There the best organism's score against the fixed opponent leads, with its 95 % interval as the band. Where the
 * estimate plays the start, its gain in Elo, with its 95 % interval, is all that there is to see. */
enum fitness_curve {
    FITNESS_BEST,
    FITNESS_MEAN,
    FITNESS_HELD_OUT,
    FITNESS_GAIN,
    FITNESS_CURVES,
    FITNESS_DIVERSITY = FITNESS_CURVES /* of the population, in bits: on an axis of its own */
};

/* The value of a curve of a run_summary at a generation, and the ends of its band, in the unit of the axis. */
struct chart_point fitness_point(const void *summary, int curve, int generation);

/* The curves that a picture shows, the first on top. Returns their number. `axis` names the axis. */
int fitness_curves(const struct run_summary *s, enum fitness_curve curves[FITNESS_CURVES],
                   char axis[OBJECTIVE_LABEL]);

#endif
