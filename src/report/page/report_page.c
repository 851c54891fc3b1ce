/* The page of a run: what the run is, its result in one line and in figures, then the sections. */
#include "report_page.h"

#include "format.h"
#include "html.h"
#include "report_frame.h"
#include "report_sections.h"
#include "verdict.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* ---- the head ---- */

static const char *state_of(const struct run_summary *s, char text[FORMAT_MAX])
{
    if (s->generation >= 0)
        return format_progress(s->running ? "running, read" : "stopped", s->complete, s->generation,
                               s->recipe.generations, text);
    snprintf(text, FORMAT_MAX, "no generation of %d yet", s->recipe.generations);
    return text;
}

/* An objective value with its interval: "<strong>30.90 %</strong> (95 % interval 29.63 to
 * 32.20)". */
static void write_measure(const struct page *p, int64_t measure, int64_t size)
{
    const struct run_summary *s = &p->report->summary;
    int digits = s->value->decimals;
    struct interval i;
    char text[FORMAT_MAX];
    fputs("<strong>", p->out);
    html_text(p->out, objective_figure(s->value, (double)measure, size, text));
    fputs("</strong>", p->out);
    if (objective_interval(s->value, measure, size, &i))
        html_format(p->out, " (95 %% interval %.*f to %.*f)", digits, 100 * i.low, digits,
                    100 * i.high);
}

/* The verdict in one sentence, and what the best organism is worth in another. */
static void write_line(const struct page *p)
{
    const struct run_summary *s = &p->report->summary;
    const struct verdict verdict = verdict_of(s);
    if (verdict.text[0] != '\0') {
        fputs("<p class=\"result\"><strong>", p->out);
        html_text(p->out, verdict.text);
        fputs("</strong>.</p>\n", p->out);
    }
    if (run_gain_known(&s->gain))
        return;
    const struct generation_row *best = &s->rows[s->best_generation];
    const struct objective_words *words = s->value->words;
    fputs("<p class=\"result\">", p->out);
    html_text(p->out, objective_title(s->value));
    fputs(" by the best organism: ", p->out);
    write_measure(p, best->measure, s->train_size);
    fprintf(p->out, " %s", words->train);
    if (best->held_out != NOT_MEASURED) {
        fputs(", ", p->out);
        write_measure(p, best->held_out, s->held_out_size);
        fprintf(p->out, " %s", words->held_out);
    }
    fputs(".</p>\n", p->out);
}

/* The value of generation 0, on the same data or against the same opponent. */
static void write_beginning(const struct page *p)
{
    const struct run_summary *s = &p->report->summary;
    const struct generation_row *row = &s->rows[0];
    bool played = !s->value->across_generations && row->held_out != NOT_MEASURED;
    char figure[FORMAT_MAX], note[FORMAT_MAX], mean[FORMAT_MAX];
    if (played)
        snprintf(note, sizeof note, "the best, %.60s", s->value->words->held_out);
    else
        snprintf(note, sizeof note, "the best; the mean is %.60s",
                 objective_figure(s->value, row->mean, s->train_size, mean));
    objective_figure(s->value, (double)(played ? row->held_out : row->measure),
                     played ? s->held_out_size : s->train_size, figure);
    report_frame_figure(p->out, "Generation 0", figure, note);
}

/* By how much the best is better than what there was, and the interval. */
static void write_verdict_figure(const struct page *p)
{
    const struct verdict v = verdict_of(&p->report->summary);
    char name[FORMAT_MAX], figure[FORMAT_MAX] = "–", note[FORMAT_MAX] = "not known yet";
    if (v.text[0] == '\0')
        return;
    const int decimals = strcmp(v.unit, "Elo") == 0 ? 0 : 1;
    snprintf(name, sizeof name, "Against %s", v.against);
    if (isfinite(v.margin)) {
        char by[FORMAT_MAX], low[FORMAT_MAX], high[FORMAT_MAX];
        snprintf(figure, sizeof figure, "%.40s %s", elo_signed(v.by, decimals, by), v.unit);
        snprintf(note, sizeof note, "%s: 95 %% interval %.30s to %.30s", verdict_word(v.decided),
                 elo_signed(v.by - v.margin, decimals, low),
                 elo_signed(v.by + v.margin, decimals, high));
    }
    report_frame_verdict(p->out, elo_verdict_class(v.decided), name, figure, note);
}

