/* Parameters: the course of each value by generation, as small multiples. */
#include "picture.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

enum {
    PANEL = 110, /* the height of a panel with its name */
    HEAD = 27,   /* of that the name */
    GAP = 46,    /* beside a panel, for the ticks */
    FOOT = 40,
};

static const char note[] = "band: the population's mean ± standard deviation; dashed: the paper's "
                           "value or the default";

struct courses {
    const struct report *report;
    const char *title;
    const struct report_gene **genes; /* those shown, in order */
    int count;
};

static int columns_of(const struct canvas *c, const struct courses *p)
{
    return canvas_is_narrow(c) ? 2 : p->count <= 9 ? 3 : 4;
}

static double height(const struct canvas *c, const void *what)
{
    const struct courses *p = what;
    int columns = columns_of(c, p);
    return canvas_title(c, p->title, note) + FOOT + PANEL * ((p->count + columns - 1) / columns);
}

/* Draws the band, the value to compare with, and the course of the best organism, which holds each
 * value for a generation. */
static void draw_course(const struct canvas *c, const struct courses *p,
                        const struct report_gene *g, const struct area *a)
{
    const struct convergence *all = &p->report->convergence;
    const int gene = (int)(g - p->report->genes), last = all->generations - 1;
    const int stride = 1 + last / (int)(a->right - a->left);
    const char *command = "M";
    if (g->compared >= g->param->min && g->compared <= g->param->max)
        canvas_line(c, "curve dashes held-out", a->left, area_down(a, g->compared), a->right,
                    area_down(a, g->compared));
    if (last == 0) {
        const struct gene_state *only = convergence_gene(all, 0, gene);
        double x = area_across(a, 0);
        canvas_line(c, "curve thin mean", x, area_down(a, only->mean - only->deviation), x,
                    area_down(a, only->mean + only->deviation));
        canvas_mark(c, SIGN_DOT, "best", x, area_down(a, only->best));
        return;
    }
    fputs("<path class=\"band mean\" d=\"", c->out);
    for (int i = 0; i <= last; i += stride, command = "L") {
        const struct gene_state *s = convergence_gene(all, i, gene);
        fprintf(c->out, "%s%.1f %.1f", command, area_across(a, i),
                area_down(a, s->mean + s->deviation));
    }
    for (int i = last - last % stride; i >= 0; i -= stride) {
        const struct gene_state *s = convergence_gene(all, i, gene);
        fprintf(c->out, "L%.1f %.1f", area_across(a, i), area_down(a, s->mean - s->deviation));
    }
    fprintf(c->out, "z\"/>\n<path class=\"curve best\" d=\"M%.1f %.1f", a->left,
            area_down(a, convergence_gene(all, 0, gene)->best));
    for (int i = stride; i <= last; i += stride)
        fprintf(c->out, "H%.1fV%.1f", area_across(a, i),
                area_down(a, convergence_gene(all, i, gene)->best));
    fprintf(c->out, "H%.1f\"/>\n", a->right);
}

/* Draws the panel of a gene: its name and last value, its range and its course. */
static void draw_panel(const struct canvas *c, const struct courses *p, const struct report_gene *g,
                       const struct area *a)
{
    char value[PARAM_TEXT], end[PARAM_TEXT];
    const double wide = canvas_width(param_value_text(g->param, g->evolved, value), CANVAS_LABEL);
    canvas_text(c, a->left - GAP + 8, a->top - 17, CANVAS_LABEL, "",
                a->right - a->left + GAP - 14 - fmin(wide, (a->right - a->left) / 2),
                g->param->name);
    canvas_text(c, a->right, a->top - 17, CANVAS_LABEL, "end best tint", (a->right - a->left) / 2,
                value);
    for (int i = 0; i < 2; i++) {
        double y = i == 0 ? a->bottom : a->top;
        canvas_line(c, "grid", a->left, y, a->right, y);
        canvas_text(c, a->left - 6, y, 9.5, "end muted", GAP - 8,
                    param_value_text(g->param, i == 0 ? g->param->min : g->param->max, end));
    }
    draw_course(c, p, g, a);
}

static void draw(const struct canvas *c, const void *what)
{
    const struct courses *p = what;
    const int columns = columns_of(c, p), last = p->report->summary.generation;
    const double top = canvas_title(c, p->title, note);
    const double wide = (c->width - 8) / columns;
    const double high = PANEL * (c->height - top - FOOT) / (c->own - top - FOOT);
    for (int i = 0; i < p->count; i++) {
        const double left = wide * (i % columns) + GAP, y = top + high * (i / columns);
        const struct area a = {
            .left = left,
            .right = left + wide - GAP - 8,
            .top = y + HEAD,
            .bottom = y + high - 10,
            .x = scale_to(last, 1),
            .y = {.low = p->genes[i]->param->min, .high = p->genes[i]->param->max},
        };
        draw_panel(c, p, p->genes[i], &a);
        if (i + columns < p->count)
            continue;
        char text[16]; /* the lowest panel of a column has the ends of its axis */
        snprintf(text, sizeof text, "%d", last);
        canvas_text(c, last > 0 ? a.left : (a.left + a.right) / 2, a.bottom + 14, 9.5, "muted",
                    wide, "0");
        if (last > 0)
            canvas_text(c, a.right, a.bottom + 14, 9.5, "end muted", wide, text);
    }
    canvas_text(c, c->width / 2, c->height - 10, CANVAS_NAME, "middle", c->width, "generation");
}

bool plot_parameters(const struct report *report, int first, int most, const struct plot_file *file,
                     struct error *err)
{
    const struct run_summary *s = &report->summary;
    char title[RECIPE_NAME + 96];
    struct courses what = {report, title, NULL, 0};
    if (s->generation < 0)
        return error_set(err, "there is nothing to plot: the run has no generation yet");
    what.genes = calloc((size_t)report->genome.count + 1, sizeof *what.genes);
    if (what.genes == NULL)
        return error_set(err, "no memory for the plot");
    for (int i = 0; i < report->genome.count; i++)
        what.genes[report->genes[i].by_moves] = &report->genes[i];
    for (int place = first; place < most && place < report->genome.count; place++) {
        const struct param *gene = what.genes[place]->param;
        if (gene->bits > 0 && gene->max > gene->min)
            what.genes[what.count++] = what.genes[place];
    }
    snprintf(title, sizeof title, "%s, seed %" PRIu64 ": parameters by generation", s->recipe.name,
             s->recipe.seed);
    const struct picture picture = {
        .title = title,
        .description =
            "A panel for each parameter, those that moved most first: its value in the best "
            "organism of each generation over its whole range, the mean of the population with one "
            "standard deviation as a band, and the paper's value or the default, dashed.",
        .height = height,
        .draw = draw,
        .what = &what,
        .rigid = true};
    bool drawn = picture_draw(&picture, file, err);
    free(what.genes);
    return drawn;
}
