/* The page of a run: what the run is, its result in one line and in figures, then the sections. */
#include "report_page.h"

#include "format.h"
#include "html.h"
#include "paths.h"
#include "report_sections.h"
#include "verdict.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* ---- the head ---- */

/* An objective value with its interval: "<strong>30.90 %</strong> (95 % interval 29.63 to 32.20) held out". */
static void write_measure(const struct page *p, int64_t measure, int64_t size, const char *place)
{
    const struct run_summary *s = &p->report->summary;
    const int digits = s->value->decimals;
    struct interval i;
    char text[FORMAT_MAX];
    html_print(p->out, "<strong>%s</strong>",
               objective_figure(s->value, (double)measure, size, text));
    if (objective_interval(s->value, measure, size, &i))
        html_print(p->out, " (95 %% interval %.*f to %.*f)", digits, 100 * i.low, digits,
                   100 * i.high);
    html_print(p->out, " %s", place);
}

/* The value of generation 0, on the same data or against the same opponent. */
static void write_beginning(const struct page *p)
{
    const struct run_summary *s = &p->report->summary;
    const struct generation_row *row = &s->rows[0];
    char figure[FORMAT_MAX], mean[FORMAT_MAX];
    if (!s->value->across_generations && row->held_out != NOT_MEASURED)
        report_frame_figure(
            p->out, "plain", "Generation 0",
            objective_figure(s->value, (double)row->held_out, s->held_out_size, figure),
            "the best, %s", s->value->words->held_out);
    else
        report_frame_figure(p->out, "plain", "Generation 0",
                            objective_figure(s->value, (double)row->measure, s->train_size, figure),
                            "the best; the mean is %s",
                            objective_figure(s->value, row->mean, s->train_size, mean));
}

/* By how much the best is better than what there was, and the interval. */
static void write_verdict(const struct page *p, const struct verdict *v)
{
    const int decimals = strcmp(v->unit, "Elo") == 0 ? 0 : 1;
    const char *css = elo_verdict_class(v->decided);
    char name[FORMAT_MAX], figure[FORMAT_MAX + 8], by[FORMAT_MAX], low[FORMAT_MAX],
        high[FORMAT_MAX];
    snprintf(name, sizeof name, "Against %s", v->against);
    if (!isfinite(v->margin)) {
        report_frame_figure(p->out, css, name, "–", "not known yet");
        return;
    }
    snprintf(figure, sizeof figure, "%s %s", elo_signed(v->by, decimals, by), v->unit);
    report_frame_figure(p->out, css, name, figure, "%s: 95 %% interval %s to %s",
                        verdict_word(v->decided), elo_signed(v->by - v->margin, decimals, low),
                        elo_signed(v->by + v->margin, decimals, high));
}

/* The verdict in one sentence, what the best organism is worth in another, and figures. Of a gain, what it is
 * worth in training says nothing. */
void report_write_result(const struct page *p)
{
    const struct report *r = p->report;
    const struct run_summary *s = &r->summary;
    const struct generation_row *best = &s->rows[s->best_generation];
    const struct objective_words *words = s->value->words;
    const struct verdict verdict = verdict_of(s);
    const bool gains = run_gain_known(&s->gain), held_out = best->held_out != NOT_MEASURED;
    char figure[FORMAT_MAX], parts[FORMAT_MAX];
    if (verdict.text[0] != '\0')
        html_print(p->out, "<p class=\"result\"><strong>%s</strong>.</p>\n", verdict.text);
    if (!gains) {
        html_print(p->out,
                   "<p class=\"result\">%s by the best organism: ", objective_title(s->value));
        write_measure(p, best->measure, s->train_size, words->train);
        if (held_out) {
            fputs(", ", p->out);
            write_measure(p, best->held_out, s->held_out_size, words->held_out);
        }
        fputs(".</p>\n", p->out);
    }
    fputs("<dl class=\"figures\">\n", p->out);
    if (verdict.text[0] != '\0')
        write_verdict(p, &verdict);
    if (!gains)
        report_frame_figure(
            p->out, "plain", words->train_name,
            objective_figure(s->value, (double)best->measure, s->train_size, figure), "%s",
            objective_parts(s->value, best->measure, s->train_size, parts));
    if (held_out)
        report_frame_figure(
            p->out, "plain", words->held_out_name,
            objective_figure(s->value, (double)best->held_out, s->held_out_size, figure), "%s",
            objective_parts(s->value, best->held_out, s->held_out_size, parts));
    if (!gains)
        write_beginning(p);
    snprintf(figure, sizeof figure, "%d", s->best_generation);
    report_frame_figure(p->out, "plain", "Best found in", figure, "generation, as organism %d",
                        s->best_index);
    if (p->prefix[0] == '\0') /* a night tells it in the table of its stages */
        report_frame_figure(p->out, "time", "Time", format_duration(r->seconds, figure),
                            "%s measured", format_things(s->genomes, "genome", parts));
    fputs("</dl>\n", p->out);
}

