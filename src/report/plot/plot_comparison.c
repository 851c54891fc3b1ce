/* The plot of a comparison: a line for each stage, named at its end, the best stage on top. */
#include "plot_draw.h"

#include "axis.h"
#include "broken_scale.h"
#include "plot_axes.h"

#include <math.h>

enum { WIDTH = 900, HEIGHT = 540, TICKS = 7, START = 10, TOP = 44, BOTTOM = 56, LEFT = 76 };

#define LABEL     12.5 /* units: the letters of a name */
#define LABEL_GAP 17.0 /* units from one name to the next */
#define BAND      0.1  /* the share of a stage's colour in its band, and in the edges of the band */
#define EDGE      0.35

/* The stages in order of their results, without those that have no run. */
struct picture {
    const struct comparison *comparison;
    const char *title;
    const struct comparison_entry *order[NIGHT_STAGES];
    int count;
};

/* ---- values ---- */

/* The last generation of a stage within the common number of evaluations. */
static int last_of(const struct comparison *c, const struct comparison_entry *e)
{
    int last = 0;
    while (comparison_evaluations(e->stage->summaries, last + 1) <= c->evaluations)
        last++;
    return last;
}

/* The mean of a stage at the end. */
static double end_of(const struct comparison *c, const struct comparison_entry *e)
{
    return comparison_spread_at(c, e, last_of(c, e)).mean;
}

/* The axis for all bands. The first tenth of the evaluations may lie in the strip of a break. */
static struct broken_scale scale_of(const struct picture *p)
{
    const struct comparison *c = p->comparison;
    double low = INFINITY, high = -INFINITY, from = INFINITY, to = -INFINITY;
    for (int i = 0; i < p->count; i++)
        for (int g = 0, last = last_of(c, p->order[i]); g <= last; g++) {
            const struct comparison_spread s = comparison_spread_at(c, p->order[i], g);
            low = fmin(low, s.mean - s.deviation);
            high = fmax(high, s.mean + s.deviation);
            if (comparison_evaluations(p->order[i]->stage->summaries, g) < c->evaluations / START)
                continue;
            from = fmin(from, s.mean - s.deviation);
            to = fmax(to, s.mean + s.deviation);
        }
    return broken_scale_for(low, high, from, to, TICKS);
}

/* ---- the script ---- */

/* evaluations, mean, mean - deviation, mean + deviation: a block for each stage. */
static void write_data(FILE *out, const struct picture *p)
{
    const struct comparison *c = p->comparison;
    for (int i = 0; i < p->count; i++) {
        fprintf(out, "$stage%d << END\n", i);
        for (int g = 0, last = last_of(c, p->order[i]); g <= last; g++) {
            const struct comparison_spread s = comparison_spread_at(c, p->order[i], g);
            fprintf(out, "%d %.6g %.6g %.6g\n",
                    comparison_evaluations(p->order[i]->stage->summaries, g), s.mean,
                    s.mean - s.deviation, s.mean + s.deviation);
        }
        fputs("END\n", out);
    }
}

/* The colour of a stage: by its place in the recipe, so that it keeps it whatever the results. */
static const char *color_of(const struct plot_canvas *c, const struct picture *p, int index)
{
    return c->theme->series[(p->order[index] - p->comparison->entries) % PLOT_SERIES];
}

/* Stages beyond the eighth are dashed. */
static int dash_of(const struct picture *p, int index)
{
    return 1 + (int)(p->order[index] - p->comparison->entries) / PLOT_SERIES;
}

/* The band of each stage, that of the best on top. They are opaque, so that those which overlap do
 * not add up to grey; the edges show what is hidden. */
static void write_bands(const struct plot_canvas *c, const struct picture *p)
{
    char mixed[8];
    for (int i = p->count - 1; i >= 0; i--)
        fprintf(c->out,
                "$stage%d using 1:(y($3)):(y($4)) with filledcurves fillstyle solid noborder "
                "linecolor rgb '%s' notitle, ",
                i, plot_tint(c, color_of(c, p, i), BAND, mixed));
    for (int i = p->count - 1; i >= 0; i--)
        for (int column = 3; column <= 4; column++)
            fprintf(c->out,
                    "$stage%d using 1:(y($%d)) with lines linewidth 0.8 linecolor rgb '%s' "
                    "notitle, ",
                    i, column, plot_tint(c, color_of(c, p, i), EDGE, mixed));
}

/* The bands, then the mean of each stage on top of all bands; the best stage last. A stage of one
 * generation is a dot. */
