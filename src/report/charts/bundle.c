#include "bundle.h"

#include "html.h"

#include <assert.h>
#include <math.h>

enum {
    SIZE = 1000,  /* of the picture in its own units, both ways */
    POINTS = 300, /* most points drawn of a curve */
    LEADER = 22,  /* the length of the line from a curve's end to its name, in the same units */
    Y_TICKS = 6,
    X_TICKS = 8,
};

/* The distance between two names, as a share of the picture's height on a phone. */
#define NAME_GAP 0.066

struct frame {
    const struct bundle *bundle;
    struct scale x, y;
};

/* ---- axes ---- */

static void take_in(double *low, double *high, double value)
{
    if (!isfinite(value))
        return;
    *low = fmin(*low, value);
    *high = fmax(*high, value);
}

static void take_in_curve(double *low, double *high, const struct bundle_curve *c)
{
    for (int i = 0; i < c->count; i++) {
        struct bundle_point p = c->at(c->context, i);
        take_in(low, high, p.y);
        take_in(low, high, c->has_band ? p.low : NAN);
        take_in(low, high, c->has_band ? p.high : NAN);
    }
}

static struct frame frame_of(const struct bundle *b)
{
    double low = INFINITY, high = -INFINITY;
    for (int i = 0; i < b->count; i++)
        take_in_curve(&low, &high, &b->curves[i]);
    struct frame f = {b, scale_for(0, b->x_last, X_TICKS), scale_for(low, high, Y_TICKS)};
    f.x.high = b->x_last;
    return f;
}

static double across(const struct frame *f, double x)
{
    return SIZE * scale_place(&f->x, x);
}

static double down(const struct frame *f, double y)
{
    return SIZE * (1 - fmin(1, fmax(0, scale_place(&f->y, y))));
}

/* ---- the picture ---- */

static void write_grid(FILE *out, const struct frame *f)
{
    int steps = (int)floor((f->y.high - f->y.low) / f->y.step + 1e-6);
    fputs("<path class=\"grid\" d=\"", out);
    for (int i = 0; i <= steps; i++)
        fprintf(out, "M0 %.1fh%d", down(f, f->y.low + i * f->y.step), SIZE);
    fputs("\"/>\n", out);
}

/* The number of points drawn of a curve; drawn_at gets each. */
static int drawn_of(const struct bundle_curve *c)
{
    return c->count < POINTS ? c->count : POINTS;
}

static struct bundle_point drawn_at(const struct bundle_curve *c, int i)
{
    int drawn = drawn_of(c);
    return c->at(c->context, drawn > 1 ? (int)((long)i * (c->count - 1) / (drawn - 1)) : 0);
}

/* Draws a band: along the upper edge, then back along the lower. */
static void write_band(FILE *out, const struct frame *f, const struct bundle_curve *c)
{
    int drawn = drawn_of(c);
    if (!c->has_band)
        return;
    fprintf(out, "<path class=\"spread %s\" d=\"", c->css);
    for (int i = 0; i < 2 * drawn; i++) {
        bool upper = i < drawn;
        struct bundle_point p = drawn_at(c, upper ? i : 2 * drawn - 1 - i);
        fprintf(out, "%c%.1f %.1f", i == 0 ? 'M' : 'L', across(f, p.x),
                down(f, upper ? p.high : p.low));
    }
    fputs("Z\"/>\n", out);
}

static void write_curve(FILE *out, const struct frame *f, const struct bundle_curve *c)
{
    int drawn = drawn_of(c);
    fprintf(out, "<path class=\"curve %s%s\" d=\"", c->css, drawn == 1 ? " single" : "");
    for (int i = 0; i < drawn; i++) {
        struct bundle_point p = drawn_at(c, i);
        fprintf(out, "%c%.1f %.1f", i == 0 ? 'M' : 'L', across(f, p.x), down(f, p.y));
    }
    fprintf(out, "%s\"><title>", drawn == 1 ? "h0" : "");
    html_text(out, c->name);
    fputs("</title></path>\n", out);
}

/* ---- the names ---- */

