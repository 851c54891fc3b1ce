/* What pictures are drawn on: SVG of a width and a height, in units. Positions run from the top left
 * corner.
 *
 * Elements have classes and no colours. The style (picture.css) gives them: on a page by variables,
 * for light and dark; in a file written out for one of these. The classes of a colour: best,
 * held-out, mean (of curves); ahead, behind, open (of verdicts); s0 to s7 (of stages); muted. */
#ifndef GRAYLING_CANVAS_H
#define GRAYLING_CANVAS_H

#include "scale.h"

#include <stdbool.h>
#include <stdio.h>

enum { CANVAS_SERIES = 8, CANVAS_SHADES = 9 };

struct canvas {
    FILE *out; /* NULL while a height is asked for: nothing is written */
    double width, height;
    double own;   /* the picture's own height at this width; rows are stretched from it */
    bool in_page; /* the page has the title, and values under the pointer */
};

/* True if the canvas is too narrow for names beside rows: they go above. */
bool canvas_is_narrow(const struct canvas *c);

/* ---- colours ---- */

/* Writes the style with its colours written out, for a file. */
void canvas_write_style(FILE *out, bool dark);

/* Writes the style for a page, and its colours as variables, which the page may use too: dark ones for a
 * screen that wants them. */
void canvas_write_page_style(FILE *out);

/* ---- text ---- */

/* The size of letters. */
#define CANVAS_TITLE 15.0
#define CANVAS_NAME  12.0 /* of axes and legends */
#define CANVAS_LABEL 11.0 /* of ticks and rows */

/* The width of a text, about. */
double canvas_width(const char *text, double size);

/* Writes a text whose letters have their middle at `y`. `css`: end or middle for one that ends there
 * or has its middle there, and its colour; tint: in the colour of that class. It is cut to `room`. */
void canvas_text(const struct canvas *c, double x, double y, double size, const char *css,
                 double room, const char *text);

/* Writes the title, and a note below if there is one, unless a page has them. Returns where the
 * picture begins. */
double canvas_title(const struct canvas *c, const char *title, const char *note);

/* An entry of a legend: what a sign in a colour means. */
enum canvas_sign {
    SIGN_LINE,
    SIGN_THIN,
    SIGN_DASHES,
    SIGN_BAND,
    SIGN_DOT,
    SIGN_DIAMOND,
    SIGN_CROSS
};

struct canvas_key {
    enum canvas_sign sign;
    const char *css, *text;
};

/* Writes a legend in rows from a height on. Returns where the picture goes on. */
double canvas_legend(const struct canvas *c, const struct canvas_key *keys, int count, double top);

/* ---- shapes ---- */

void canvas_line(const struct canvas *c, const char *css, double x1, double y1, double x2,
                 double y2);
/* A dot, a diamond or a cross. */
void canvas_mark(const struct canvas *c, enum canvas_sign sign, const char *css, double x,
                 double y);

/* ---- axes ---- */

/* A part of the canvas that has axes. */
struct area {
    double left, right, top, bottom;
    struct scale x, y;
};

double area_across(const struct area *a, double value);
double area_down(const struct area *a, double value);

/* Writes the vertical axis: grid lines, ticks beside them, the break. */
void canvas_axis_beside(const struct canvas *c, const struct area *a);
/* Writes the ticks below the area, and the name of the axis; with grid lines if it has no others. */
void canvas_axis_below(const struct canvas *c, const struct area *a, const char *name, bool grid);

#endif
