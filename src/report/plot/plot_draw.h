/* Shared by the pictures: the page that gnuplot draws on, its colours and its text. Private to
 * plot*.c.
 *
 * Lengths are in units. A picture of its own size has one unit a pixel as SVG; a larger one has
 * larger units, so that text and lines grow with it. Positions run from the top left corner. */
#ifndef GRAYLING_PLOT_DRAW_H
#define GRAYLING_PLOT_DRAW_H

#include "plot.h"

#include <stdio.h>

enum { PLOT_SERIES = 8, PLOT_SHADES = 9, PLOT_TEXT = 15 /* units, of a title */ };

/* The colours of a picture, as "#rrggbb"; those of the pages (report.css). */
struct plot_theme {
    const char *paper, *ink, *muted, *line;
    const char *leads, *compares, *behind; /* of curves (fitness_curves.h) */
    const char *series[PLOT_SERIES];       /* of stages, for the colour-blind */
    const char *shades[PLOT_SHADES];       /* from none to full */
};

/* The colours on a dark ground, or on a light one. */
const struct plot_theme *plot_theme_of(bool is_dark);

/* What gnuplot draws on. */
struct plot_canvas {
    FILE *out; /* the script */
    bool svg;
    int pixels_wide, pixels_high;
    double unit;          /* pixels */
    double width, height; /* units */
    const struct plot_theme *theme;
};

/* A picture to draw. */
struct plot_picture {
    const char *title, *description; /* of an SVG file; any text */
    int width, height;               /* its own size, in units */
    bool rigid;                      /* its rows need this height, so it only scales as a whole */
    void (*write)(const struct plot_canvas *c, const void *what); /* the script after its head */
    const void *what;
};

/* Draws a picture under the rules of plot.h. */
bool plot_draw(const struct plot_picture *p, const struct plot_file *file, struct error *err);

/* ---- parts of a script ---- */

/* Writes a text in gnuplot's single quotes, in which only the quote itself is special. */
void plot_quote(FILE *out, const char *text);

/* Writes the terminal, the frame and the grid. */
void plot_begin(const struct plot_canvas *c);

/* Writes the title above the picture. */
void plot_title(const struct plot_canvas *c, const char *title);

/* Places the area of the axes between these lines, in units. */
void plot_area(const struct plot_canvas *c, double left, double right, double top, double bottom);

/* Writes the names of the axes at the edges of the picture; NULL: none. gnuplot's own would lie at
 * a distance from the axes that differs between SVG and PNG. */
void plot_axis_names(const struct plot_canvas *c, const char *x, const char *y);

/* How a label lies to its position. */
enum plot_align { PLOT_LEFT, PLOT_CENTRE, PLOT_RIGHT };

/* Writes a text at a position; `size` is that of its letters. It is cut to `room` units. */
void plot_label(const struct plot_canvas *c, double x, double y, enum plot_align align, double size,
                const char *color, double room, const char *text);

/* The width of a text, about. */
double plot_width(const char *text, double size);

/* An entry of a legend: a sign in a colour, and what it means. */
struct plot_key {
    const char *sign, *color, *text;
};

/* Signs that look like what they stand for. */
#define PLOT_LINE    "━━"
#define PLOT_THIN    "──"
#define PLOT_BAND    "██"
#define PLOT_DOT     "●"
#define PLOT_DIAMOND "◆"
#define PLOT_CROSS   "✕"

/* Writes a legend in rows from `left`, the first row at `top`. Returns the height of the rows. */
double plot_legend(const struct plot_canvas *c, const struct plot_key *keys, int count, double left,
                   double top);

/* A colour mixed into the paper's, "#rrggbb": `share` of the colour. */
const char *plot_tint(const struct plot_canvas *c, const char *color, double share, char mixed[8]);

#endif
