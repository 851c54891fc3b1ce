/* The head of a report: what the run is, and what it came to in one line. */
#include "report_sections.h"

#include "axis.h"
#include "format.h"
#include "html.h"
#include "interval.h"

#include <inttypes.h>
#include <time.h>

static const char *state_of(const struct run_summary *s, char text[FORMAT_MAX])
{
    if (s->generation < 0)
        snprintf(text, FORMAT_MAX, "no generation of %d yet", s->recipe.generations);
    else if (s->complete)
        snprintf(text, FORMAT_MAX, "complete, %d generations", s->recipe.generations);
    else
        snprintf(text, FORMAT_MAX, "%s after generation %d of %d",
                 s->running ? "running, read" : "stopped", s->generation, s->recipe.generations);
    return text;
}

/* A time as the store has it ("2026-11-21T04:59:54Z"), for people: "2026-11-21 04:59 UTC". */
static void write_time(const struct page *p, const char *created)
{
    int year, month, day, hour, minute;
    if (sscanf(created, "%4d-%2d-%2dT%2d:%2d", &year, &month, &day, &hour, &minute) == 5)
        html_format(p->out, "%04d-%02d-%02d %02d:%02d UTC", year, month, day, hour, minute);
    else
        html_text(p->out, created);
}

/* A measure with its interval: "<strong>30.90 %</strong> (95 % interval 29.63 to 32.20)". */
static void write_measure(const struct page *p, int64_t measure, int64_t size)
{
    const struct run_summary *s = &p->report->summary;
    char text[FORMAT_MAX];
    fputs("<strong>", p->out);
    html_text(p->out, format_brief(s->unit, (double)measure, size, text));
    fputs("</strong>", p->out);
    if (s->unit != UNIT_SHARE || size <= 0 || measure > size || measure < 0)
        return;
    struct interval i = interval_wilson(measure, size, 0.95);
    html_format(p->out, " (95 %% interval %.2f to %.2f)", 100 * i.low, 100 * i.high);
}

/* The result in one line. */
static void write_result(const struct page *p)
{
    const struct run_summary *s = &p->report->summary;
    const struct generation_row *best = &s->rows[s->best_generation];
    fputs("<p class=\"result\">", p->out);
    html_text(p->out, s->measure);
    fputs(" by the best organism: ", p->out);
    write_measure(p, best->measure, s->train_size);
    fputs(" in training", p->out);
    if (best->held_out != NOT_MEASURED) {
        fputs(", ", p->out);
        write_measure(p, best->held_out, s->held_out_size);
        fputs(" held out", p->out);
    }
    fputs(".</p>\n", p->out);
}

/* A figure with what it is. */
static void write_figure(const struct page *p, const char *name, const char *figure,
                         const char *note)
{
    fputs("<div><dt>", p->out);
    html_text(p->out, name);
    fputs("</dt><dd>", p->out);
    html_text(p->out, figure);
    fputs("</dd><dd class=\"note\">", p->out);
    html_text(p->out, note);
    fputs("</dd></div>\n", p->out);
}

/* A measure as a figure without its unit: "30.90 %", "7,793,174", "15,321". */
static const char *figure_of(const struct run_summary *s, double measure, int64_t size,
                             char text[FORMAT_MAX])
{
    if (s->unit == UNIT_NODES)
        return format_count((int64_t)(measure + 0.5), text);
    if (s->unit == UNIT_LOG_NODES)
        return format_count((int64_t)(axis_value(s, measure, size) + 0.5), text);
    return format_share(measure, size, text);
}

/* What a figure counts: "1,545 of 5,000", "nodes, 17,712 a position", "nodes, geometric mean". */
static const char *parts_of(const struct run_summary *s, int64_t measure, int64_t size,
                            char text[FORMAT_MAX])
{
    char a[FORMAT_MAX], b[FORMAT_MAX];
    if (s->unit == UNIT_LOG_NODES)
        snprintf(text, FORMAT_MAX, "nodes, geometric mean of %.30s", format_count(size, a));
    else if (s->unit == UNIT_NODES && size > 0)
        snprintf(text, FORMAT_MAX, "nodes, %.30s a position", format_count(measure / size, a));
    else if (size > 0)
        snprintf(text, FORMAT_MAX, "%.30s of %.30s", format_count(measure, a),
                 format_count(size, b));
    else
        snprintf(text, FORMAT_MAX, "%.60s", s->measure);
    return text;
}

/* The best organism's measures, where it began, and what it took. */
static void write_figures(const struct page *p)
{
    const struct report *r = p->report;
    const struct run_summary *s = &r->summary;
    const struct generation_row *best = &s->rows[s->best_generation];
    char figure[FORMAT_MAX], note[FORMAT_MAX], other[FORMAT_MAX];
    fputs("<dl class=\"figures\">\n", p->out);
    write_figure(p, "Training", figure_of(s, (double)best->measure, s->train_size, figure),
                 parts_of(s, best->measure, s->train_size, note));
    if (best->held_out != NOT_MEASURED)
        write_figure(p, "Held out", figure_of(s, (double)best->held_out, s->held_out_size, figure),
                     parts_of(s, best->held_out, s->held_out_size, note));
    snprintf(note, sizeof note, "the best; on average %.60s",
             figure_of(s, s->rows[0].mean, s->train_size, other));
    write_figure(p, "Generation 0", figure_of(s, (double)s->rows[0].measure, s->train_size, figure),
                 note);
    snprintf(figure, sizeof figure, "%d", s->best_generation);
    snprintf(note, sizeof note, "the generation; organism %d", s->best_index);
    write_figure(p, "Best found in", figure, note);
    snprintf(note, sizeof note, "%.30s genomes measured", format_count(s->genomes, other));
    write_figure(p, "Time", format_duration(r->seconds, figure), note);
    fputs("</dl>\n", p->out);
}

void report_write_head(const struct page *p)
{
    const struct report *r = p->report;
    char state[FORMAT_MAX];
    fputs("<header>\n<h1>", p->out);
    html_text(p->out, r->summary.recipe.name);
    fputs("</h1>\n<p class=\"facts\"><span>", p->out);
    html_format(p->out, "seed %" PRIu64, r->summary.recipe.seed);
    fputs("</span> <span>", p->out);
    html_text(p->out, state_of(&r->summary, state));
    fputs("</span> <span>begun ", p->out);
    write_time(p, r->created);
    fputs("</span> <span>", p->out);
    html_format(p->out, "grayling %s", r->version);
    fputs("</span></p>\n", p->out);
    if (r->summary.generation >= 0) {
        write_result(p);
        write_figures(p);
    }
    fputs("</header>\n", p->out);
}