static void write_curves(const struct plot_canvas *c, const struct picture *p)
{
    fputs("plot ", c->out);
    write_bands(c, p);
    for (int i = p->count - 1; i >= 0; i--)
        fprintf(c->out,
                "$stage%d using 1:(y($2)) with %s linewidth 2.4 dashtype %d linecolor rgb '%s' "
                "notitle%s",
                i, last_of(p->comparison, p->order[i]) > 0 ? "lines" : "points pointtype 7",
                dash_of(p, i), color_of(c, p, i), i > 0 ? ", " : "\n");
}

/* ---- the names ---- */

/* Finds room for names at these heights, which are in order from the top: keeps them apart, and
 * within the picture. */
static void spread_names(double *y, int count, double bottom)
{
    for (int i = 1; i < count; i++)
        y[i] = fmax(y[i], y[i - 1] + LABEL_GAP);
    double most = bottom;
    for (int i = count - 1; i >= 0; i--, most -= LABEL_GAP)
        y[i] = fmin(y[i], most);
}

/* The unit position of a stage's end, from the top. */
static double height_of(const struct plot_canvas *c, const struct picture *p,
                        const struct broken_scale *scale, int index)
{
    double place = broken_scale_place(scale, end_of(p->comparison, p->order[index]));
    return TOP + (1 - place) * (c->height - TOP - BOTTOM);
}

/* Writes each stage's name beside the end of its line, joined to it. */
static void write_names(const struct plot_canvas *c, const struct picture *p,
                        const struct broken_scale *scale, double right)
{
    double y[NIGHT_STAGES];
    bool best_is_lowest = p->comparison->summary->value->lower_is_better;
    for (int i = 0; i < p->count; i++)
        y[i] = height_of(c, p, scale, best_is_lowest ? p->count - 1 - i : i);
    spread_names(y, p->count, c->height - BOTTOM);
    for (int i = 0; i < p->count; i++) {
        int index = best_is_lowest ? p->count - 1 - i : i;
        char name[STORE_STAGE + 16];
        snprintf(name, sizeof name, "%d  %s", index + 1, p->order[index]->stage->stage->name);
        fprintf(c->out,
                "set arrow from screen %.6g,%.6g to screen %.6g,%.6g nohead linewidth 1 "
                "linecolor rgb '%s'\n",
                right / c->width, 1 - height_of(c, p, scale, index) / c->height,
                (right + 16) / c->width, 1 - y[i] / c->height, color_of(c, p, index));
        plot_label(c, right + 20, y[i], PLOT_LEFT, LABEL, color_of(c, p, index),
                   c->width - right - 24, name);
    }
}

/* The right end of the axes: what the widest name leaves. */
static double right_of(const struct plot_canvas *c, const struct picture *p)
{
    double widest = 0;
    for (int i = 0; i < p->count; i++)
        widest = fmax(widest, plot_width(p->order[i]->stage->stage->name, LABEL));
    return c->width - fmin(widest + 3 * LABEL + 24, c->width / 3);
}

static void write_script(const struct plot_canvas *c, const void *what)
{
    const struct picture *p = what;
    char label[OBJECTIVE_LABEL];
    double right = right_of(c, p);
    struct broken_scale scale = scale_of(p);
    write_data(c->out, p);
    plot_title(c, p->title);
    plot_area(c, LEFT, right, TOP, c->height - BOTTOM);
    plot_broken_axis(c, &scale);
    plot_axis_names(c, "evaluations", axis_label(p->comparison->summary, label));
    fprintf(c->out, "set xrange [0:%d]\n", p->comparison->evaluations);
    write_names(c, p, &scale, right);
    write_curves(c, p);
}

/* The largest number of runs of a stage. */
static int most_runs(const struct comparison *c)
{
    int most = 0;
    for (int i = 0; i < c->count; i++)
        most = c->entries[i].runs > most ? c->entries[i].runs : most;
    return most;
}

/* Puts the stages that have runs in order. */
static void order_stages(struct picture *p)
{
    comparison_order(p->comparison, p->order);
    while (p->count < p->comparison->count && p->order[p->count]->runs > 0)
        p->count++;
}

bool plot_comparison(const struct comparison *c, const char *name, const struct plot_file *file,
                     struct error *err)
{
    char title[256];
    struct picture what = {.comparison = c, .title = title};
    if (c->summary == NULL)
        return error_set(err, "there is nothing to plot: no run has reached %d evaluations yet",
                         c->evaluations);
    int runs = most_runs(c);
    snprintf(title, sizeof title, "%s: best so far, mean%s of %d run%s", name,
             runs > 1 ? " ± standard deviation" : "", runs, runs > 1 ? "s" : "");
    order_stages(&what);
    const struct plot_picture picture = {
        .title = title,
        .description = "The best objective value so far of each optimiser by evaluations. Each "
                       "line has its name and rank at its end; the band around it is one standard "
                       "deviation.",
        .width = WIDTH,
        .height = HEIGHT,
        .write = write_script,
        .what = &what};
    return plot_draw(&picture, file, err);
}
