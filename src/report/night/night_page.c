#include "night_page.h"

#include "comparison.h"
#include "html.h"
#include "night_sections.h"
#include "report_frame.h"
#include "report_sections.h"
#include "resume_words.h"

#include <inttypes.h>

/* ---- the head ---- */

static int count_ended(const struct night_report *r)
{
    int ended = 0;
    for (int i = 0; i < r->night.run_count; i++)
        ended += r->night.runs[i].state >= NIGHT_TIME;
    return ended;
}

/* True if every run has ended, and one of them by its time: more time goes on with the night. */
static bool is_cut(const struct night_report *r)
{
    bool cut = false;
    for (int i = 0; i < r->night.run_count; i++)
        cut = cut || r->night.runs[i].state == NIGHT_TIME;
    return cut && count_ended(r) == r->night.run_count;
}

static const char *state_of(const struct night_report *r)
{
    if (count_ended(r) == r->night.run_count)
        return is_cut(r) ? "ended by its time" : "complete";
    return r->night.running ? "running" : "stopped";
}

static void write_facts(const struct night_page *p)
{
    const struct night_report *r = p->report;
    fputs("<p class=\"facts\"><span>", p->out);
    html_format(p->out, "%s, seed %" PRIu64, comparison_or_night(&r->night.recipe),
                r->night.recipe.seed);
    fprintf(p->out, "</span> <span class=\"state\">%s</span> ", state_of(r));
    if (r->created[0] != '\0') {
        fputs("<span>begun ", p->out);
        report_frame_moment(p->out, r->created);
        fputs("</span> ", p->out);
    }
    fputs("<span>", p->out);
    html_format(p->out, "grayling %s", r->version);
    fputs("</span></p>\n", p->out);
}

/* True if the hours given say something: they are divided among the stages of a night. A comparison
 * has more than it needs, unless they cut it short. */
static bool hours_matter(const struct night_summary *n)
{
    for (int i = 0; i < n->run_count; i++)
        if (n->runs[i].state == NIGHT_TIME)
            return true;
    return !comparison_applies(&n->recipe);
}

static void write_time(const struct night_page *p)
{
    const struct night_summary *n = &p->report->night;
    char spent[FORMAT_MAX], given[FORMAT_MAX], note[FORMAT_MAX];
    if (hours_matter(n))
        snprintf(note, sizeof note, "of %.60s given", format_duration(n->given, given));
    else
        snprintf(note, sizeof note, "for %.60s", format_things(n->run_count, "run", given));
    report_frame_verdict(p->out, "time", "Time", format_duration(n->spent, spent), note);
}

/* The number of runs that have ended, unless all have. */
static void write_progress(const struct night_page *p)
{
    char figure[FORMAT_MAX];
    int ended = count_ended(p->report), count = p->report->night.run_count;
    snprintf(figure, sizeof figure, "%d of %d", ended, count);
    if (ended < count)
        report_frame_figure(p->out, "Progress", figure, "runs have ended");
}

static void write_head(const struct night_page *p)
{
    const struct night_report_stage *match = night_match_played(p->report);
    char headline[NIGHT_HEADLINE];
    fputs("<header>\n<h1>", p->out);
    html_text(p->out, p->report->night.recipe.name);
    fputs("</h1>\n", p->out);
    write_facts(p);
    night_headline(p->report, headline);
    if (headline[0] != '\0') {
        fputs("<p class=\"result\">", p->out);
        html_text(p->out, headline);
        fputs("</p>\n", p->out);
    }
    fputs("<dl class=\"figures\">\n", p->out);
    if (match != NULL)
        night_write_match_figures(p, match);
    night_write_comparison_figures(p);
    write_progress(p);
    write_time(p);
    fputs("</dl>\n</header>\n", p->out);
}

/* ---- a section for each stage ---- */

/* The recipe and the seed of a run, in a line below its heading; the table of the stages has the rest. */
static void write_run_facts(const struct night_page *p, const struct night_report_stage *s)
{
    const struct run_summary *run = &s->summaries[0];
    fputs("<p class=\"facts\"><span>", p->out);
    html_format(p->out, "recipe %s", run->recipe.name);
    fprintf(p->out, "</span> <span>seed %" PRIu64 "</span></p>\n", run->recipe.seed);
}

/* The content of a run's own page. */
static void write_run(const struct night_page *p, const struct night_report_stage *s)
{
    char prefix[NIGHT_ID + 1], id[NIGHT_ID], file[NIGHT_PATH];
    snprintf(prefix, sizeof prefix, "%s.", night_stage_id(s->stage, id));
    snprintf(file, sizeof file, "%.900s#%s", p->file, s->runs[0].run.name);
    const struct page page = {p->out, s->report, file, prefix, 3};
    write_run_facts(p, s);
    report_write_result(&page);
    report_write_sections(&page);
}

/* The text for a stage without a generation. */
static void write_waiting(const struct night_page *p, const struct night_report_stage *s)
{
    fputs(s->runs[0].state == NIGHT_WAITING ? "<p>Waiting for the stages before it.</p>\n"
                                            : "<p>Started; no generation is complete yet.</p>\n",
          p->out);
}

static void write_stage(const struct night_page *p, const struct night_report_stage *s)
{
    char id[NIGHT_ID];
    fprintf(p->out, "<section id=\"%s\" class=\"stage\">\n<h2>%s</h2>\n",
            night_stage_id(s->stage, id), s->stage->name);
    if (s->stage->is_match)
        night_write_match(p, s);
    else if (s->taken < 0)
        write_waiting(p, s);
    else if (s->run_count > 1)
        night_write_runs(p, s);
    else
        write_run(p, s);
    fputs("</section>\n", p->out);
}

/* ---- the recipe ---- */

/* The commands to use the night. */
static void write_commands(const struct night_page *p)
{
    const struct night_report *r = p->report;
    char word[SHELL_WORD], command[RESUME_WORDS];
    resume_words("grayling", p->file, command);
    fputs("<h3>What next</h3>\n<pre>", p->out);
    if (count_ended(r) < r->night.run_count)
        html_format(p->out, "%s\n", command);
    else if (is_cut(r))
        html_format(p->out, "%s --hours 1\n", command);
    for (int i = 0; i < r->night.recipe.stage_count; i++)
        if (r->stages[i].taken >= 0)
            html_format(p->out, "grayling export %s --format uci\n",
                        night_run_word(p, &r->stages[i].runs[r->stages[i].taken], word));
    fputs("</pre>\n", p->out);
}

static void write_recipe(const struct night_page *p)
{
    fprintf(p->out,
            "<section id=\"recipe\">\n<h2>Recipe</h2>\n<p>Paths are relative to the %s.</p>\n<pre>",
            comparison_or_night(&p->report->night.recipe));
    html_text(p->out, p->report->recipe);
    fputs("</pre>\n", p->out);
    write_commands(p);
    fputs("</section>\n", p->out);
}

void night_page_write(FILE *out, const struct night_report *r, const char *file)
{
    const struct night_page page = {out, r, file};
    char title[RECIPE_NAME + 48];
    snprintf(title, sizeof title, "%s, a %s, seed %" PRIu64, r->night.recipe.name,
             comparison_or_night(&r->night.recipe), r->night.recipe.seed);
    report_frame_begin(out, title);
    write_head(&page);
    night_write_comparison(&page);
    night_write_overview(&page);
    for (int i = 0; i < r->night.recipe.stage_count; i++)
        write_stage(&page, &r->stages[i]);
    write_recipe(&page);
    report_frame_end(out, file);
}
