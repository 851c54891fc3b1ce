/* A stage of several runs: a table of their results, their curves in one picture, and the genes of
 * the chosen run. */
#include "night_sections.h"

#include "chart.h"
#include "format.h"
#include "html.h"
#include "report_sections.h"
#include "verdict.h"

#include <inttypes.h>
#include <math.h>

/* ---- curves ---- */

static bool has_held_out(const struct night_report_stage *s)
{
    return s->summaries[s->taken].held_out_size > 0;
}

/* The value of a generation's best on held-out data, or on training data if none is held out. */
static double value_at(const struct run_summary *s, int generation)
{
    if (generation > s->generation)
        return NAN;
    return fitness_value(s, s->held_out_size > 0 ? FITNESS_HELD_OUT : FITNESS_BEST, generation)
        .value;
}

static struct chart_point point_at(const void *context, int generation)
{
    return (struct chart_point){generation, value_at(context, generation), NAN, NAN};
}

/* The values of a generation: of the chosen run, and the range of the others. */
static void tell(const void *context, int generation, char *text, size_t size)
{
    const struct night_report_stage *s = context;
    double low = INFINITY, high = -INFINITY;
    for (int i = 0; i < s->run_count; i++) {
        double value = i == s->taken ? NAN : value_at(&s->summaries[i], generation);
        low = fmin(low, value);
        high = fmax(high, value);
    }
    double own = value_at(&s->summaries[s->taken], generation);
    int used = snprintf(text, size, "generation %d", generation);
    if (isfinite(own))
        used += snprintf(text + used, size - (size_t)used, "\n%s %.4g", s->runs[s->taken].run.name,
                         own);
    if (isfinite(low))
        snprintf(text + used, size - (size_t)used, "\nthe others %.4g to %.4g", low, high);
}

/* Adds the curve of a run. */
static void add_curve(struct chart *chart, const struct run_summary *run, const char *name,
                      bool taken)
{
    chart->curves[chart->count++] = (struct chart_curve){.name = name,
                                                         .sign = taken ? SIGN_LINE : SIGN_THIN,
                                                         .css = taken ? "best" : "mean",
                                                         .count = run->generation + 1,
                                                         .at = point_at,
                                                         .context = run};
    chart->x_last = fmax(chart->x_last, run->generation);
}

/* Draws the curves of all runs, with the chosen run on top. */
static void write_chart(const struct night_page *p, const struct night_report_stage *s)
{
    const struct run_summary *taken = &s->summaries[s->taken];
    char axis[OBJECTIVE_LABEL], label[OBJECTIVE_LABEL + 64];
    struct error ignored;
    snprintf(label, sizeof label, "%s, the best of each generation, %s",
             objective_label(taken->value, taken->train_size, axis),
             has_held_out(s) ? taken->value->words->held_out : taken->value->words->train);
    struct chart chart = {.title = "The best of each generation, run by run",
                          .x_name = "generation",
                          .y_name = label,
                          .tell = tell,
                          .context = s};
    add_curve(&chart, taken, s->runs[s->taken].run.name, true);
    for (int i = 0; i < s->run_count && chart.count < CHART_CURVES; i++)
        if (i != s->taken && s->summaries[i].generation >= 0)
            add_curve(&chart, &s->summaries[i], chart.count == 1 ? "the other runs" : NULL, false);
    chart_draw(&chart, &(struct plot_file){.out = p->out}, &ignored);
}

/* ---- the table ---- */

static void write_figure_cell(const struct night_page *p, const struct run_summary *s,
                              int64_t measure, int64_t size)
{
    char figure[FORMAT_MAX];
    fputs("<td>", p->out);
    html_text(p->out, measure == NOT_MEASURED
                          ? "–"
                          : objective_figure(s->value, (double)measure, size, figure));
    fputs("</td>", p->out);
}

/* The values of a run's best organism; with a held-out one, if the table has a column for it. */
static void write_run_measures(const struct night_page *p, const struct run_summary *s,
                               bool held_out)
{
    if (s->generation < 0) {
        fputs(held_out ? "<td>–</td><td>–</td><td>–</td>" : "<td>–</td><td>–</td>", p->out);
        return;
    }
    const struct generation_row *row = &s->rows[s->best_generation];
    write_figure_cell(p, s, row->measure, s->train_size);
    if (held_out)
        write_figure_cell(p, s, row->held_out, s->held_out_size);
    fprintf(p->out, "<td>%d</td>", s->generation);
}