void report_write_head(const struct page *p)
{
    const struct report *r = p->report;
    const struct run_summary *s = &r->summary;
    char state[FORMAT_MAX];
    snprintf(state, sizeof state, "no generation of %d yet", s->recipe.generations);
    if (s->generation >= 0)
        format_progress(s->running ? "running, read" : "stopped", s->complete, s->generation,
                        s->recipe.generations, state);
    html_print(p->out,
               "<header>\n<h1>%s</h1>\n<p class=\"facts\"><span>seed %" PRIu64
               "</span> <span class=\"state\">%s</span> <span>begun ",
               s->recipe.name, s->recipe.seed, state);
    report_frame_moment(p->out, r->from.created);
    html_print(p->out, "</span> <span>grayling %s</span></p>\n", r->from.version);
    if (r->summary.generation >= 0) {
        struct outcome_line lines[OUTCOME_LINES];
        report_write_result(p);
        report_frame_outcome(p->out, lines, outcome_words(r->from.path, s, lines));
    }
    fputs("</header>\n", p->out);
}

/* ---- the sections ---- */

static const struct section {
    const char *id, *title;
    void (*write)(const struct page *p);
    bool folds;  /* on a night's page it is initially closed */
    bool always; /* there is something to write before the first generation */
} sections[] = {
    {"genes", "Genes", report_write_courses, false, false},
    {"fitness", "Fitness", report_write_fitness, false, false},
    {"parameters", "Parameters", report_write_genes, true, false},
    {"files", "Files", report_write_params, true, false},
    {"convergence", "Convergence", report_write_convergence, false, false},
    {"recipe", "Recipe and data", report_write_recipe, true, true},
};

enum { SECTIONS = sizeof sections / sizeof sections[0], PAGE_LEVEL = 2 };

static bool is_wanted(const struct page *p, const struct section *s)
{
    return s->always || p->report->summary.generation >= 0;
}

void report_write_sections(const struct page *p)
{
    fputs("<nav aria-label=\"Sections\">", p->out);
    for (int i = 0; i < SECTIONS; i++)
        if (is_wanted(p, &sections[i]))
            fprintf(p->out, "<a href=\"#%s%s\">%s</a>", p->prefix, sections[i].id,
                    sections[i].title);
    fputs("</nav>\n", p->out);
    for (const struct section *s = sections; s < sections + SECTIONS; s++) {
        const bool folded = s->folds && p->level > PAGE_LEVEL;
        if (!is_wanted(p, s))
            continue;
        fprintf(p->out, "<section id=\"%s%s\">\n%s<h%d>%s</h%d>\n%s", p->prefix, s->id,
                folded ? "<details class=\"folded\"><summary>" : "", p->level, s->title, p->level,
                folded ? "</summary>\n" : "");
        s->write(p);
        fputs(folded ? "</details>\n</section>\n" : "</section>\n", p->out);
    }
}

void report_page_write(FILE *out, const struct report *r)
{
    const struct page page = {out, r, "", PAGE_LEVEL};
    char title[RECIPE_NAME + 40];
    snprintf(title, sizeof title, "%s, seed %" PRIu64, r->summary.recipe.name,
             r->summary.recipe.seed);
    report_frame_begin(out, title);
    report_write_head(&page);
    report_write_sections(&page);
    report_frame_end(out, path_name(r->from.path));
}