/* The best organism's values and those of generation 0, or the gain; and the time. */
static void write_figures(const struct page *p)
{
    const struct report *r = p->report;
    const struct run_summary *s = &r->summary;
    const struct generation_row *best = &s->rows[s->best_generation];
    char figure[FORMAT_MAX], note[FORMAT_MAX], other[FORMAT_MAX];
    const struct objective_words *words = s->value->words;
    const bool gains = run_gain_known(&s->gain);
    fputs("<dl class=\"figures\">\n", p->out);
    write_verdict_figure(p);
    if (!gains)
        report_frame_figure(
            p->out, words->train_name,
            objective_figure(s->value, (double)best->measure, s->train_size, figure),
            objective_parts(s->value, best->measure, s->train_size, note));
    if (best->held_out != NOT_MEASURED)
        report_frame_figure(
            p->out, words->held_out_name,
            objective_figure(s->value, (double)best->held_out, s->held_out_size, figure),
            objective_parts(s->value, best->held_out, s->held_out_size, note));
    if (!gains)
        write_beginning(p);
    snprintf(figure, sizeof figure, "%d", s->best_generation);
    snprintf(note, sizeof note, "generation, as organism %d", s->best_index);
    report_frame_figure(p->out, "Best found in", figure, note);
    snprintf(note, sizeof note, "%.60s measured", format_things(s->genomes, "genome", other));
    if (p->prefix[0] == '\0') /* a night tells it in the table of its stages */
        report_frame_verdict(p->out, "time", "Time", format_duration(r->seconds, figure), note);
    fputs("</dl>\n", p->out);
}

void report_write_result(const struct page *p)
{
    write_line(p);
    write_figures(p);
}

void report_write_head(const struct page *p)
{
    const struct report *r = p->report;
    char state[FORMAT_MAX];
    fputs("<header>\n<h1>", p->out);
    html_text(p->out, r->summary.recipe.name);
    fputs("</h1>\n<p class=\"facts\"><span>", p->out);
    html_format(p->out, "seed %" PRIu64, r->summary.recipe.seed);
    fputs("</span> <span class=\"state\">", p->out);
    html_text(p->out, state_of(&r->summary, state));
    fputs("</span> <span>begun ", p->out);
    report_frame_moment(p->out, r->created);
    fputs("</span> <span>", p->out);
    html_format(p->out, "grayling %s", r->version);
    fputs("</span></p>\n", p->out);
    if (r->summary.generation >= 0)
        report_write_result(p);
    fputs("</header>\n", p->out);
}

/* ---- the sections ---- */

/* A section with its heading; omitted unless `wanted` returns true. */
struct section {
    const char *id, *title;
    bool (*wanted)(const struct report *r);
    void (*write)(const struct page *p);
    bool folds; /* on a night's page it is initially closed */
};

static bool always(const struct report *r)
{
    (void)r;
    return true;
}

static bool has_generations(const struct report *r)
{
    return r->summary.generation >= 0;
}

/* The sections of a run, in order. */
static const struct section sections[] = {
    {"genes", "Genes", has_generations, report_write_courses, false},
    {"fitness", "Fitness", has_generations, report_write_fitness, false},
    {"parameters", "Parameters", has_generations, report_write_genes, true},
    {"files", "Files", has_generations, report_write_params, true},
    {"convergence", "Convergence", has_generations, report_write_convergence, false},
    {"recipe", "Recipe and data", always, report_write_recipe, true},
};

enum { SECTIONS = sizeof sections / sizeof sections[0], PAGE_LEVEL = 2 };

void report_write_heading(const struct page *p, int depth, const char *text)
{
    fprintf(p->out, "<h%d>%s</h%d>\n", p->level + depth, text, p->level + depth);
}

/* Links to the sections. */
static void write_contents(const struct page *p)
{
    fputs("<nav aria-label=\"Sections\">", p->out);
    for (int i = 0; i < SECTIONS; i++)
        if (sections[i].wanted(p->report))
            fprintf(p->out, "<a href=\"#%s%s\">%s</a>", p->prefix, sections[i].id,
                    sections[i].title);
    fputs("</nav>\n", p->out);
}

static void write_section(const struct page *p, const struct section *s)
{
    bool folded = s->folds && p->level > PAGE_LEVEL;
    fprintf(p->out, "<section id=\"%s%s\">\n", p->prefix, s->id);
    if (folded)
        fputs("<details class=\"folded\"><summary>", p->out);
    report_write_heading(p, 0, s->title);
    if (folded)
        fputs("</summary>\n", p->out);
    s->write(p);
    fputs(folded ? "</details>\n</section>\n" : "</section>\n", p->out);
}

void report_write_sections(const struct page *p)
{
    write_contents(p);
    for (int i = 0; i < SECTIONS; i++)
        if (sections[i].wanted(p->report))
            write_section(p, &sections[i]);
}

void report_page_write(FILE *out, const struct report *r, const char *file)
{
    const struct page page = {out, r, file, "", PAGE_LEVEL};
    const struct recipe *recipe = &r->summary.recipe;
    char title[RECIPE_NAME + 40];
    snprintf(title, sizeof title, "%s, seed %" PRIu64, recipe->name, recipe->seed);
    report_frame_begin(out, title);
    report_write_head(&page);
    report_write_sections(&page);
    report_frame_end(out, file);
}
