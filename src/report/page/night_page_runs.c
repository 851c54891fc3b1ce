/* A stage of several runs: a table of their results, their curves in one picture, and the genes of the chosen run. */
#include "chart.h"
#include "foreign_text.h"
#include "format.h"
#include "html.h"
#include "paths.h"
#include "report_sections.h"
#include "text_stream.h"
#include "verdict.h"

#include <math.h>

/* ---- curves ---- */

static bool has_held_out(const struct night_report_stage *s)
{
    return s->summaries[s->taken].held_out_size > 0;
}

/* The curve of a run: of each generation's best, on held-out data if there are. */
static enum fitness_curve curve_of(const struct night_report_stage *s)
{
    return has_held_out(s) ? FITNESS_HELD_OUT : FITNESS_BEST;
}

/* The values of a generation: of the chosen run, and the range of the others. */
static void tell(const void *context, int generation, char *text, size_t size)
{
    const struct night_report_stage *s = context;
    double low = INFINITY, high = -INFINITY;
    for (int i = 0; i < s->run_count; i++) {
        const double value =
            i == s->taken ? NAN : fitness_point(&s->summaries[i], curve_of(s), generation).y;
        low = fmin(low, value);
        high = fmax(high, value);
    }
    const double own = fitness_point(&s->summaries[s->taken], curve_of(s), generation).y;
    snprintf(text, size, "generation %d", generation);
    if (isfinite(own))
        text_add(text, size, "\n%s %.4g", s->runs[s->taken].run.name, own);
    if (isfinite(low))
        text_add(text, size, "\nthe others %.4g to %.4g", low, high);
}

static void write_chart(const struct night_page *p, const struct night_report_stage *s)
{
    const struct run_summary *taken = &s->summaries[s->taken];
    char axis[OBJECTIVE_LABEL], label[OBJECTIVE_LABEL + 64];
    snprintf(label, sizeof label, "%s, the best of each generation, %s",
             objective_label(taken->value, taken->train_size, axis),
             has_held_out(s) ? taken->value->words->held_out : taken->value->words->train);
    struct chart chart = {.title = "The best of each generation, run by run",
                          .x_name = "generation",
                          .y_name = label,
                          .tell = tell,
                          .context = s};
    for (int i = -1; i < s->run_count && chart.count < CHART_CURVES; i++) {
        const struct run_summary *run = i < 0 ? taken : &s->summaries[i];
        if (i == s->taken || run->generation < 0)
            continue;
        chart.curves[chart.count] =
            (struct chart_curve){.name = i < 0              ? s->runs[s->taken].run.name
                                         : chart.count == 1 ? "the other runs"
                                                            : NULL,
                                 .sign = i < 0 ? SIGN_LINE : SIGN_THIN,
                                 .css = i < 0 ? "best" : "mean",
                                 .count = run->generation + 1,
                                 .at = fitness_point,
                                 .context = run,
                                 .kind = curve_of(s)};
        chart.count++;
        chart.x_last = fmax(chart.x_last, run->generation);
    }
    chart_draw(&chart, &(struct plot_file){.out = p->out}, NULL);
}

/* ---- the table ---- */

static void write_run_row(const struct night_page *p, const struct night_report_stage *s, int index)
{
    const struct night_run_summary *run = &s->runs[index];
    const struct run_summary *r = &s->summaries[index];
    const bool taken = index == s->taken;
    char text[FORMAT_MAX];
    fprintf(p->out, "<tr%s><th scope=\"row\">%s", taken ? " class=\"taken\"" : "", run->run.name);
    if (taken)
        fprintf(p->out, " <span class=\"tag quiet\">%s</span>", s->ended ? "taken" : "ahead");
    fputs("</th>", p->out);
    for (int held_out = 0; held_out <= has_held_out(s); held_out++)
        night_write_best(p, r, held_out, false, "–");
    snprintf(text, sizeof text, "%d", r->generation);
    fprintf(p->out, "<td>%s</td>", r->generation < 0 ? "–" : text);
    fprintf(p->out, "<td>%s</td><td class=\"words\">%s</td></tr>\n",
            run->state == NIGHT_WAITING ? "–" : format_duration(run->seconds, text),
            night_state_words(p, run->state));
}

/* ---- the section ---- */

void night_write_runs(const struct night_page *p, const struct night_report_stage *s)
{
    static const struct {
        const char *id, *title;
        void (*write)(const struct page *p);
    } folded[] = {{"genes", "The genes", report_write_courses},
                  {"parameters", "The parameters", report_write_genes},
                  {"files", "The files", report_write_params}};
    const struct objective_words *words = s->summaries[s->taken].value->words;
    char prefix[NIGHT_ID + 1], id[NIGHT_ID], word[SHELL_WORD];
    snprintf(prefix, sizeof prefix, "%s.", night_stage_id(s->stage, id));
    const struct page page = {p->out, s->report, prefix, 3};
    const struct run_summary *run = &s->summaries[s->taken];
    const struct generation_row *row = &run->rows[run->best_generation];
    const bool held_out = row->held_out != NOT_MEASURED;
    char figure[FORMAT_MAX];
    html_print(
        p->out,
        "<p class=\"result\">Of %d runs with different seeds, %s %s: its best organism is "
        "the best of all %s, with <strong>%s</strong> (%s). %s</p>\n<p>The best of several runs is "
        "partly lucky: expect a slightly worse result on other data.</p>\n",
        s->run_count, s->runs[s->taken].run.name, s->ended ? "was taken" : "is ahead",
        held_out ? run->value->words->held_out : run->value->words->train,
        objective_figure(run->value, (double)(held_out ? row->held_out : row->measure),
                         held_out ? run->held_out_size : run->train_size, figure),
        objective_title(run->value), verdict_of(run).text);
    html_table(p->out, "runs", "", "run", words->train, has_held_out(s) ? words->held_out : "",
               "generation", "time", "|state", NULL);
    for (int i = 0; i < s->run_count; i++)
        write_run_row(p, s, i);
    html_table_end(p->out);
    write_chart(p, s);
    for (size_t i = 0; i < sizeof folded / sizeof folded[0]; i++) {
        fprintf(p->out,
                "<section id=\"%s%s\">\n<details class=\"folded\"><summary><h3>%s of %s</h3>"
                "</summary>\n",
                prefix, folded[i].id, folded[i].title, s->runs[s->taken].run.name);
        folded[i].write(&page);
        fputs("</details>\n</section>\n", p->out);
    }
    html_print(p->out, "<p>Each run has its own page: <code>grayling report %s</code></p>\n",
               shell_word(path_name(s->report->from.path), word));
}
