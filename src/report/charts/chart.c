#include "chart.h"

#include "broken_scale.h"
#include "html.h"

#include <math.h>
#include <stdbool.h>

enum {
    SIZE = 1000,  /* of the picture in its own units, both ways */
    POINTS = 400, /* most points drawn */
    TOLD = 256,   /* bytes of a tooltip */
    Y_TICKS = 6,  /* steps, about */
    X_TICKS = 10,
    MANY = 7, /* ticks for a narrow page */
};

#define MINUS "\xe2\x88\x92" /* U+2212, as wide as a plus */

/* ---- axes ---- */

/* The step that divides a range into about `ticks` parts. */
static double nice_step(double range, int ticks)
{
    double rough = range / ticks, power = pow(10, floor(log10(rough)));
    double times = rough / power;
    return power * (times < 1.5 ? 1 : times < 3.5 ? 2 : times < 7.5 ? 5 : 10);
}

/* The decimals of a step's multiples. */
static int decimals_of(double step)
{
    int decimals = (int)-floor(log10(step) + 1e-9);
    return decimals > 0 ? decimals : 0;
}

struct scale scale_for(double low, double high, int ticks)
{
    if (!isfinite(high - low) || low > high)
        low = high = 0;
    double least = fmax(fabs(low), fabs(high)) * 1e-6;
    if (high - low <= least) {
        low -= least > 0 ? fabs(low) * 0.05 : 0;
        high += least > 0 ? fabs(high) * 0.05 : 1;
    }
    double step = nice_step(high - low, ticks);
    return (struct scale){step * floor(low / step + 1e-9), step * ceil(high / step - 1e-9), step,
                          decimals_of(step)};
}

struct scale scale_cells(int last, int ticks)
{
    return (struct scale){-0.5, last + 0.5, last > 0 ? fmax(1, nice_step(last, ticks)) : 1, 0};
}

struct scale scale_generations(int last, int ticks)
{
    if (last <= 0)
        return scale_cells(0, ticks);
    return (struct scale){0, last, fmax(1, nice_step(last, ticks)), 0};
}

double scale_place(const struct scale *s, double value)
{
    return (value - s->low) / (s->high - s->low);
}

/* The first tick. */
static double first_tick(const struct scale *s)
{
    return s->step * ceil(s->low / s->step - 1e-9);
}

/* The number of ticks after the first. */
static int steps_of(const struct scale *s)
{
    return (int)floor((s->high - first_tick(s)) / s->step + 1e-6);
}

/* Writes a tick of the scale at `place`; `side` is the CSS property that places it. */
static void write_tick(FILE *out, const struct scale *s, const char *side, double place,
                       double value)
{
    bool negative = value < -s->step / 2;
    fprintf(out, "<span style=\"%s:%.2f%%\">%s%.*f</span>", side, 100 * place,
            negative ? MINUS : "", s->decimals, fabs(value));
}

/* Writes a tick at each step; `css` and `side` say where they stand. A narrow page leaves out every
 * second one of many. */
static void write_ticks(FILE *out, const struct scale *s, const char *css, const char *side)
{
    int steps = steps_of(s);
    fprintf(out, "<div class=\"ticks %s%s\" aria-hidden=\"true\">", css,
            steps > MANY ? " many" : "");
    for (int i = 0; i <= steps; i++) {
        double value = first_tick(s) + i * s->step;
        write_tick(out, s, side, scale_place(s, value), value);
    }
    fputs("</div>\n", out);
}

void scale_write_below(FILE *out, const struct scale *s)
{
    write_ticks(out, s, "below", "left");
}

void scale_write_beside(FILE *out, const struct scale *s)
{
    write_ticks(out, s, "beside", "bottom");
}

/* Writes the ticks beside the picture. */
static void write_beside(FILE *out, const struct broken_scale *s)
{
    double ticks[BROKEN_TICKS];
    int count = broken_scale_ticks(s, ticks);
    fputs("<div class=\"ticks beside\" aria-hidden=\"true\">", out);
    for (int i = 0; i < count; i++)
        write_tick(out, &s->main, "bottom", broken_scale_place(s, ticks[i]), ticks[i]);
    fputs("</div>\n", out);
}

/* ---- the picture ---- */

/* The chart, its axes and points. */
struct frame {
    const struct chart *chart;
    struct scale x;
    struct broken_scale y;
    int points[POINTS + 1], count; /* the points drawn, including the first and the last */
};

static double across(const struct frame *f, int point)
{
    return SIZE * scale_place(&f->x, point);
}

/* Clamps a coordinate to the picture; also for NaN. */
static double down(const struct frame *f, double value)
{
    return SIZE * (1 - broken_scale_place(&f->y, value));
}

/* The context of a curve's values. */
static const void *context_of(const struct chart *c, const struct chart_curve *curve)
{
    return curve->context != NULL ? curve->context : c->context;
}

/* Widens a range to include a chart's values. */
static void take_in(double *low, double *high, const struct chart *c, chart_values *values,
                    const void *context)
{
    for (int i = 0; i < c->count; i++) {
        double value = values(context, i);
        if (!isfinite(value))
            continue;
        *low = fmin(*low, value);
        *high = fmax(*high, value);
    }
}

/* Selects every point, or every second, third ..., and the last. */
static void choose_points(struct frame *f)
{
    int last = f->chart->count - 1, stride = (last + POINTS - 1) / POINTS;
    for (int i = 0; i < last; i += stride)
        f->points[f->count++] = i;
    f->points[f->count++] = last;
}

