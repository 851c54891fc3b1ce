/* The page of two runs: their heads, their curves in one picture, and a table of both runs' parameters. */
#include "report_page.h"

#include "chart.h"
#include "html.h"
#include "paths.h"
#include "report_sections.h"

#include <math.h>
#include <string.h>

enum { RUNS = 2 };

static const char *const letters[RUNS] = {"A", "B"};

/* ---- the curves ---- */

enum { NAME = OBJECTIVE_LABEL + 8 };

/* Adds the curve that leads, and the held-out one to compare it with. */
static void add_curves(struct chart *chart, char names[][NAME], const struct run_summary *s,
                       int run)
{
    static const char *const css[RUNS] = {"s0", "s1"};
    enum fitness_curve kinds[FITNESS_CURVES];
    char axis[OBJECTIVE_LABEL], held_out[OBJECTIVE_LABEL];
    const int count = fitness_curves(s, kinds, axis);
    objective_held_out_label(s->value, s->train_size, s->held_out_size, held_out);
    for (int i = 0; i < count; i++) {
        if (i > 0 && kinds[i] != FITNESS_HELD_OUT)
            continue;
        char *name = names[chart->count];
        snprintf(name, NAME, "%s: %s", letters[run],
                 kinds[i] == FITNESS_BEST       ? "best"
                 : kinds[i] == FITNESS_HELD_OUT ? held_out
                                                : axis);
        chart->curves[chart->count++] =
            (struct chart_curve){.name = name,
                                 .sign = i == 0 ? SIGN_LINE : SIGN_DASHES,
                                 .css = css[run],
                                 .count = s->generation + 1,
                                 .at = fitness_point,
                                 .context = s,
                                 .kind = kinds[i]};
    }
    chart->x_last = fmax(chart->x_last, s->generation);
}

static void write_chart(FILE *out, const struct report runs[RUNS], int first, int last)
{
    char names[RUNS * FITNESS_CURVES][NAME], name[OBJECTIVE_LABEL], axis[OBJECTIVE_LABEL + 4];
    enum fitness_curve kinds[FITNESS_CURVES];
    fitness_curves(&runs[first].summary, kinds, name);
    snprintf(axis, sizeof axis, "%s%s%s", first == last ? letters[first] : "",
             first == last ? ": " : "", name);
    struct chart chart = {
        .title = "The fitness of both runs by generation", .x_name = "generation", .y_name = axis};
    for (int i = first; i <= last; i++)
        add_curves(&chart, names, &runs[i].summary, i);
    chart_draw(&chart, &(struct plot_file){.out = out}, NULL);
}

/* One picture if both have the same axis. */
static void write_charts(FILE *out, const struct report runs[RUNS])
{
    enum fitness_curve kinds[FITNESS_CURVES];
    char a[OBJECTIVE_LABEL], b[OBJECTIVE_LABEL];
    fitness_curves(&runs[0].summary, kinds, a);
    fitness_curves(&runs[1].summary, kinds, b);
    const bool same = strcmp(a, b) == 0;
    write_chart(out, runs, 0, same ? 1 : 0);
    if (!same)
        write_chart(out, runs, 1, 1);
}

/* ---- the parameters ---- */

/* Writes a parameter that one run or both have. */
static void write_row(FILE *out, const struct report_gene *a, const struct report_gene *b)
{
    const struct report_gene *any = a != NULL ? a : b;
    char of_a[PARAM_TEXT], of_b[PARAM_TEXT], of_default[PARAM_TEXT];
    fputs("<tr><th scope=\"row\"><code>", out);
    html_name(out, any->param->name);
    html_print(out, "</code></th><td>%s</td><td>%s</td><td>%s</td>",
               a == NULL ? "–" : param_value_text(a->param, a->evolved, of_a),
               b == NULL ? "–" : param_value_text(b->param, b->evolved, of_b),
               param_value_text(any->param, any->compared, of_default));
    if (a == NULL || b == NULL || param_is_choice(a->param) || param_is_choice(b->param))
        fputs("<td>–</td></tr>\n", out);
    else
        html_print(out, "<td>%.*f</td></tr>\n", b->param->decimals,
                   b->evolved / pow(10, b->param->decimals) -
                       a->evolved / pow(10, a->param->decimals));
}

/* The gene of this name; NULL: none. */
static const struct report_gene *gene_of(const struct report *r, const char *name)
{
    const int index = param_find(&r->summary.space, name);
    return index < 0 ? NULL : &r->genes[index];
}

void report_page_write_pair(FILE *out, const struct report runs[RUNS])
{
    const struct report *a = &runs[0], *b = &runs[1];
    char text[1024];
    snprintf(text, sizeof text, "%.480s and %.480s", path_name(a->from.path),
             path_name(b->from.path));
    report_frame_begin(out, text);
    fputs("<div class=\"pair\">\n", out);
    for (int i = 0; i < RUNS; i++) {
        const struct page page = {out, &runs[i], "", 2};
        fprintf(out, "<div>\n<p><strong>%s</strong> <code>", letters[i]);
        html_path(out, path_name(runs[i].from.path));
        fputs("</code></p>\n", out);
        report_write_head(&page);
        fputs("</div>\n", out);
    }
    fputs("</div>\n<section id=\"fitness\">\n<h2>Fitness</h2>\n", out);
    write_charts(out, runs);
    fputs("</section>\n<section id=\"parameters\">\n<h2>Parameters</h2>\n", out);
    html_table(out, "both", "", "parameter", "A", "B", "default", "B less A", NULL);
    for (int i = 0; i < a->genome.count; i++)
        write_row(out, &a->genes[i], gene_of(b, a->genes[i].param->name));
    for (int i = 0; i < b->genome.count; i++)
        if (gene_of(a, b->genes[i].param->name) == NULL)
            write_row(out, NULL, &b->genes[i]);
    html_table_end(out);
    fputs("</section>\n", out);
    report_frame_end(out, text);
}
