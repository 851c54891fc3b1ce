/* Parameters: the course of each value by generation, as small multiples. */
#include "plot_draw.h"

#include <inttypes.h>

enum {
    WIDTH = 900,
    PANEL = 116, /* the height of a panel with its name */
    HEAD = 30,   /* of that the name */
    GAP = 52,    /* beside a panel, for the ticks */
    NAME = 14,   /* before the name */
    TOP = 56,
    FOOT = 34,
    LABEL = 11,
};

#define TICK 9.5 /* the size of the letters at a tick */

struct picture {
    const struct report *report;
    const char *title;
    int panels, columns, rows;
};

/* True for a gene that evolves; the others are left out. */
static bool is_shown(const struct param *p)
{
    return p->bits > 0 && p->max > p->min;
}

/* generation, the best organism's value, mean - deviation, mean + deviation */
static void write_data(FILE *out, const struct convergence *c, int gene)
{
    fputs("$course << END\n", out);
    for (int g = 0; g < c->generations; g++) {
        const struct gene_state *s = convergence_gene(c, g, gene);
        fprintf(out, "%d %" PRId32 " %.6g %.6g\n", g, s->best, s->mean - s->deviation,
                s->mean + s->deviation);
    }
    fputs("END\n", out);
}

/* Names the choices at the ends of the vertical axis. They may be wider than the gap, where gnuplot
 * would write them over the next panel. */
static void write_choices(const struct plot_canvas *c, const struct param *param, double left,
                          double top, double bottom)
{
    char text[PARAM_TEXT];
    plot_label(c, left - 6, bottom, PLOT_RIGHT, TICK, c->theme->muted, GAP - 8,
               param_value_text(param, param->min, text));
    plot_label(c, left - 6, top, PLOT_RIGHT, TICK, c->theme->muted, GAP - 8,
               param_value_text(param, param->max, text));
}

/* What the lines of the panels are: with the paper's values, if any parameter has one. */
static const char *what_lines_are(const struct report *r)
{
    for (int i = 0; i < r->genome.count; i++)
        if (r->genes[i].has_paper)
            return "best organism of each generation; band: population's mean ± standard "
                   "deviation; dashed: the paper's value";
    return "best organism of each generation; band: population's mean ± standard deviation";
}

/* The axes of a panel: the whole range, and all generations. The lowest panel of a column names the
 * generations. */
static void write_axes(const struct plot_canvas *c, const struct picture *p,
                       const struct param *param, int index)
{
    int last = p->report->summary.generation;
    bool lowest = index + p->columns >= p->panels, choice = param_is_choice(param);
    char low[PARAM_TEXT], high[PARAM_TEXT];
    fprintf(c->out,
            "set yrange [%" PRId32 ":%" PRId32 "]\nset ytics ('%s' %" PRId32 ", '%s' %" PRId32
            ")\n",
            param->min, param->max, choice ? "" : param_value_text(param, param->min, low),
            param->min, choice ? "" : param_value_text(param, param->max, high), param->max);
    if (last > 0)
        fprintf(c->out, "set xrange [0:%d]\nset xtics ('%s' 0, '%.0d' %d)\n", last,
                lowest ? "0" : "", lowest ? last : 0, last);
    else
        fprintf(c->out, "set xrange [-1:1]\nset xtics ('%s' 0)\n", lowest ? "0" : "");
}

/* Draws the band, the value to compare with, and the course of the best organism. */
static void write_curves(const struct plot_canvas *c, const struct report_gene *g, int last)
{
    const struct plot_theme *t = c->theme;
    if (last > 0)
        fprintf(c->out,
                "plot $course using 1:3:4 with filledcurves fillstyle transparent solid 0.22 "
                "noborder linecolor rgb '%s', ",
                t->behind);
    else
        fprintf(c->out,
                "plot $course using 1:3:(0):($4-$3) with vectors nohead linewidth 6 linecolor rgb "
                "'#a0%s', ",
                t->behind + 1);
    if (g->has_paper)
        fprintf(c->out, "%" PRId32 " with lines dashtype 2 linewidth 1.2 linecolor rgb '%s', ",
                g->paper, t->compares);
    fprintf(c->out, "$course using 1:2 with %s linewidth 1.8 linecolor rgb '%s'\n",
            last > 0 ? "steps" : "points pointtype 7 pointsize 0.8", t->leads);
}

/* Draws the panel of a gene. */
static void write_panel(const struct plot_canvas *c, const struct picture *p,
                        const struct report_gene *g, int index)
{
    double wide = (c->width - 24) / p->columns;
    double high = (c->height - TOP - FOOT) / p->rows;
    double left = 12 + wide * (index % p->columns) + GAP, right = left + wide - GAP - 8;
    double top = TOP + high * (index / p->columns);
    char value[PARAM_TEXT];
    param_value_text(g->param, g->evolved, value);
    fputs("unset label\n", c->out);
    if (index == 0) {
        plot_title(c, p->title);
        plot_label(c, c->width / 2, 40, PLOT_CENTRE, 11.5, c->theme->muted, c->width - 24,
                   what_lines_are(p->report));
        plot_label(c, c->width / 2, c->height - 12, PLOT_CENTRE, 13, c->theme->ink, c->width,
                   "generation");
    }
    plot_label(c, left + NAME - GAP, top + HEAD - 14, PLOT_LEFT, LABEL, c->theme->ink,
               right - left + GAP - NAME - plot_width(value, LABEL) - 6, g->param->name);
    plot_label(c, right, top + HEAD - 14, PLOT_RIGHT, LABEL, c->theme->leads, right - left, value);
    plot_area(c, left, right, top + HEAD, top + high - 8);
    if (param_is_choice(g->param))
        write_choices(c, g->param, left, top + HEAD, top + high - 8);
    write_data(c->out, &p->report->convergence, (int)(g - p->report->genes));
    write_axes(c, p, g->param, index);
    write_curves(c, g, p->report->summary.generation);
}

static void write_script(const struct plot_canvas *c, const void *what)
{
    const struct picture *p = what;
    fprintf(c->out, "set tics font ',%.4g'\nset multiplot\n",
            TICK * c->unit * (c->svg ? 1 : 0.735));
    for (int i = 0, index = 0; i < p->report->genome.count; i++)
        if (is_shown(p->report->genes[i].param))
            write_panel(c, p, &p->report->genes[i], index++);
    fputs("unset multiplot\n", c->out);
}

bool plot_parameters(const struct report *report, const struct plot_file *file, struct error *err)
{
    const struct run_summary *s = &report->summary;
    char title[RECIPE_NAME + 96];
    struct picture what = {.report = report, .title = title};
    if (s->generation < 0)
        return error_set(err, "there is nothing to plot: the run has no generation yet");
    for (int i = 0; i < report->genome.count; i++)
        what.panels += is_shown(report->genes[i].param);
    what.columns = what.panels <= 9 ? 3 : 4;
    what.rows = (what.panels + what.columns - 1) / what.columns;
    snprintf(title, sizeof title, "%s, seed %" PRIu64 ": parameters by generation", s->recipe.name,
             s->recipe.seed);
    const struct plot_picture picture = {
        .title = title,
        .description =
            "A panel for each parameter: its value in the best organism of each "
            "generation over its whole range, the mean of the population with one "
            "standard deviation as a band, and the paper's value, if it has one, dashed.",
        .width = WIDTH,
        .height = TOP + FOOT + PANEL * what.rows,
        .rigid = true,
        .write = write_script,
        .what = &what};
    return plot_draw(&picture, file, err);
}
