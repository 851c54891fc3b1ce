#include "report_live.h"

#include "elo_words.h"
#include "foreign_text.h"
#include "format.h"
#include "hosts_kept.h"
#include "html.h"
#include "report_frame.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <time.h>

/* Where the frame (report_frame.c) has room for the refresh and for the head. The name of a run
 * cannot look like these, because markup in it is escaped. */
static const char before_title[] = "<title>", content[] = "<main>\n";

/* The run that the head is about: the current one, or the last. */
static const struct status_run *shown_run(const struct status *s)
{
    return &s->runs[s->current >= 0 ? s->current : s->run_count - 1];
}

/* ---- the figures ---- */

static void write_state(FILE *out, const struct report_live *live)
{
    const struct status *s = live->status;
    const struct status_run *run = shown_run(s);
    char note[SHELL_WORD + RUN_REASON + 32] = "", file[SHELL_WORD], done[FORMAT_MAX],
                                        total[FORMAT_MAX];
    if (s->state == RUN_STATE_RUNNING && run->inside)
        snprintf(note, sizeof note, "%s%s %s of %s of generation %d",
                 run->progress.held_out ? "held-out " : "", run->unit,
                 format_count(run->progress.done, done), format_count(run->progress.total, total),
                 run->progress.generation);
    else if (s->state == RUN_STATE_DIED)
        snprintf(note, sizeof note,
                 "its process vanished; all that it had measured is saved: grayling resume %s",
                 shell_word(live->file, file));
    else if (s->state == RUN_STATE_FAILED && s->reason[0] != '\0')
        snprintf(note, sizeof note, "%s: grayling resume %s", s->reason,
                 shell_word(live->file, file));
    else if (s->state != RUN_STATE_RUNNING && !s->over)
        snprintf(note, sizeof note, "grayling resume %s", shell_word(live->file, file));
    report_frame_figure(
        out, "State", s->state == RUN_STATE_ENDED ? "ended by its time" : run_state_name(s->state),
        note);
}

/* "Generation 12 of 200", or of a night its stage. */
static void write_place(FILE *out, const struct status *s)
{
    const struct status_run *run = shown_run(s);
    char figure[FORMAT_MAX] = "", note[2 * FORMAT_MAX] = "", total[FORMAT_MAX];
    if (run->is_match)
        snprintf(figure, sizeof figure, "%.30s of %.30s", format_count(run->games, note),
                 format_count(run->games_total, total));
    else if (run->summary.generation >= 0)
        format_generation(run->summary.generation, run->summary.recipe.generations, figure);
    else
        snprintf(figure, sizeof figure, "none yet");
    snprintf(note, sizeof note, "%s",
             s->is_night || run->summary.generation < 0 ? "" : "the last that is complete");
    if (s->is_night)
        snprintf(note, sizeof note, "of stage %s, %d of %d", run->name, (int)(run - s->runs) + 1,
                 s->run_count);
    report_frame_figure(out, run->is_match ? "Games" : "Generation", figure, note);
}

static void write_time(FILE *out, const struct status *s)
{
    char spent[FORMAT_MAX], left[FORMAT_MAX], note[2 * FORMAT_MAX];
    format_duration(s->spent, spent);
    if (s->over) {
        report_frame_figure(out, "Time", spent, "");
        return;
    }
    bool limit = s->is_night && isnan(shown_run(s)->left);
    snprintf(note, sizeof note, "%safter %s", limit ? "at most, " : "", spent);
    report_frame_figure(out, "Time left",
                        isnan(s->left) ? "unknown" : format_duration(s->left, left), note);
}

