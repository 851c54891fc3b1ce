/* What pictures are drawn on: SVG of a width and a height, in units. Positions run from the top left corner.
 *
 * Elements have classes and no colours. The style (picture.css) gives them: on a page by variables, for light and
 * dark; in a file written out for one of these. The classes of a colour: best, held-out, mean (of curves); ahead,
 * behind, open (of verdicts); s0 to s7 (of stages); muted. */
#ifndef GRAYLING_CANVAS_H
#define GRAYLING_CANVAS_H

#include <stdbool.h>
#include <stdio.h>

enum { CANVAS_SERIES = 8, CANVAS_SHADES = 9, CANVAS_SIDE = 8 /* units at the edges */ };

struct canvas {
    FILE *out; /* NULL while a height is asked for: nothing is written */
    double width, height;
    double top, bottom; /* of the picture, between its legend and its foot */
    double unit;        /* rows are stretched by so much */
    bool narrow;        /* too narrow for names beside rows: they go above */
    bool in_page;       /* the page has the title, and values under the pointer */
};

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

/* Writes a legend in rows from the top of the picture, which then is below it. */
void canvas_legend(struct canvas *c, const struct canvas_key *keys, int count);

/* ---- shapes ---- */

void canvas_line(const struct canvas *c, const char *css, double x1, double y1, double x2,
                 double y2);
/* A dot, a diamond or a cross. */
void canvas_mark(const struct canvas *c, enum canvas_sign sign, const char *css, double x,
                 double y);

/* ---- axes ---- */

/* The axis of a picture: round steps, and positions from 0 at its low end to 1 at its high end. It may be broken: what
 * lies far beyond the values of interest, like the steep start of a run, is compressed into a strip.
 *
 *     1    ─┬─ high
 *           │       the values of interest, on a scale of their own
 *           ├─ low
 *           ≈       the break
 *           ├─      the strip, here below
 *     0    ─┴─ end */
enum broken_side { NOT_BROKEN, BROKEN_BELOW, BROKEN_ABOVE };

struct scale {
    double low, high, step; /* ticks are multiples of the step: 1, 2 or 5 times a power of ten */
    int decimals;           /* of its ticks */
    enum broken_side side;
    double end; /* the value at the far end of the strip */
};

/* The axis for values from `low` to `high`, with about `ticks` steps. */
struct scale scale_for(double low, double high, int ticks);

/* The same, of which the values from `from` to `to` are of interest. It is broken only if these are
 * less than two thirds of the whole. */
struct scale scale_broken(double low, double high, double from, double to, int ticks);

/* The axis from 0 to `last`, which need not be a whole step; and that of cells of equal width for 0 to `last`, with a
 * tick in the middle of its cell, as a single generation has it. */
struct scale scale_to(double last, int ticks);
struct scale scale_cells(int last, int ticks);

/* The position of a value, clamped to 0 to 1; 0 for NaN. */
double scale_place(const struct scale *s, double value);

/* The positions of the two edges of a break, the lower first. Undefined if there is none. */
void scale_gap(const struct scale *s, double edges[2]);

/* The ticks: each step, and the end of the strip. Returns their number. */
enum { SCALE_TICKS = 32 };
int scale_ticks(const struct scale *s, double ticks[SCALE_TICKS]);

/* A tick in words, with a minus as wide as a plus. Returns `text`. */
enum { SCALE_TEXT = 48 };
const char *scale_text(const struct scale *s, double tick, char text[SCALE_TEXT]);

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