static void write_run_row(const struct night_page *p, const struct night_report_stage *s, int index)
{
    const struct night_run_summary *run = &s->runs[index];
    bool taken = index == s->taken;
    char time[FORMAT_MAX];
    fprintf(p->out, "<tr%s><th scope=\"row\">%s", taken ? " class=\"taken\"" : "", run->run.name);
    if (taken)
        fprintf(p->out, " <span class=\"tag quiet\">%s</span>",
                night_stage_ended(s) ? "taken" : "ahead");
    fputs("</th>", p->out);
    write_run_measures(p, &s->summaries[index], has_held_out(s));
    fprintf(p->out, "<td>%s</td><td class=\"words\">%s</td></tr>\n",
            run->state == NIGHT_WAITING ? "–" : format_duration(run->seconds, time),
            night_state_words(p, run->state));
}

static void write_table(const struct night_page *p, const struct night_report_stage *s)
{
    const struct objective_words *words = s->summaries[s->taken].value->words;
    fprintf(p->out,
            "<div class=\"scroll\" tabindex=\"0\"><table>\n<thead><tr><th scope=\"col\">run</th>"
            "<th scope=\"col\">%s</th>%s%s%s<th scope=\"col\">generation</th>"
            "<th scope=\"col\">time</th><th scope=\"col\" class=\"words\">state</th></tr></thead>\n"
            "<tbody>\n",
            words->train, has_held_out(s) ? "<th scope=\"col\">" : "",
            has_held_out(s) ? words->held_out : "", has_held_out(s) ? "</th>" : "");
    for (int i = 0; i < s->run_count; i++)
        write_run_row(p, s, i);
    fputs("</tbody></table></div>\n", p->out);
}

/* ---- the words ---- */

/* Names the best run, and the value that decides. */
static void write_choice(const struct night_page *p, const struct night_report_stage *s)
{
    const struct run_summary *run = &s->summaries[s->taken];
    const struct generation_row *row = &run->rows[run->best_generation];
    bool held_out = row->held_out != NOT_MEASURED;
    char figure[FORMAT_MAX];
    fprintf(p->out,
            "<p class=\"result\">Of %d runs with different seeds, %s %s: its best organism is "
            "the best of all %s, with <strong>",
            s->run_count, s->runs[s->taken].run.name,
            night_stage_ended(s) ? "was taken" : "is ahead",
            held_out ? run->value->words->held_out : run->value->words->train);
    html_text(p->out,
              held_out
                  ? objective_figure(run->value, (double)row->held_out, run->held_out_size, figure)
                  : objective_figure(run->value, (double)row->measure, run->train_size, figure));
    fputs("</strong>", p->out);
    html_format(p->out, " (%s). ", objective_title(run->value));
    html_text(p->out, verdict_of(run).text);
    fputs(
        "</p>\n<p>The best of several runs is partly lucky: expect a slightly worse result on other "
        "data.</p>\n",
        p->out);
}

/* Writes a section on the chosen run, initially closed. */
static void write_folded(const struct page *page, const struct night_report_stage *s,
                         const char *id, const char *title, void (*write)(const struct page *p))
{
    fprintf(
        page->out,
        "<section id=\"%s%s\">\n<details class=\"folded\"><summary><h3>%s of %s</h3></summary>\n",
        page->prefix, id, title, s->runs[s->taken].run.name);
    write(page);
    fputs("</details>\n</section>\n", page->out);
}

/* The genes and the parameters of the chosen run. */
static void write_chosen(const struct night_page *p, const struct night_report_stage *s)
{
    char prefix[NIGHT_ID + 1], id[NIGHT_ID], file[NIGHT_PATH];
    snprintf(prefix, sizeof prefix, "%s.", night_stage_id(s->stage, id));
    snprintf(file, sizeof file, "%.900s#%s", p->file, s->runs[s->taken].run.name);
    const struct page page = {p->out, s->report, file, prefix, 3};
    write_folded(&page, s, "genes", "The genes", report_write_courses);
    write_folded(&page, s, "parameters", "The parameters", report_write_genes);
    write_folded(&page, s, "files", "The files", report_write_params);
}

void night_write_runs(const struct night_page *p, const struct night_report_stage *s)
{
    char word[SHELL_WORD];
    write_choice(p, s);
    write_table(p, s);
    write_chart(p, s);
    write_chosen(p, s);
    fputs("<p>Each run has its own page: <code>", p->out);
    html_format(p->out, "grayling report %s", night_run_word(p, &s->runs[s->taken], word));
    fputs("</code></p>\n", p->out);
}
