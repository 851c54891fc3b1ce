#include "error_bars.h"

#include "chart.h"
#include "html.h"

#include <math.h>
#include <stdbool.h>

enum { WIDTH = 1000, HEIGHT = 100, MIDDLE = HEIGHT / 2, CAP = 18, TICKS = 8 };

/* ---- the axis ---- */

/* True if there is a number, and the axis must contain it. */
static bool within(const struct error_bar *bar, double most)
{
    return fabs(bar->value) <= most;
}

/* Widens a range to include a number, clipped to the most that the axis may have. */
static void take_in(double *low, double *high, double value, double most)
{
    *low = fmin(*low, fmax(value, -most));
    *high = fmax(*high, fmin(value, most));
}

/* The axis for 0 and the intervals of all numbers that it must contain. If there are none it is as
 * long as it may be. */
static struct scale scale_of(const struct error_bar *bars, int count, double most)
{
    double low = 0, high = 0;
    for (int i = 0; i < count; i++) {
        if (!within(&bars[i], most))
            continue;
        take_in(&low, &high, bars[i].low, most);
        take_in(&low, &high, bars[i].high, most);
    }
    return low < high ? scale_for(low, high, TICKS) : scale_for(-most, most, TICKS);
}

/* The position of a number; those beyond the axis lie at the edge of the picture. */
static double across(const struct scale *x, double value)
{
    return WIDTH * fmin(1, fmax(0, scale_place(x, value)));
}

static bool is_beyond(const struct scale *x, double value)
{
    return value < x->low || value > x->high;
}

/* ---- a row ---- */

/* Grid lines at every step of the axis, and at 0. */
static void write_grid(FILE *out, const struct scale *x)
{
    int steps = (int)floor((x->high - x->low) / x->step + 1e-6);
    fputs("<path class=\"grid\" d=\"", out);
    for (int i = 0; i <= steps; i++)
        fprintf(out, "M%.1f 0v%d", across(x, x->low + i * x->step), HEIGHT);
    fprintf(out, "\"/><path class=\"zero\" d=\"M%.1f 0v%d\"/>", across(x, 0), HEIGHT);
}

/* An end of the interval has a cap if it is on the axis. */
static void write_cap(FILE *out, const struct scale *x, double end)
{
    if (!is_beyond(x, end))
        fprintf(out, "M%.1f %dv%d", across(x, end), MIDDLE - CAP, 2 * CAP);
}

/* The part of the interval that is on the axis, and the number if it is. */
static void write_bar(FILE *out, const struct scale *x, const struct error_bar *bar)
{
    fprintf(out, "<path class=\"error %s\" d=\"M%.1f %dH%.1f", bar->css, across(x, bar->low),
            MIDDLE, across(x, bar->high));
    write_cap(out, x, bar->low);
    write_cap(out, x, bar->high);
    fputs("\"/>", out);
    if (!is_beyond(x, bar->value))
        fprintf(out, "<path class=\"dot %s\" d=\"M%.1f %dh0\"/>", bar->css, across(x, bar->value),
                MIDDLE);
}

/* An arrow at one end of the axis, if the number or its interval goes on there. The number stands
 * beside the arrow if it is itself beyond the axis. */
static void write_arrow(FILE *out, const struct error_bar *bar, const char *side, bool number,
                        bool interval)
{
    if (!number && !interval)
        return;
    fprintf(out, "<span class=\"beyond %s %s\">", side, bar->css);
    if (number)
        html_text(out, bar->figure);
    fputs("</span>", out);
}

static void write_arrows(FILE *out, const struct scale *x, const struct error_bar *bar)
{
    write_arrow(out, bar, "left", bar->value < x->low, bar->low < x->low);
    write_arrow(out, bar, "right", bar->value > x->high, bar->high > x->high);
}

static void write_row(FILE *out, const struct scale *x, const struct error_bar *bar)
{
    bool known = !isnan(bar->value) && !isnan(bar->low) && !isnan(bar->high);
    fputs("<div class=\"bar\"><span class=\"name\">", out);
    html_text(out, bar->name);
    fprintf(out,
            "</span><div class=\"range\"><svg viewBox=\"0 0 %d %d\" preserveAspectRatio=\"none\" "
            "role=\"img\"><title>",
            WIDTH, HEIGHT);
    html_text(out, bar->hint);
    fputs("</title>", out);
    write_grid(out, x);
    if (known)
        write_bar(out, x, bar);
    fputs("</svg>", out);
    if (known)
        write_arrows(out, x, bar);
    fputs("</div></div>\n", out);
}

void error_bars_write(FILE *out, const struct error_bar *bars, int count,
                      const struct error_axis *axis)
{
    struct scale x = scale_of(bars, count, axis->most);
    fputs("<figure class=\"bars\">\n", out);
    for (int i = 0; i < count; i++)
        write_row(out, &x, &bars[i]);
    fputs("<div class=\"bar axes\"><span class=\"name\"></span><div>", out);
    scale_write_below(out, &x);
    fputs("</div></div>\n<div class=\"bar\"><span class=\"name\"></span><div class=\"x-name\">",
          out);
    html_text(out, axis->name);
    fputs("</div></div>\n</figure>\n", out);
}