/* The best organism of a run: held out if it was measured there, else in training. */
static void write_best(FILE *out, const struct run_summary *r)
{
    const struct generation_row *row = &r->rows[r->best_generation];
    bool held_out = row->held_out != NOT_MEASURED;
    int64_t value = held_out ? row->held_out : row->measure;
    int64_t size = held_out ? r->held_out_size : r->train_size;
    struct interval i;
    char figure[FORMAT_MAX], note[2 * FORMAT_MAX];
    int used =
        snprintf(note, sizeof note, "%s, generation %d",
                 held_out ? r->value->words->held_out : r->value->words->train, r->best_generation);
    if (objective_interval(r->value, value, size, &i))
        snprintf(note + used, sizeof note - (size_t)used, ", 95 %% interval %.*f to %.*f",
                 r->value->decimals, 100 * i.low, r->value->decimals, 100 * i.high);
    report_frame_figure(out, "Best", objective_figure(r->value, (double)value, size, figure), note);
}

/* The first pairing of a match, which is the one that matters. */
static void write_pairing(FILE *out, const struct night_stage *stage, const struct night_pairing *p)
{
    const struct elo_estimate e = elo_estimate(&p->counts);
    char figure[FORMAT_MAX + 8], elo[FORMAT_MAX], range[FORMAT_MAX], note[512];
    snprintf(figure, sizeof figure, "%s Elo", elo_signed(e.elo, 1, elo));
    snprintf(note, sizeof note, "%.100s against %.100s, 95 %% interval %s",
             stage->players[p->a].name, stage->players[p->b].name, elo_range(&e, 1, range));
    report_frame_figure(out, "First pairing", figure, note);
}

static void write_result(FILE *out, const struct status *s)
{
    const struct status_run *run = shown_run(s);
    if (run->is_match && run->games > 0 && run->pairing_count > 0)
        write_pairing(out, run->of->stage, &run->pairings[0]);
    else if (run->summary.generation >= 0)
        write_best(out, &run->summary);
}

/* The machines that work on it. */
static void write_hosts(FILE *out, const struct status *s)
{
    const struct status_run *run = shown_run(s);
    char words[HOSTS_TEXT], idle[32];
    struct ranks_report all;
    if (run->is_match || run->summary.hosts == NULL)
        return;
    hosts_kept_all(run->summary.hosts, &all);
    snprintf(idle, sizeof idle, "%.0f %% idle", 100 * all.idle);
    report_frame_figure(out, "Ranks", idle,
                        hosts_kept_warning(&all, words)[0] != '\0' ? words
                                                                   : hosts_kept_words(&all, words));
}

/* ---- the page ---- */

static void write_moment(FILE *out, const struct report_live *live)
{
    char when[64];
    struct tm local;
    time_t read = (time_t)live->status->read;
    localtime_r(&read, &local);
    strftime(when, sizeof when, "%Y-%m-%d %H:%M:%S %Z", &local);
    fputs("<p class=\"facts\"><span>written ", out);
    html_text(out, when);
    fputs("</span>", out);
    if (live->refresh > 0)
        fprintf(out,
                " <span>the page loads itself again every %d seconds while the run goes on</span>",
                live->refresh);
    fputs("</p>\n", out);
}

static void write_head(FILE *out, const struct report_live *live)
{
    fputs("<section class=\"live\" aria-label=\"Status\">\n<dl class=\"figures\">\n", out);
    write_state(out, live);
    write_place(out, live->status);
    write_time(out, live->status);
    write_result(out, live->status);
    write_hosts(out, live->status);
    fputs("</dl>\n", out);
    write_moment(out, live);
    fputs("</section>\n", out);
}

/* The bytes up to a mark and, with `after`, the mark itself; 0 if the page does not have it. */
static size_t length_to(const char *page, size_t length, const char *mark, bool after)
{
    size_t size = strlen(mark);
    for (size_t i = 0; i + size <= length; i++)
        if (memcmp(page + i, mark, size) == 0)
            return after ? i + size : i;
    return 0;
}

void report_live_write(FILE *out, const char *page, size_t length, const struct report_live *live)
{
    size_t title = length_to(page, length, before_title, false);
    size_t head = length_to(page, length, content, true);
    fwrite(page, 1, title, out);
    if (live->refresh > 0)
        fprintf(out, "<meta http-equiv=\"refresh\" content=\"%d\"/>\n", live->refresh);
    fwrite(page + title, 1, head - title, out);
    write_head(out, live);
    fwrite(page + head, 1, length - head, out);
}
