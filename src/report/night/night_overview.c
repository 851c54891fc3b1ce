/* The overview of a night: a table with a row for each stage, which links to the stage's
 * section. */
#include "night_sections.h"

#include "format.h"
#include "html.h"

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

void night_write_overview(const struct night_page *p)
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
