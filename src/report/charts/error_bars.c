#include "error_bars.h"

#include "chart.h"
#include "html.h"

#include <math.h>
#include <stdbool.h>

enum { WIDTH = 1000, HEIGHT = 100, MIDDLE = HEIGHT / 2, CAP = 18, TICKS = 8 };

static void take_in(double *low, double *high, double value)
{
    if (!isfinite(value))
        return;
    *low = fmin(*low, value);
    *high = fmax(*high, value);
}

/* The axis for all finite ends and for 0. */
static struct scale scale_of(const struct error_bar *bars, int count)
{
    double low = 0, high = 0;
    for (int i = 0; i < count; i++) {
        take_in(&low, &high, bars[i].low);
        take_in(&low, &high, bars[i].value);
        take_in(&low, &high, bars[i].high);
    }
    return scale_for(low, high, TICKS);
}

/* The position of a number; infinite ends lie at the edge of the picture. */
static double across(const struct scale *x, double value)
{
    return WIDTH * fmin(1, fmax(0, scale_place(x, value)));
}

/* Grid lines at every step of the axis, and at 0. */
static void write_grid(FILE *out, const struct scale *x)
{
    int steps = (int)floor((x->high - x->low) / x->step + 1e-6);
    fputs("<path class=\"grid\" d=\"", out);
    for (int i = 0; i <= steps; i++)
        fprintf(out, "M%.1f 0v%d", across(x, x->low + i * x->step), HEIGHT);
    fprintf(out, "\"/><path class=\"zero\" d=\"M%.1f 0v%d\"/>", across(x, 0), HEIGHT);
}

/* An end of the interval; a finite one has a cap. */
static void write_cap(FILE *out, const struct scale *x, double end)
{
    if (isfinite(end))
        fprintf(out, "M%.1f %dv%d", across(x, end), MIDDLE - CAP, 2 * CAP);
}

static void write_bar(FILE *out, const struct scale *x, const struct error_bar *bar)
{
    fprintf(out, "<path class=\"error %s\" d=\"M%.1f %dH%.1f", bar->css, across(x, bar->low),
            MIDDLE, across(x, bar->high));
    write_cap(out, x, bar->low);
    write_cap(out, x, bar->high);
    fprintf(out, "\"/><path class=\"dot %s\" d=\"M%.1f %dh0\"/>", bar->css, across(x, bar->value),
            MIDDLE);
}

static void write_row(FILE *out, const struct scale *x, const struct error_bar *bar)
{
    fputs("<div class=\"bar\"><span class=\"name\">", out);
    html_text(out, bar->name);
    fprintf(out,
            "</span><svg viewBox=\"0 0 %d %d\" preserveAspectRatio=\"none\" role=\"img\"><title>",
            WIDTH, HEIGHT);
    html_text(out, bar->hint);
    fputs("</title>", out);
    write_grid(out, x);
    if (!isnan(bar->value) && !isnan(bar->low) && !isnan(bar->high))
        write_bar(out, x, bar);
    fputs("</svg></div>\n", out);
}

void error_bars_write(FILE *out, const struct error_bar *bars, int count, const char *axis_name)
{
    struct scale x = scale_of(bars, count);
    fputs("<figure class=\"bars\">\n", out);
    for (int i = 0; i < count; i++)
        write_row(out, &x, &bars[i]);
    fputs("<div class=\"bar axes\"><span class=\"name\"></span><div>", out);
    scale_write_below(out, &x);
    fputs("</div></div>\n<div class=\"bar\"><span class=\"name\"></span><div class=\"x-name\">",
          out);
    html_text(out, axis_name);
    fputs("</div></div>\n</figure>\n", out);
}
