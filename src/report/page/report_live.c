#include "foreign_text.h"
#include "format.h"
#include "hosts_kept.h"
#include "html.h"
#include "report_page.h"
#include "report_sections.h"

#include <math.h>
#include <string.h>
#include <time.h>

/* The run that the head is about: the current one, or the last. */
static const struct status_run *shown_run(const struct status *s)
{
    return &s->runs[s->current >= 0 ? s->current : s->run_count - 1];
}

static void write_state(FILE *out, const struct report_live *live)
{
    const struct status *s = live->status;
    const struct status_run *run = shown_run(s);
    const struct run_progress *p = &run->progress;
    const char *state =
        s->state == RUN_STATE_ENDED ? "ended by its time" : run_state_name(s->state);
    const char *why = s->state == RUN_STATE_DIED
                          ? "its process vanished; all that it had measured is saved"
                      : s->state == RUN_STATE_FAILED ? s->reason
                                                     : "";
    char file[SHELL_WORD], done[FORMAT_MAX], total[FORMAT_MAX];
    if (s->state == RUN_STATE_RUNNING && run->inside)
        report_frame_figure(out, "plain", "State", state, "%s%s %s of %s of generation %d",
                            p->held_out ? "held-out " : "", run->unit, format_count(p->done, done),
                            format_count(p->total, total), p->generation);
    else if (s->state == RUN_STATE_RUNNING || (s->over && why[0] == '\0'))
        report_frame_figure(out, "plain", "State", state, "%s", "");
    else
        report_frame_figure(out, "plain", "State", state, "%s%sgrayling resume %s", why,
                            why[0] != '\0' ? ": " : "", shell_word(live->file, file));
}

/* "Generation 12 of 200", or of a night its stage. */
static void write_place(FILE *out, const struct status *s)
{
    const struct status_run *run = shown_run(s);
    const struct run_summary *r = &run->summary;
    char figure[2 * FORMAT_MAX] = "none yet", done[FORMAT_MAX], total[FORMAT_MAX];
    if (run->is_match)
        snprintf(figure, sizeof figure, "%s of %s", format_count(run->games, done),
                 format_count(run->games_total, total));
    else if (r->generation >= 0)
        format_generation(r->generation, r->recipe.generations, figure);
    const char *name = run->is_match ? "Games" : "Generation";
    if (s->is_night)
        report_frame_figure(out, "plain", name, figure, "of stage %s, %d of %d", run->name,
                            (int)(run - s->runs) + 1, s->run_count);
    else
        report_frame_figure(out, "plain", name, figure, "%s",
                            r->generation < 0 ? "" : "the last that is complete");
}

/* The best organism of a run, held out if it was measured there, else in training; of a match the first pairing,
 * which is the one that matters. */
static void write_result(FILE *out, const struct status *s)
{
    const struct status_run *run = shown_run(s);
    const struct run_summary *r = &run->summary;
    char figure[FORMAT_MAX + 8], elo[FORMAT_MAX], range[2 * FORMAT_MAX] = "";
    if (run->is_match && run->games > 0 && run->pairing_count > 0) {
        const struct night_pairing *p = &run->pairings[0];
        const struct night_player *players = run->of->stage->players;
        const struct elo_estimate e = elo_estimate(&p->counts);
        snprintf(figure, sizeof figure, "%s Elo", elo_signed(e.elo, 1, elo));
        report_frame_figure(out, "plain", "First pairing", figure,
                            "%s against %s, 95 %% interval %s", players[p->a].name,
                            players[p->b].name, elo_range(&e, 1, range));
    } else if (r->generation >= 0) {
        const struct generation_row *row = &r->rows[r->best_generation];
        const bool held_out = row->held_out != NOT_MEASURED;
        const int64_t value = held_out ? row->held_out : row->measure;
        const int64_t size = held_out ? r->held_out_size : r->train_size;
        struct interval i;
        if (objective_interval(r->value, value, size, &i))
            snprintf(range, sizeof range, ", 95 %% interval %.*f to %.*f", r->value->decimals,
                     100 * i.low, r->value->decimals, 100 * i.high);
        report_frame_figure(
            out, "plain", "Best", objective_figure(r->value, (double)value, size, figure),
            "%s, generation %d%s", held_out ? r->value->words->held_out : r->value->words->train,
            r->best_generation, range);
    }
}

static void write_head(FILE *out, const struct report_live *live)
{
    const struct status *s = live->status;
    const struct status_run *run = shown_run(s);
    const time_t read = (time_t)s->read;
    char when[64], spent[FORMAT_MAX], left[FORMAT_MAX], words[HOSTS_TEXT], idle[32];
    struct ranks_report all; /* the machines that work on it */
    fputs("<section class=\"live\" aria-label=\"Status\">\n<dl class=\"figures\">\n", out);
    write_state(out, live);
    write_place(out, s);
    format_duration(s->spent, spent);
    if (s->over)
        report_frame_figure(out, "plain", "Time", spent, "%s", "");
    else
        report_frame_figure(
            out, "plain", "Time left", isnan(s->left) ? "unknown" : format_duration(s->left, left),
            "%safter %s", s->is_night && isnan(run->left) ? "at most, " : "", spent);
    write_result(out, s);
    if (!run->is_match && run->summary.hosts != NULL) {
        hosts_kept_all(run->summary.hosts, &all);
        snprintf(idle, sizeof idle, "%.0f %% idle", 100 * all.idle);
        report_frame_figure(
            out, "plain", "Ranks", idle, "%s",
            hosts_kept_warning(&all, words)[0] != '\0' ? words : hosts_kept_words(&all, words));
    }
    strftime(when, sizeof when, "%Y-%m-%d %H:%M:%S %Z", localtime_r(&read, &(struct tm){0}));
    html_print(out, "</dl>\n<p class=\"facts\"><span>written %s</span>", when);
    if (live->refresh > 0)
        html_print(
            out, " <span>the page loads itself again every %d seconds while the run goes on</span>",
            live->refresh);
    fputs("</p>\n</section>\n", out);
}

/* The frame has room for the refresh and for the head. The name of a run cannot look like these marks, because
 * markup in it is escaped. */
void report_live_write(FILE *out, const char *page, size_t length, const struct report_live *live)
{
    static const char before_title[] = "<title>", before_head[] = "<main>\n";
    const size_t title = (size_t)(strstr(page, before_title) - page);
    const size_t head = (size_t)(strstr(page, before_head) - page) + strlen(before_head);
    fwrite(page, 1, title, out);
    if (live->refresh > 0)
        fprintf(out, "<meta http-equiv=\"refresh\" content=\"%d\"/>\n", live->refresh);
    fwrite(page + title, 1, head - title, out);
    write_head(out, live);
    fwrite(page + head, 1, length - head, out);
}
