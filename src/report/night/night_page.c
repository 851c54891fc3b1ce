/* The page of a night: its head, a table of its stages, a section for each, the recipe. */
#include "night_page.h"

#include "comparison.h"
#include "html.h"
#include "night_sections.h"
#include "report_frame.h"
#include "report_sections.h"
#include "resume_words.h"

#include <inttypes.h>

/* ---- names ---- */

const char *night_stage_id(const struct night_stage *s, char id[NIGHT_ID])
{
    snprintf(id, NIGHT_ID, "stage.%s", s->name);
    return id;
}

const char *night_state_words(const struct night_page *p, enum night_state state)
{
    static const char *const words[] = {[NIGHT_WAITING] = "waiting",
                                        [NIGHT_BEGUN] = "stopped",
                                        [NIGHT_TIME] = "ended by its time",
                                        [NIGHT_COMPLETE] = "complete"};
    return state == NIGHT_BEGUN && p->report->night.running ? "running" : words[state];
}

const char *night_run_word(const struct night_page *p, const struct night_run_summary *run,
                           char word[SHELL_WORD])
{
    char name[NIGHT_PATH];
    snprintf(name, sizeof name, "%.900s#%s", p->file, run->run.name);
    return shell_word(name, word);
}

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

/* ---- the table of the stages ---- */

/* "complete"; for several runs of which only some are complete, how many. */
static void write_stage_state(const struct night_page *p, const struct night_report_stage *s)
{
    int counts[NIGHT_COMPLETE + 1] = {0};
    for (int i = 0; i < s->run_count; i++)
        counts[s->runs[i].state]++;
    for (int state = NIGHT_WAITING; state <= NIGHT_COMPLETE; state++)
        if (counts[state] == s->run_count) {
            fputs(night_state_words(p, (enum night_state)state), p->out);
            return;
        }
    int ended = counts[NIGHT_COMPLETE] + counts[NIGHT_TIME];
    if (ended == s->run_count)
        fprintf(p->out, "%d of %d ended by their time", counts[NIGHT_TIME], s->run_count);
    else
        fprintf(p->out, "%d of %d have ended", ended, s->run_count);
}

static int64_t games_of(const struct night_pairing *pairing)
{
    return pairing->counts.wins + pairing->counts.draws + pairing->counts.losses;
}

/* The games played of a match. */
static void write_games_done(const struct night_page *p, const struct night_report_stage *s)
{
    char done[FORMAT_MAX], all[FORMAT_MAX];
    int pairings = s->stage->player_count * (s->stage->player_count - 1) / 2;
    int64_t games = 0;
    for (int i = 0; i < s->pairing_count; i++)
        games += games_of(&s->pairings[i]);
    fprintf(p->out, "%s of %s games", format_count(games, done),
            format_count((int64_t)pairings * s->stage->games, all));
}

/* The last generation of a run; for several runs, the lowest and the highest. */
static void write_generations(const struct night_page *p, const struct night_report_stage *s)
{
    int least = s->summaries[0].generation, most = least;
    for (int i = 1; i < s->run_count; i++) {
        int last = s->summaries[i].generation;
        least = last < least ? last : least;
        most = last > most ? last : most;
    }
    if (most < 0) {
        fputs("–", p->out);
        return;
    }
    if (least == most)
        fprintf(p->out, "%d", most);
    else
        fprintf(p->out, "%d to %d", least > 0 ? least : 0, most);
    if (s->stage->recipe->generations > 0)
        fprintf(p->out, " of %d", s->stage->recipe->generations);
    if (s->run_count > 1)
        fprintf(p->out, "<small>%d runs</small>", s->run_count);
}

/* An objective value with its origin. */
static void write_measure_cell(const struct night_page *p, const struct run_summary *s,
                               int64_t measure, int64_t size, const char *place)
{
    char figure[FORMAT_MAX];
    fputs("<td>", p->out);
    html_text(p->out, objective_figure(s->value, (double)measure, size, figure));
    fputs("<small>", p->out);
    html_text(p->out, place);
    fputs("</small></td>", p->out);
}

/* True if any stage has data held out. */
static bool has_held_out(const struct night_page *p)
{
    for (int i = 0; i < p->report->night.recipe.stage_count; i++) {
        const struct night_report_stage *s = &p->report->stages[i];
        if (s->taken >= 0 && s->summaries[s->taken].held_out_size > 0)
            return true;
    }
    return false;
}

static void write_measures(const struct night_page *p, const struct night_report_stage *s)
{
    if (s->taken < 0) {
        fputs(has_held_out(p) ? "<td>–</td><td>–</td>" : "<td>–</td>", p->out);
        return;
    }
    const struct run_summary *run = &s->summaries[s->taken];
    const struct generation_row *row = &run->rows[run->best_generation];
    const struct objective_words *words = run->value->words;
    write_measure_cell(p, run, row->measure, run->train_size, words->train);
    if (row->held_out == NOT_MEASURED)
        fputs(has_held_out(p) ? "<td>–</td>" : "", p->out);
    else
        write_measure_cell(p, run, row->held_out, run->held_out_size, words->held_out);
}

static double seconds_of(const struct night_report_stage *s)
{
    double seconds = 0;
    for (int i = 0; i < s->run_count; i++)
        seconds += s->runs[i].seconds;
    return seconds;
}

static void write_stage_row(const struct night_page *p, const struct night_report_stage *s)
{
    char id[NIGHT_ID], time[FORMAT_MAX];
    fprintf(p->out, "<tr><th scope=\"row\"><a href=\"#%s\">%s</a><small>",
            night_stage_id(s->stage, id), s->stage->name);
    if (s->stage->is_match)
        fprintf(p->out, "%d players", s->stage->player_count);
    else if (s->taken >= 0)
        html_text(p->out, objective_title(s->summaries[s->taken].value));
    fputs("</small></th><td class=\"words\">", p->out);
    write_stage_state(p, s);
    fputs("</td>", p->out);
    if (s->stage->is_match)
        fputs(has_held_out(p) ? "<td></td><td></td>" : "<td></td>", p->out);
    else
        write_measures(p, s);
    fputs("<td>", p->out);
    if (s->stage->is_match)
        write_games_done(p, s);
    else
        write_generations(p, s);
    double seconds = seconds_of(s);
    fprintf(p->out, "</td><td>%s</td></tr>\n", seconds > 0 ? format_duration(seconds, time) : "–");
}

static void write_overview(const struct night_page *p)
{
    const struct night_report *r = p->report;
    fprintf(p->out,
            "<section id=\"stages\">\n<h2>Stages</h2>\n<div class=\"scroll\" tabindex=\"0\">"
            "<table class=\"stages\">\n<thead><tr><th scope=\"col\">stage</th>"
            "<th scope=\"col\" class=\"words\">state</th><th scope=\"col\">best, training</th>%s"
            "<th scope=\"col\">generations</th><th scope=\"col\">time</th></tr></thead>\n<tbody>\n",
            has_held_out(p) ? "<th scope=\"col\">best, held out</th>" : "");
    for (int i = 0; i < r->night.recipe.stage_count; i++)
        write_stage_row(p, &r->stages[i]);
    fputs("</tbody></table></div>\n<p><a href=\"#recipe\">The recipe</a></p>\n</section>\n",
          p->out);
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
    write_overview(&page);
    for (int i = 0; i < r->night.recipe.stage_count; i++)
        write_stage(&page, &r->stages[i]);
    write_recipe(&page);
    report_frame_end(out, file);
}