/* Sorts the numbers 0 to count - 1 by their places; equal ones keep their order. */
static void sort_by_place(const double *places, int count, int *order)
{
    for (int i = 0; i < count; i++) {
        int at = i;
        for (; at > 0 && places[order[at - 1]] > places[i]; at--)
            order[at] = order[at - 1];
        order[at] = i;
    }
}

void bundle_spread(double *places, int count, double gap)
{
    int order[CHART_CURVES];
    assert(count <= CHART_CURVES);
    sort_by_place(places, count, order);
    double shift[CHART_CURVES], below = 0;
    gap = count > 1 ? fmin(gap, 1.0 / (count - 1)) : gap;
    for (int i = 0; i < count; i++) { /* the least places from the top down */
        below = i == 0 ? fmax(0, places[order[0]]) : fmax(below + gap, places[order[i]]);
        shift[i] = below;
    }
    double above = 1 + gap;
    for (int i = count - 1; i >= 0; i--) { /* back from the bottom up */
        above = fmin(above - gap, shift[i]);
        shift[i] = above;
    }
    for (int i = 0; i < count; i++)
        places[order[i]] = shift[i];
}

static struct bundle_point end_of(const struct bundle_curve *c)
{
    return c->at(c->context, c->count - 1);
}

/* The places of the names, from the top: at the ends of the curves, moved apart. */
static void place_names(const struct frame *f, double places[CHART_CURVES])
{
    const struct bundle *b = f->bundle;
    for (int i = 0; i < b->count; i++)
        places[i] = down(f, end_of(&b->curves[i]).y) / SIZE;
    bundle_spread(places, b->count, NAME_GAP);
}

/* Lines from the ends of the curves to their names. */
static void write_leaders(FILE *out, const struct frame *f, const double *places)
{
    const struct bundle *b = f->bundle;
    for (int i = 0; i < b->count; i++) {
        struct bundle_point end = end_of(&b->curves[i]);
        fprintf(out, "<path class=\"leader %s\" d=\"M%.1f %.1fL%d %.1f\"/>\n", b->curves[i].css,
                across(f, end.x), down(f, end.y), SIZE + LEADER, SIZE * places[i]);
    }
}

static void write_names(FILE *out, const struct frame *f, const double *places)
{
    const struct bundle *b = f->bundle;
    fputs("<div class=\"ends\">", out);
    for (int i = 0; i < b->count; i++) {
        fprintf(out, "<span style=\"top:%.2f%%\"><i class=\"key %s\"></i>", 100 * places[i],
                b->curves[i].css);
        html_text(out, b->curves[i].name);
        fputs("</span>", out);
    }
    fputs("</div>\n", out);
}

/* ---- all of it ---- */

static void write_picture(FILE *out, const struct frame *f, const double *places)
{
    const struct bundle *b = f->bundle;
    fprintf(out,
            "<svg viewBox=\"0 0 %d %d\" preserveAspectRatio=\"none\" role=\"img\" aria-label=\"",
            SIZE, SIZE);
    html_text(out, b->title);
    fputs("\">\n", out);
    write_grid(out, f);
    for (int i = b->count - 1; i >= 0; i--)
        write_band(out, f, &b->curves[i]);
    write_leaders(out, f, places);
    for (int i = b->count - 1; i >= 0; i--)
        write_curve(out, f, &b->curves[i]);
    fputs("</svg>\n", out);
}

void bundle_write(FILE *out, const struct bundle *b)
{
    struct frame f = frame_of(b);
    double places[CHART_CURVES];
    place_names(&f, places);
    fputs("<figure class=\"chart bundle\">\n<div class=\"y-name\">", out);
    html_text(out, b->y_name);
    fputs("</div>\n<div class=\"plot\">\n", out);
    write_picture(out, &f, places);
    scale_write_beside(out, &f.y);
    scale_write_below(out, &f.x);
    write_names(out, &f, places);
    fputs("</div>\n<div class=\"x-name\">", out);
    html_text(out, b->x_name);
    fputs("</div>\n</figure>\n", out);
}
