/* Curves over the generations: inline SVG between ticks in HTML, so that the picture scales and the
 * text keeps its size. Colours come from the page's style by class. */
#ifndef GRAYLING_CHART_H
#define GRAYLING_CHART_H

#include <stddef.h>
#include <stdio.h>

enum { CHART_CURVES = 64 };

/* The value at a point; NaN if there is none. */
typedef double chart_values(const void *context, int point);

struct chart_curve {
    const char *name, *css; /* for the legend, NULL: not in it; CSS class */
    chart_values *y;
    const void *context; /* NULL: the chart's */
};

/* All borrowed. Point i is generation i. The functions get `context`. */
struct chart {
    const char *title; /* for screen readers */
    const char *x_name, *y_name;
    int count;                               /* points: 1 or more */
    struct chart_curve curves[CHART_CURVES]; /* the first is on top */
    int curve_count;
    const char *band_name; /* NULL: no band */
    chart_values *band_low, *band_high;
    /* The values of interest; those far beyond are compressed (broken_scale.h). Equal: all are. */
    double from, to;
    /* Writes the tooltip of a point. */
    void (*tell)(const void *context, int point, char *text, size_t size);
    const void *context;
};

void chart_write(FILE *out, const struct chart *c);

/* ---- the parts, for other pictures and for tests ---- */

/* An axis from `low` to `high`. Its ticks are the multiples of the step, which is 1, 2 or 5 times a
 * power of ten. */
struct scale {
    double low, high, step;
    int decimals; /* of its ticks */
};

/* The axis for values from `low` to `high`, with about `ticks` steps. */
struct scale scale_for(double low, double high, int ticks);

/* An axis for the generations 0 to `last`. It ends at `last`, which need not be a whole step. A
 * single generation is in the middle. */
struct scale scale_generations(int last, int ticks);

/* An axis for cells of equal width, one for each of the generations 0 to `last`: a tick is at the
 * middle of its cell, and the axis ends with the last cell. */
struct scale scale_cells(int last, int ticks);

/* The position of a value on the axis: 0 at its low end, 1 at its high end. */
double scale_place(const struct scale *s, double value);

/* Write the ticks below an area as wide as the axis, or beside one as high as it, as HTML. */
void scale_write_below(FILE *out, const struct scale *s);
void scale_write_beside(FILE *out, const struct scale *s);

#endif
