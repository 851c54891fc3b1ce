/* Genes: where each value ended within its range. */
#include "plot_draw.h"

#include <inttypes.h>
#include <math.h>

enum {
    WIDTH = 900,
    ROW = 20,
    TOP = 74,
    FOOT = 44,
    LABEL = 12,
    VALUES = 170, /* the least width of the values and ranges */
    VALUE = 56,   /* and of the values, which is at most */
    VALUE_MOST = 160,
    RANGE = 64
};

struct picture {
    const struct report *report;
    const char *title;
    int rows;
};

/* True for a gene that evolves; the others are left out. */
static bool is_shown(const struct report_gene *g)
{
    return g->param->bits > 0 && g->param->max > g->param->min;
}

/* The place of a value in the gene's range: 0 at its minimum, 1 at its maximum; NaN beyond. */
static double place(const struct param *p, double value)
{
    double at = (value - p->min) / ((double)p->max - p->min);
    return at < 0 || at > 1 ? NAN : at;
}

/* As place, with values beyond the range at its ends. */
static double edge(const struct param *p, double value)
{
    return place(p, fmin(p->max, fmax(p->min, value)));
}

/* A row for each gene: row, lowest, mean - deviation, mean + deviation, highest, best, the paper's
 * value, the initial value where there is no paper's. */
static void write_data(FILE *out, const struct picture *p)
{
    fputs("$genes << END\n", out);
    for (int i = 0, row = 0; i < p->report->genome.count; i++) {
        const struct report_gene *g = &p->report->genes[i];
        const struct gene_state *last = &g->last;
        if (!is_shown(g))
            continue;
        fprintf(out, "%d %.4g %.4g %.4g %.4g %.4g %.4g %.4g\n", row++,
                place(g->param, last->lowest), edge(g->param, last->mean - last->deviation),
                edge(g->param, last->mean + last->deviation), place(g->param, last->highest),
                place(g->param, g->evolved), g->has_paper ? place(g->param, g->paper) : NAN,
                g->has_paper ? NAN : place(g->param, g->param->initial));
    }
    fputs("END\n", out);
}

/* Writes "of MINIMUM to MAXIMUM", or how many choices there are. Returns `text`. */
static const char *range_of(const struct param *p, char text[RANGE])
{
    char low[PARAM_TEXT], high[PARAM_TEXT];
    if (param_is_choice(p))
        snprintf(text, RANGE, "of %" PRIu32 " choices", param_steps(p) + 1);
    else
        snprintf(text, RANGE, "of %.20s to %.20s", param_value_text(p, p->min, low),
                 param_value_text(p, p->max, high));
    return text;
}

/* The width of the values: what the widest takes, within reason. */
static double value_width(const struct picture *p)
{
    double widest = VALUE;
    char value[PARAM_TEXT];
    for (int i = 0; i < p->report->genome.count; i++) {
        const struct report_gene *g = &p->report->genes[i];
        if (is_shown(g))
            widest = fmax(widest, plot_width(param_value_text(g->param, g->evolved, value), LABEL));
    }
    return fmin(widest, VALUE_MOST);
}

/* The names on the left, and on the right the best value and the range. */
static void write_labels(const struct plot_canvas *c, const struct picture *p, double left,
                         double right)
{
    double unit = (c->height - TOP - FOOT) / p->rows;
    double wide = value_width(p), ranges = right + wide + 8;
    for (int i = 0, row = 0; i < p->report->genome.count; i++) {
        const struct report_gene *g = &p->report->genes[i];
        char range[RANGE], value[PARAM_TEXT];
        if (!is_shown(g))
            continue;
        double y = TOP + unit * (row++ + 0.5);
        plot_label(c, left - 12, y, PLOT_RIGHT, LABEL, c->theme->ink, left - 16, g->param->name);
        plot_label(c, right + wide, y, PLOT_RIGHT, LABEL, c->theme->leads, wide + 4,
                   param_value_text(g->param, g->evolved, value));
        plot_label(c, ranges, y, PLOT_LEFT, LABEL, c->theme->muted, c->width - ranges,
                   range_of(g->param, range));
    }
}

/* True if a gene shown has a value of the paper, or lacks one. */
static bool some_paper(const struct picture *p, bool has)
{
    for (int i = 0; i < p->report->genome.count; i++)
        if (is_shown(&p->report->genes[i]) && p->report->genes[i].has_paper == has)
            return true;
    return false;
}

