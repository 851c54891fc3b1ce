/* The plot of a comparison: one colour per stage. */
#include "plot.h"

#include "axis.h"
#include "plot_draw.h"

/* Colours for the colour-blind (Okabe and Ito 2008). Stages beyond the eighth are dashed. */
static const char *const colors[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                     "#606060", "#e69f00", "#56b4e9", "#000000"};

enum { COLORS = sizeof colors / sizeof colors[0] };

struct picture {
    const struct comparison *comparison;
    const char *title;
};

/* evaluations, mean, mean - deviation, mean + deviation: a block for each stage. */
static void write_data(FILE *out, const struct comparison *c)
{
    for (int i = 0; i < c->count; i++) {
        const struct comparison_entry *e = &c->entries[i];
        fprintf(out, "$stage%d << END\n", i);
        for (int g = 0; e->runs > 0; g++) {
            const struct run_summary *run = &e->stage->summaries[0];
            if (comparison_evaluations(run, g) > c->evaluations)
                break;
            const struct comparison_spread s = comparison_spread_at(c, e, g);
            fprintf(out, "%d %.6g %.6g %.6g\n", comparison_evaluations(run, g), s.mean,
                    s.mean - s.deviation, s.mean + s.deviation);
        }
        fputs("END\n", out);
    }
}

/* The spread of each stage, then its mean on top of all spreads. */
static void write_curves(FILE *out, const struct comparison *c)
{
    const char *before = "plot ";
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < c->count; i++) {
            const struct comparison_entry *e = &c->entries[i];
            if (e->runs == 0)
                continue;
            fprintf(out, "%s$stage%d using 1:", before, i);
            before = ", ";
            if (pass == 0) {
                fprintf(out, "3:4 with filledcurves linecolor '%s' notitle", colors[i % COLORS]);
                continue;
            }
            fprintf(out, "2 with lines linewidth 2.5 dashtype %d linecolor '%s' title ",
                    1 + i / COLORS, colors[i % COLORS]);
            plot_quote(out, e->stage->stage->name);
        }
    fputs("\n", out);
}

/* The largest number of runs of a stage. */
static int most_runs(const struct comparison *c)
{
    int most = 0;
    for (int i = 0; i < c->count; i++)
        most = c->entries[i].runs > most ? c->entries[i].runs : most;
    return most;
}

static void write_script(FILE *out, const void *what, bool svg)
{
    const struct picture *p = what;
    const struct comparison *c = p->comparison;
    char label[OBJECTIVE_LABEL], title[256];
    int runs = most_runs(c);
    plot_begin(out, svg);
    write_data(out, c);
    snprintf(title, sizeof title, "%s: best so far, mean%s of %d run%s", p->title,
             runs > 1 ? " ± standard deviation" : "", runs, runs > 1 ? "s" : "");
    fputs("set title ", out);
    plot_quote(out, title);
    fputs(" noenhanced font ',15'\nset ylabel ", out);
    plot_quote(out, axis_label(c->summary, label));
    fputs(" noenhanced offset 0.5,0\nset xlabel 'evaluations'\n"
          "set style fill transparent solid 0.07 noborder\n"
          "set key outside right center Left reverse samplen 2 spacing 1.4 noenhanced\n",
          out);
    fprintf(out, "set xrange [0:%d]\n", c->evaluations);
    write_curves(out, c);
}

bool plot_comparison(const struct comparison *c, const char *title, const char *path, bool force,
                     struct error *err)
{
    const struct picture picture = {c, title};
    if (c->summary == NULL)
        return error_set(err, "there is nothing to plot: no run has reached %d evaluations yet",
                         c->evaluations);
    return plot_draw(write_script, &picture, path, force, err);
}
