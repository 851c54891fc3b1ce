/* The section on fitness: the best, the mean and the held-out values by generation. */
#include "report_sections.h"

#include "axis.h"
#include "chart.h"
#include "fitness_curves.h"
#include "format.h"
#include "html.h"

#include <math.h>

enum { TABLE_ROWS = 400 }; /* at most */

/* ---- the curves ---- */

/* A curve of the chart, for chart_values. */
struct curve {
    const struct run_summary *summary;
    enum fitness_curve curve;
};

/* The chart's content, for its band and its tooltips. */
struct content {
    const struct run_summary *summary;
    const struct fitness_picture *picture;
};

static double value_of(const void *context, int generation)
{
    const struct curve *c = context;
    return fitness_curve(c->summary, c->curve, generation);
}

/* What the defaults measure, or the start that a gain is over; NaN if that is unknown. */
static double defaults(const void *context, int generation)
{
    const struct content *c = context;
    const struct run_summary *s = c->summary;
    const bool held_out = s->defaults.held_out != NOT_MEASURED;
    const int64_t measure = held_out ? s->defaults.held_out : s->defaults.measure;
    (void)generation;
    if (c->picture->lines[0].curve == FITNESS_GAIN)
        return 0;
    return measure == NOT_MEASURED
               ? NAN
               : axis_value(s, (double)measure, held_out ? s->held_out_size : s->train_size);
}

static double band_low(const void *context, int generation)
{
    const struct content *c = context;
    return fitness_curve(c->summary, c->picture->band_low, generation);
}

static double band_high(const void *context, int generation)
{
    const struct content *c = context;
    return fitness_curve(c->summary, c->picture->band_high, generation);
}

/* The figures of a generation in words. */
static void tell(const void *context, int generation, char *text, size_t size)
{
    const struct run_summary *s = ((const struct content *)context)->summary;
    const struct generation_row *row = &s->rows[generation];
    char a[FORMAT_MAX], b[FORMAT_MAX];
    const double gained = s->start != NULL ? fitness_curve(s, FITNESS_GAIN, generation) : NAN;
    int used = snprintf(text, size, "generation %d\nbest %.60s\nmean %.60s", row->generation,
                        objective_figure(s->value, (double)row->measure, s->train_size, a),
                        objective_figure(s->value, row->mean, s->train_size, b));
    if (!isnan(gained))
        used = snprintf(text, size, "generation %d\n%+.0f Elo over the start", row->generation,
                        gained);
    if (row->held_out != NOT_MEASURED)
        snprintf(text + used, size - (size_t)used, "\n%s %.60s", s->value->words->held_out,
                 objective_figure(s->value, (double)row->held_out, s->held_out_size, a));
}

static void write_chart(const struct page *p)
{
    static const char *const classes[] = {
        [FITNESS_LEADS] = "best", [FITNESS_COMPARES] = "held-out", [FITNESS_BEHIND] = "mean"};
    const struct run_summary *s = &p->report->summary;
    char axis[OBJECTIVE_LABEL + 32];
    struct fitness_picture picture;
    fitness_picture_describe(&picture, s);
    snprintf(axis, sizeof axis, "%s%s", picture.axis,
             s->value->lower_is_better ? "; fewer are better" : "");
    const struct content content = {s, &picture};
    struct curve curves[3];
    struct chart chart = {.title = "The objective value of each generation",
                          .x_name = "generation",
                          .y_name = axis,
                          .count = s->generation + 1,
                          .curve_count = picture.count,
                          .band_name = picture.band_name,
                          .band_low = band_low,
                          .band_high = band_high,
                          .from = picture.from,
                          .to = picture.to,
                          .tell = tell,
                          .context = &content};
    for (int i = 0; i < picture.count; i++) {
        const struct fitness_line *line = &picture.lines[i];
        curves[i] = (struct curve){s, line->curve};
        chart.curves[i] =
            (struct chart_curve){line->name, classes[line->role], value_of, &curves[i]};
    }
    if (!isnan(defaults(&content, 0)))
        chart.curves[chart.curve_count++] = (struct chart_curve){
            picture.lines[0].curve == FITNESS_GAIN ? "the start" : "the defaults", "defaults",
            defaults, NULL};
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
    fprintf(p->out, "<td>%.3g</td>",
            fitness_curve(s, FITNESS_MEAN_HIGH, generation) -
                fitness_curve(s, FITNESS_MEAN, generation));
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