/* Writes the legend: what each sign on a track is. */
static void write_legend(const struct plot_canvas *c, const struct picture *p)
{
    const struct plot_theme *t = c->theme;
    char mixed[8];
    struct plot_key keys[5] = {{PLOT_DOT, t->leads, "best organism"}};
    int count = 1;
    if (some_paper(p, true))
        keys[count++] = (struct plot_key){PLOT_DIAMOND, t->compares, "the paper's value"};
    if (some_paper(p, false))
        keys[count++] = (struct plot_key){PLOT_CROSS, t->compares, "initial value"};
    keys[count++] = (struct plot_key){PLOT_BAND, plot_tint(c, t->behind, 0.5, mixed),
                                      "population: mean ± deviation"};
    keys[count++] = (struct plot_key){PLOT_THIN, t->behind, "lowest to highest"};
    plot_legend(c, keys, count, 24, 44);
}

/* The spread of the population, the value to compare with, and the best on top. */
static void write_plot(const struct plot_canvas *c)
{
    const struct plot_theme *t = c->theme;
    char mixed[8];
    fprintf(c->out,
            "plot $genes using 2:1:($5-$2):(0) with vectors nohead linewidth 1 linecolor rgb '%s', "
            "$genes using 3:1:($4-$3):(0) with vectors nohead linewidth 6 linecolor rgb '%s', ",
            t->behind, plot_tint(c, t->behind, 0.5, mixed));
    fprintf(c->out,
            "$genes using 7:1 with points pointtype 13 pointsize 0.9 linecolor rgb '%s', "
            "$genes using 8:1 with points pointtype 2 pointsize 0.8 linewidth 1.6 "
            "linecolor rgb '%s', "
            "$genes using 6:1 with points pointtype 7 pointsize 0.8 linecolor rgb '%s'\n",
            t->compares, t->compares, t->leads);
}

/* The left end of the tracks: what the widest name takes. */
static double left_of(const struct plot_canvas *c, const struct picture *p)
{
    double widest = 0;
    for (int i = 0; i < p->report->genome.count; i++)
        if (is_shown(&p->report->genes[i]))
            widest = fmax(widest, plot_width(p->report->genes[i].param->name, LABEL));
    return fmin(widest + 28, c->width / 3);
}

/* The right end of the tracks: what the widest value and the widest range take. */
static double right_of(const struct plot_canvas *c, const struct picture *p)
{
    double widest = 0;
    char range[RANGE];
    for (int i = 0; i < p->report->genome.count; i++)
        if (is_shown(&p->report->genes[i]))
            widest = fmax(widest, plot_width(range_of(p->report->genes[i].param, range), LABEL));
    return c->width - fmax(VALUES, value_width(p) + widest + 16);
}

static void write_script(const struct plot_canvas *c, const void *what)
{
    const struct picture *p = what;
    double left = left_of(c, p), right = right_of(c, p);
    write_data(c->out, p);
    plot_title(c, p->title);
    plot_area(c, left, right, TOP, c->height - FOOT);
    fprintf(c->out,
            "unset ytics\nset grid xtics\nset border 1\nset xrange [0:1]\nset yrange [%g:-0.5]\n"
            "set xtics ('minimum' 0, '' 0.25, 'middle of the range' 0.5, '' 0.75, 'maximum' 1)\n",
            p->rows - 0.5);
    write_legend(c, p);
    write_labels(c, p, left, right);
    write_plot(c);
}

bool plot_genes(const struct report *report, const struct plot_file *file, struct error *err)
{
    const struct run_summary *s = &report->summary;
    char title[RECIPE_NAME + 96];
    struct picture what = {report, title, 0};
    if (s->generation < 0)
        return error_set(err, "there is nothing to plot: the run has no generation yet");
    for (int i = 0; i < report->genome.count; i++)
        what.rows += is_shown(&report->genes[i]);
    snprintf(title, sizeof title, "%s, seed %" PRIu64 ": genes after generation %d", s->recipe.name,
             s->recipe.seed, s->generation);
    const struct plot_picture picture = {
        .title = title,
        .description = "The value of each gene of the best organism within the gene's range, "
                       "beside the value that the paper gives or else the initial one, with the "
                       "mean, the standard deviation and the extremes of the last population.",
        .width = WIDTH,
        .height = TOP + FOOT + ROW * what.rows,
        .rigid = true,
        .write = write_script,
        .what = &what};
    return plot_draw(&picture, file, err);
}
