/* The page of a night: its head, a table of its stages, a section for each, the recipe. */
#include "report_page.h"

#include "html.h"
#include "paths.h"
#include "report_sections.h"

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

/* ---- the head ---- */

static void write_head(const struct night_page *p)
{
    const struct night_summary *n = &p->report->night;
    const struct night_report_stage *match = night_match_played(p->report);
    bool timed;
    const int ended = night_count_ended(n, &timed);
    struct outcome_line lines[OUTCOME_LINES];
    char headline[NIGHT_HEADLINE], figure[FORMAT_MAX], other[FORMAT_MAX];
    html_print(p->out,
               "<header>\n<h1>%s</h1>\n<p class=\"facts\"><span>%s, seed %" PRIu64
               "</span> <span class=\"state\">%s</span> ",
               n->recipe.name, comparison_or_night(&n->recipe), n->recipe.seed,
               ended < n->run_count ? n->running ? "running" : "stopped"
               : timed              ? "ended by its time" /* more time would go on with it */
                                    : "complete");
    if (p->report->from.created[0] != '\0') {
        fputs("<span>begun ", p->out);
        report_frame_moment(p->out, p->report->from.created);
        fputs("</span> ", p->out);
    }
    html_print(p->out, "<span>grayling %s</span></p>\n", p->report->from.version);
    night_headline(p->report, headline);
    if (headline[0] != '\0')
        html_print(p->out, "<p class=\"result\">%s</p>\n", headline);
    fputs("<dl class=\"figures\">\n", p->out);
    if (match != NULL)
        night_write_match_figures(p, match);
    if (p->comparison != NULL)
        night_write_comparison_figures(p);
    snprintf(figure, sizeof figure, "%d of %d", ended, n->run_count);
    if (ended < n->run_count)
        report_frame_figure(p->out, "plain", "Progress", figure, "runs have ended");
    format_duration(n->spent, figure);
    /* Hours are divided among the stages of a night. A comparison has more than it needs, unless they cut it short. */
    if (timed || p->comparison == NULL)
        report_frame_figure(p->out, "time", "Time", figure, "of %s given",
                            format_duration(n->given, other));
    else
        report_frame_figure(p->out, "time", "Time", figure, "for %s",
                            format_things(n->run_count, "run", other));
    fputs("</dl>\n", p->out);
    report_frame_outcome(p->out, lines,
                         outcome_words_of_night(p->report->from.path, &n->recipe, lines));
    fputs("</header>\n", p->out);
}

/* ---- the table of the stages ---- */

