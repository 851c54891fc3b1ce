/* The section on fitness: the best, the mean and the held-out values by generation. */
#include "report_sections.h"

#include "axis.h"
#include "chart.h"
#include "format.h"
#include "html.h"

#include <math.h>
#include <string.h>

enum { TABLE_ROWS = 400 }; /* at most */

/* ---- the curves, in the units of the axis ---- */

static double best(const void *context, int generation)
{
    const struct run_summary *s = context;
    return axis_value(s, (double)s->rows[generation].measure, s->train_size);
}

static double mean(const void *context, int generation)
{
    const struct run_summary *s = context;
    return axis_value(s, s->rows[generation].mean, s->train_size);
}

/* The mean minus its standard deviation. */
static double low(const void *context, int generation)
{
    const struct run_summary *s = context;
    const struct generation_row *row = &s->rows[generation];
    return axis_value(s, row->mean - row->deviation, s->train_size);
}

/* The mean plus its standard deviation. */
static double high(const void *context, int generation)
{
    const struct run_summary *s = context;
    const struct generation_row *row = &s->rows[generation];
    return axis_value(s, row->mean + row->deviation, s->train_size);
}

static double held_out(const void *context, int generation)
{
    const struct run_summary *s = context;
    const struct generation_row *row = &s->rows[generation];
    return row->held_out == NOT_MEASURED ? NAN
                                         : axis_value(s, (double)row->held_out, s->held_out_size);
}

/* The figures of a generation in words. */
static void tell(const void *context, int generation, char *text, size_t size)
{
    const struct run_summary *s = context;
    const struct generation_row *row = &s->rows[generation];
    char a[FORMAT_MAX], b[FORMAT_MAX];
    int used = snprintf(text, size, "generation %d\nbest %.60s\nmean %.60s", row->generation,
                        objective_figure(s->value, (double)row->measure, s->train_size, a),
                        objective_figure(s->value, row->mean, s->train_size, b));
    if (row->held_out != NOT_MEASURED)
        snprintf(text + used, size - (size_t)used, "\n%s %.60s", s->value->words->held_out,
                 objective_figure(s->value, (double)row->held_out, s->held_out_size, a));
}

/* The ends of the best organism's 95 % interval against the opponent. */
static double opponent_end(const struct run_summary *s, int generation, bool upper)
{
    struct interval i;
    int64_t points = s->rows[generation].held_out;
    if (!objective_interval(s->value, points, s->held_out_size, &i))
        return NAN;
    return 100 * (upper ? i.high : i.low);
}

static double opponent_low(const void *context, int generation)
{
    return opponent_end(context, generation, false);
}

static double opponent_high(const void *context, int generation)
{
    return opponent_end(context, generation, true);
}

/* The curves of an objective value that is comparable across generations. */
static struct chart measured_chart(const struct run_summary *s, const char *held_out_name)
{
    return (struct chart){
        .curves = {{"best", "best", best, NULL},
                   {"mean", "mean", mean, NULL},
                   {held_out_name, "held-out", held_out, NULL}},
        .curve_count = s->held_out_size > 0 ? 3 : 2,
        .band_name = "mean ± standard deviation",
        .band_low = low,
        .band_high = high,
    };
}

/* The curves of games. Organisms that play each other always score half of the points together.
 * Only the best organism's score against a fixed opponent is comparable across generations. */
static struct chart played_chart(const struct run_summary *s)
{
    struct chart among = {.curves = {{"best, among its generation", "mean", best, NULL}},
                          .curve_count = 1};
    if (s->held_out_size <= 0)
        return among;
    return (struct chart){
        .curves = {{"best, against the opponent", "best", held_out, NULL},
                   {"best, among its generation", "mean", best, NULL}},
        .curve_count = 2,
        .band_name = "95 % interval against the opponent",
        .band_low = opponent_low,
        .band_high = opponent_high,
    };
}

static void write_chart(const struct page *p)
{
    const struct run_summary *s = &p->report->summary;
    char label[OBJECTIVE_LABEL], held_out_name[OBJECTIVE_LABEL], axis[OBJECTIVE_LABEL + 32];
    axis_held_out(s, held_out_name);
    snprintf(axis, sizeof axis, "%s%s", axis_label(s, label),
             s->value->lower_is_better ? "; fewer are better" : "");
    struct chart chart =
        s->value->across_generations ? measured_chart(s, held_out_name) : played_chart(s);
    chart.title = "The objective value of each generation";
    chart.x_name = "generation";
    chart.y_name = axis;
    chart.count = s->generation + 1;
    chart.tell = tell;
    chart.context = s;
    chart_write(p->out, &chart);
}

static void write_cell(FILE *out, const struct run_summary *s, double measure, int64_t size)
{
    char cell[FORMAT_MAX];
    fprintf(out, "<td>%s</td>", objective_cell(s->value, axis_value(s, measure, size), cell));
}

static void write_row(const struct page *p, int generation)
{
    const struct run_summary *s = &p->report->summary;
    const struct generation_row *row = &s->rows[generation];
    char seconds[FORMAT_MAX];
    fprintf(p->out, "<tr><th scope=\"row\">%d</th>", row->generation);
    write_cell(p->out, s, (double)row->measure, s->train_size);
    write_cell(p->out, s, row->mean, s->train_size);
    fprintf(p->out, "<td>%.3g</td>", high(s, generation) - mean(s, generation));
    if (s->held_out_size > 0 && row->held_out != NOT_MEASURED)
        write_cell(p->out, s, (double)row->held_out, s->held_out_size);
    else if (s->held_out_size > 0)
        fputs("<td>–</td>", p->out);
    fprintf(p->out, "<td>%.1f</td><td>%s</td></tr>\n", row->diversity,
            format_duration(row->seconds, seconds));
}

/* The same figures as a table, for screen readers and for copying. */
static void write_table(const struct page *p)
{
    const struct run_summary *s = &p->report->summary;
    int stride = (s->generation + TABLE_ROWS - 1) / TABLE_ROWS;
    char axis[OBJECTIVE_LABEL];
    fputs("<details><summary>The figures of each generation</summary>\n<div class=\"scroll\" "
          "tabindex=\"0\"><table>\n<caption>",
          p->out);
    html_text(p->out, axis_label(s, axis));
    if (stride > 1)
        html_format(p->out, "; one generation in %d, and the last", stride);
    fputs("</caption>\n<thead><tr><th scope=\"col\">generation</th><th scope=\"col\">best</th>"
          "<th scope=\"col\">mean</th><th scope=\"col\">deviation</th>",
          p->out);
    if (s->held_out_size > 0)
        fprintf(p->out, "<th scope=\"col\">%s</th>", s->value->words->held_out);
    fputs(
        "<th scope=\"col\">diversity, bits</th><th scope=\"col\">time</th></tr></thead>\n<tbody>\n",
        p->out);
    for (int g = 0; g < s->generation; g += stride)
        write_row(p, g);
    write_row(p, s->generation);
    fputs("</tbody></table></div></details>\n", p->out);
}

void report_write_fitness(const struct page *p)
{
    bool seeds = report_has_seeds(p->report);
    if (seeds)
        fputs("<div class=\"columns\">\n", p->out);
    write_chart(p);
    if (seeds) {
        report_write_seeds(p);
        fputs("</div>\n", p->out);
    }
    write_table(p);
}
