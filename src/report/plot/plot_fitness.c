/* Fitness by generation. */
#include "plot_draw.h"

#include "broken_scale.h"
#include "fitness_curves.h"
#include "plot_axes.h"

#include <inttypes.h>
#include <math.h>

enum {
    WIDTH = 900,
    HEIGHT = 540,
    LEFT = 76, /* units beside the axes */
    FEW = 24,  /* generations: each is a dot as well */
    TICKS = 7, /* about */
};

/* ---- the data ---- */

/* generation, the lines in order, the ends of the band; NaN where there is no value. */
static void write_data(FILE *out, const struct fitness_picture *p, const struct run_summary *s)
{
    fputs("$run << END\n", out);
    for (int g = 0; g <= s->generation; g++) {
        fprintf(out, "%d", s->rows[g].generation);
        for (int i = 0; i < p->count; i++)
            fprintf(out, " %.6g", fitness_curve(s, p->lines[i].curve, g));
        if (p->band_name != NULL)
            fprintf(out, " %.6g %.6g", fitness_curve(s, p->band_low, g),
                    fitness_curve(s, p->band_high, g));
        fputc('\n', out);
    }
    fputs("END\n", out);
}

/* ---- the curves ---- */

static const char *color_of(const struct plot_theme *t, enum fitness_role role)
{
    return role == FITNESS_LEADS ? t->leads : role == FITNESS_COMPARES ? t->compares : t->behind;
}

/* Writes the legend, the band last; returns its height. */
static double write_legend(const struct plot_canvas *c, const struct fitness_picture *p,
                           const struct run_summary *s)
{
    struct plot_key keys[4];
    char mixed[8];
    int count = 0;
    for (; count < p->count; count++) {
        const struct fitness_line *line = &p->lines[count];
        keys[count] = (struct plot_key){s->generation == 0             ? PLOT_DOT
                                        : line->role == FITNESS_BEHIND ? PLOT_THIN
                                                                       : PLOT_LINE,
                                        color_of(c->theme, line->role), line->name};
    }
    if (p->band_name != NULL)
        keys[count++] = (struct plot_key){
            PLOT_BAND, plot_tint(c, color_of(c->theme, p->band_role), 0.3, mixed), p->band_name};
    return plot_legend(c, keys, count, LEFT, 42);
}

/* Draws the band; of one generation, a bar. */
static void write_band(const struct plot_canvas *c, const struct fitness_picture *p,
                       const struct run_summary *s)
{
    const char *color = color_of(c->theme, p->band_role);
    int low = p->count + 2, high = p->count + 3;
    if (s->generation > 0)
        fprintf(c->out,
                "$run using 1:(y($%d)):(y($%d)) with filledcurves fillstyle transparent solid 0.18 "
                "noborder linecolor rgb '%s'",
                low, high, color);
    else
        fprintf(c->out,
                "$run using 1:(y($%d)):(0):(y($%d)-y($%d)) with vectors nohead linewidth 9 "
                "linecolor rgb '#b0%s'",
                low, high, low, color + 1);
}

/* Draws a curve, with a dot for each generation if they are few. */
static void write_line(const struct plot_canvas *c, const struct fitness_picture *p, int index,
                       const struct run_summary *s)
{
    const struct fitness_line *line = &p->lines[index];
    const char *color = color_of(c->theme, line->role);
    fprintf(c->out, "$run using 1:(y($%d)) with %s linewidth %.3g linecolor rgb '%s'", index + 2,
            s->generation == 0    ? "points pointtype 7"
            : s->generation < FEW ? "linespoints pointtype 7 pointsize 0.5"
                                  : "lines",
            line->role == FITNESS_BEHIND ? 1.4 : 2.2, color);
}

/* The band, then the lines, the first on top. */
static void write_curves(const struct plot_canvas *c, const struct fitness_picture *p,
                         const struct run_summary *s)
{
    fputs("plot ", c->out);
    if (p->band_name != NULL)
        write_band(c, p, s);
    for (int i = p->count - 1; i >= 0; i--) {
        if (i < p->count - 1 || p->band_name != NULL)
            fputs(", ", c->out);
        write_line(c, p, i, s);
    }
    fputs("\n", c->out);
}

/* ---- the picture ---- */

struct picture {
    const struct run_summary *summary;
    const struct fitness_picture *content;
    const char *title;
};

static void write_x(const struct plot_canvas *c, const struct run_summary *s)
{
    if (s->generation > 0)
        fprintf(c->out, "set xrange [0:%d]\n", s->generation);
    else
        fputs("set xrange [-1:1]\nset xtics ('0' 0)\n", c->out);
    if (s->generation > 0 && s->generation < 10)
        fputs("set xtics 1\n", c->out);
}

static void write_script(const struct plot_canvas *c, const void *what)
{
    const struct picture *p = what;
    const struct fitness_picture *f = p->content;
    struct broken_scale scale = broken_scale_for(f->low, f->high, f->from, f->to, TICKS);
    double legend = write_legend(c, f, p->summary);
    write_data(c->out, f, p->summary);
    plot_title(c, p->title);
    plot_area(c, LEFT, c->width - 24, 42 + legend, c->height - 56);
    plot_broken_axis(c, &scale);
    plot_axis_names(c, "generation", f->axis);
    write_x(c, p->summary);
    write_curves(c, f, p->summary);
}

/* Describes the picture in a sentence. */
static void describe(const struct run_summary *s, const struct fitness_picture *p, char *text,
                     size_t size)
{
    int used = snprintf(text, size, "%s by generation, 0 to %d: ", p->axis, s->generation);
    for (int i = 0; i < p->count; i++)
        used +=
            snprintf(text + used, size - (size_t)used, "%s%s", i > 0 ? "; " : "", p->lines[i].name);
    if (p->band_name != NULL)
        snprintf(text + used, size - (size_t)used, "; as a band the %s", p->band_name);
}

bool plot_fitness(const struct run_summary *summary, const struct plot_file *file,
                  struct error *err)
{
    struct fitness_picture content;
    char title[RECIPE_NAME + 64], description[1024];
    if (summary->generation < 0)
        return error_set(err, "there is nothing to plot: the run has no generation yet");
    fitness_picture_describe(&content, summary);
    snprintf(title, sizeof title, "%s, seed %" PRIu64 ": fitness by generation",
             summary->recipe.name, summary->recipe.seed);
    describe(summary, &content, description, sizeof description);
    const struct picture what = {summary, &content, title};
    const struct plot_picture picture = {.title = title,
                                         .description = description,
                                         .width = WIDTH,
                                         .height = HEIGHT,
                                         .write = write_script,
                                         .what = &what};
    return plot_draw(&picture, file, err);
}