static struct frame frame_of(const struct chart *c)
{
    double low = INFINITY, high = -INFINITY;
    for (int i = 0; i < c->curve_count; i++)
        take_in(&low, &high, c, c->curves[i].y, context_of(c, &c->curves[i]));
    if (c->band_name != NULL) {
        take_in(&low, &high, c, c->band_low, c->context);
        take_in(&low, &high, c, c->band_high, c->context);
    }
    struct frame f = {.chart = c,
                      .x = scale_generations(c->count - 1, X_TICKS),
                      .y = broken_scale_for(low, high, c->from < c->to ? c->from : low,
                                            c->from < c->to ? c->to : high, Y_TICKS)};
    choose_points(&f);
    return f;
}

/* Marks a broken axis by two dashed lines across the picture. */
static void write_break(FILE *out, const struct frame *f)
{
    double edges[2];
    if (f->y.side == NOT_BROKEN)
        return;
    broken_scale_gap(&f->y, edges);
    fprintf(out, "<path class=\"grid break\" d=\"M0 %.1fh%dM0 %.1fh%d\"/>\n", SIZE * (1 - edges[0]),
            SIZE, SIZE * (1 - edges[1]), SIZE);
}

static void write_grid(FILE *out, const struct frame *f)
{
    double ticks[BROKEN_TICKS];
    int count = broken_scale_ticks(&f->y, ticks);
    fputs("<path class=\"grid\" d=\"", out);
    for (int i = 0; i < count; i++)
        fprintf(out, "M0 %.1fh%d", down(f, ticks[i]), SIZE);
    fputs("\"/>\n", out);
    write_break(out, f);
}

/* Draws a curve. An isolated point is a line of length 0, whose round ends make a dot. */
static void write_curve(FILE *out, const struct frame *f, const struct chart_curve *curve)
{
    char pen = 'M';
    fprintf(out, "<path class=\"curve %s%s\" d=\"", curve->css, f->count == 1 ? " single" : "");
    for (int i = 0; i < f->count; i++) {
        double y = curve->y(context_of(f->chart, curve), f->points[i]);
        bool there = isfinite(y);
        if (there)
            fprintf(out, "%c%.1f %.1f%s", pen, across(f, f->points[i]), down(f, y),
                    pen == 'M' ? "h0" : "");
        pen = there ? 'L' : 'M';
    }
    fputs("\"/>\n", out);
}

/* Draws the band: along the upper edge, then back along the lower. */
static void write_band(FILE *out, const struct frame *f)
{
    const struct chart *c = f->chart;
    char step = 'M';
    fputs("<path class=\"band\" d=\"", out);
    for (int k = 0; k < 2 * f->count;
         k++) { /* there along its high end, and back along the low one */
        const int point = f->points[k < f->count ? k : 2 * f->count - 1 - k];
        const double value = (k < f->count ? c->band_high : c->band_low)(c->context, point);
        if (isnan(value))
            continue;
        fprintf(out, "%c%.1f %.1f", step, across(f, point), down(f, value));
        step = 'L';
    }
    fputs("Z\"/>\n", out);
}

/* Writes invisible columns with tooltips. */
static void write_hints(FILE *out, const struct frame *f)
{
    const struct chart *c = f->chart;
    double width = (double)SIZE / f->count;
    fputs("<g class=\"hints\">", out);
    for (int i = 0; i < f->count; i++) {
        char text[TOLD];
        c->tell(c->context, f->points[i], text, sizeof text);
        fprintf(out, "<rect x=\"%.1f\" y=\"0\" width=\"%.1f\" height=\"%d\"><title>",
                across(f, f->points[i]) - width / 2, width, SIZE);
        html_text(out, text);
        fputs("</title></rect>", out);
    }
    fputs("</g>\n", out);
}

static void write_legend(FILE *out, const struct chart *c)
{
    fputs("<figcaption class=\"legend\">", out);
    for (int i = 0; i < c->curve_count; i++) {
        if (c->curves[i].name == NULL)
            continue;
        fprintf(out, "<span><i class=\"key %s\"></i>", c->curves[i].css);
        html_text(out, c->curves[i].name);
        fputs("</span>", out);
    }
    if (c->band_name != NULL) {
        fputs("<span><i class=\"key band\"></i>", out);
        html_text(out, c->band_name);
        fputs("</span>", out);
    }
    fputs("</figcaption>\n", out);
}

/* Draws the grid, the band on it, and the curves on top. */
static void write_picture(FILE *out, const struct frame *f)
{
    const struct chart *c = f->chart;
    fprintf(out,
            "<svg viewBox=\"0 0 %d %d\" preserveAspectRatio=\"none\" role=\"img\" aria-label=\"",
            SIZE, SIZE);
    html_text(out, c->title);
    fputs("\">\n", out);
    write_grid(out, f);
    if (c->band_name != NULL)
        write_band(out, f);
    for (int i = c->curve_count - 1; i >= 0; i--)
        write_curve(out, f, &c->curves[i]);
    if (c->tell != NULL)
        write_hints(out, f);
    fputs("</svg>\n", out);
}

void chart_write(FILE *out, const struct chart *c)
{
    struct frame f = frame_of(c);
    fputs("<figure class=\"chart\">\n", out);
    if (c->curve_count > 1 || c->band_name != NULL)
        write_legend(out, c);
    fputs("<div class=\"y-name\">", out);
    html_text(out, c->y_name);
    fputs("</div>\n<div class=\"plot\">\n", out);
    write_picture(out, &f);
    write_beside(out, &f.y);
    scale_write_below(out, &f.x);
    fputs("</div>\n<div class=\"x-name\">", out);
    html_text(out, c->x_name);
    fputs("</div>\n</figure>\n", out);
}