static void write_games_done(const struct night_page *p, const struct night_report_stage *s)
{
    char done[FORMAT_MAX], all[FORMAT_MAX];
    int pairings = s->stage->player_count * (s->stage->player_count - 1) / 2;
    int64_t games = 0;
    for (int i = 0; i < s->pairing_count; i++)
        games += match_counts_games(&s->pairings[i].counts);
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

static bool has_held_out(const struct night_page *p)
{
    for (int i = 0; i < p->report->night.recipe.stage_count; i++) {
        const struct night_report_stage *s = &p->report->stages[i];
        if (s->taken >= 0 && s->summaries[s->taken].held_out_size > 0)
            return true;
    }
    return false;
}

void night_write_best(const struct night_page *p, const struct run_summary *run, bool held_out,
                      bool place, const char *none)
{
    const bool known = run != NULL && run->generation >= 0;
    const struct generation_row *row = known ? &run->rows[run->best_generation] : NULL;
    const int64_t measure = !known ? NOT_MEASURED : held_out ? row->held_out : row->measure;
    const struct objective_words *words = known ? run->value->words : NULL;
    char figure[FORMAT_MAX];
    if (measure == NOT_MEASURED) {
        fprintf(p->out, "<td>%s</td>", none);
        return;
    }
    html_print(p->out, "<td>%s",
               objective_figure(run->value, (double)measure,
                                held_out ? run->held_out_size : run->train_size, figure));
    if (place)
        html_print(p->out, "<small>%s</small>", held_out ? words->held_out : words->train);
    fputs("</td>", p->out);
}

static void write_stage_row(const struct night_page *p, const struct night_report_stage *s)
{
    char id[NIGHT_ID], time[FORMAT_MAX];
    double seconds = 0;
    for (int i = 0; i < s->run_count; i++)
        seconds += s->runs[i].seconds;
    fprintf(p->out, "<tr><th scope=\"row\"><a href=\"#%s\">%s</a><small>",
            night_stage_id(s->stage, id), s->stage->name);
    if (s->stage->is_match)
        fprintf(p->out, "%d players", s->stage->player_count);
    else if (s->taken >= 0)
        html_text(p->out, objective_title(s->summaries[s->taken].value));
    fputs("</small></th><td class=\"words\">", p->out);
    /* "complete"; for several runs of which only some are complete, how many. */
    int ended = 0, timed = 0, same = 0;
    for (int i = 0; i < s->run_count; i++) {
        ended += s->runs[i].state >= NIGHT_TIME;
        timed += s->runs[i].state == NIGHT_TIME;
        same += s->runs[i].state == s->runs[0].state;
    }
    if (same == s->run_count)
        fputs(night_state_words(p, s->runs[0].state), p->out);
    else if (ended == s->run_count)
        fprintf(p->out, "%d of %d ended by their time", timed, s->run_count);
    else
        fprintf(p->out, "%d of %d have ended", ended, s->run_count);
    fputs("</td>", p->out);
    for (int held_out = 0; held_out <= has_held_out(p); held_out++)
        night_write_best(p, s->taken < 0 ? NULL : &s->summaries[s->taken], held_out, true,
                         s->stage->is_match ? "" : "–");
    fputs("<td>", p->out);
    (s->stage->is_match ? write_games_done : write_generations)(p, s);
    fprintf(p->out, "</td><td>%s</td></tr>\n", seconds > 0 ? format_duration(seconds, time) : "–");
}

static void write_overview(const struct night_page *p)
{
    const struct night_report *r = p->report;
    fputs("<section id=\"stages\">\n<h2>Stages</h2>\n", p->out);
    html_table(p->out, "stages", "", "stage", "|state", "best, training",
               has_held_out(p) ? "best, held out" : "", "generations", "time", NULL);
    for (int i = 0; i < r->night.recipe.stage_count; i++)
        write_stage_row(p, &r->stages[i]);
    html_table_end(p->out);
    fputs("<p><a href=\"#recipe\">The recipe</a></p>\n</section>\n", p->out);
}

/* ---- a section for each stage ---- */

static void write_stage(const struct night_page *p, const struct night_report_stage *s)
{
    char prefix[NIGHT_ID + 1], id[NIGHT_ID];
    fprintf(p->out, "<section id=\"%s\" class=\"stage\">\n<h2>%s</h2>\n",
            night_stage_id(s->stage, id), s->stage->name);
    if (s->stage->is_match)
        night_write_match(p, s);
    else if (s->taken < 0)
        fputs(s->runs[0].state == NIGHT_WAITING
                  ? "<p>Waiting for the stages before it.</p>\n"
                  : "<p>Started; no generation is complete yet.</p>\n",
              p->out);
    else if (s->run_count > 1)
        night_write_runs(p, s);
    else { /* the recipe and the seed of the run, then the content of its own page */
        const struct recipe *recipe = &s->summaries[0].recipe;
        snprintf(prefix, sizeof prefix, "%s.", id);
        const struct page page = {p->out, s->report, prefix, 3};
        html_print(p->out,
                   "<p class=\"facts\"><span>recipe %s</span> <span>seed %" PRIu64 "</span></p>\n",
                   recipe->name, recipe->seed);
        report_write_result(&page);
        report_write_sections(&page);
    }
    fputs("</section>\n", p->out);
}

static void write_recipe(const struct night_page *p)
{
    const struct night_report *r = p->report;
    bool timed;
    char word[SHELL_WORD], command[RESUME_WORDS];
    html_print(p->out,
               "<section id=\"recipe\">\n<h2>Recipe</h2>\n<p>Paths are relative to the %s.</p>\n"
               "<pre>%s</pre>\n<h3>What next</h3>\n<pre>",
               comparison_or_night(&r->night.recipe), r->from.recipe);
    resume_words("grayling", path_name(r->from.path), command);
    if (night_count_ended(&r->night, &timed) < r->night.run_count)
        html_print(p->out, "%s\n", command);
    else if (timed)
        html_print(p->out, "%s --hours 1\n", command);
    for (int i = 0; i < r->night.recipe.stage_count; i++)
        if (r->stages[i].taken >= 0)
            html_print(p->out, "grayling export %s --format uci\n",
                       shell_word(path_name(r->stages[i].report->from.path), word));
    fputs("</pre>\n</section>\n", p->out);
}

void night_page_write(FILE *out, const struct night_report *r)
{
    struct comparison comparison;
    const bool compares = comparison_applies(&r->night.recipe);
    const struct night_page page = {out, r, compares ? &comparison : NULL};
    char title[RECIPE_NAME + 48];
    snprintf(title, sizeof title, "%s, a %s, seed %" PRIu64, r->night.recipe.name,
             comparison_or_night(&r->night.recipe), r->night.recipe.seed);
    if (compares)
        comparison_make(&comparison, r);
    report_frame_begin(out, title);
    write_head(&page);
    if (compares) {
        fputs("<section id=\"comparison\">\n<h2>Comparison</h2>\n", out);
        night_write_comparison(&page);
        fputs("</section>\n", out);
    }
    write_overview(&page);
    for (int i = 0; i < r->night.recipe.stage_count; i++)
        write_stage(&page, &r->stages[i]);
    write_recipe(&page);
    report_frame_end(out, path_name(r->from.path));
}
