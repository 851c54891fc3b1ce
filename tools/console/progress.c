#include "progress.h"

#include "clock.h"
#include "foreign_text.h"
#include "format.h"
#include "terminal.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BAR = 24, WIDTH_UNKNOWN = 80, LINE_MAX_LENGTH = 512 };

static bool is_terminal(void)
{
    const char *term = getenv("TERM");
    return isatty(STDERR_FILENO) && term != NULL && strcmp(term, "dumb") != 0;
}

void progress_wait(struct progress *p, const char *what)
{
    *p = (struct progress){.terminal = is_terminal()};
    if (p->terminal)
        fprintf(stderr, "%s ...", what);
    fflush(stderr);
    p->drawn = p->terminal;
}

void progress_begin(struct progress *p, const char *unit, int64_t done)
{
    progress_end(p);
    *p = (struct progress){.unit = unit,
                           .terminal = is_terminal(),
                           .begun = clock_seconds(),
                           .first = done,
                           .line_at = done + 1,
                           .done = done};
    p->advanced = p->begun;
}

/* "  ETA 3 s", estimated from the work so far, or "  ends in 2 s" where its time ends before; "" if there is no
 * estimate, as in the first second, or no time. */
static const char *time_left(const struct progress *p, double now, char text[FORMAT_MAX])
{
    char duration[FORMAT_MAX];
    double work = (double)(p->done - p->first) + p->fraction;
    double left = (double)(p->total - p->done) - p->fraction;
    if (left <= 0 || work <= 0 || now - p->begun < 1)
        return "";
    const double eta = (now - p->begun) / work * left;
    const bool early = p->ends_at > 0 && now + eta > p->ends_at;
    if (early && now >= p->ends_at)
        return "";
    snprintf(text, FORMAT_MAX, "  %s %.40s", early ? "ends in" : "ETA",
             format_duration(early ? p->ends_at - now : eta, duration));
    return text;
}

/* Removes parts from the end of a text, which are separated by two spaces, until it is at most `room` bytes long. */
static void drop_parts(char *text, int room)
{
    while (text[0] != '\0' && (int)strlen(text) > room) {
        char *end = text, *at = text;
        while ((at = strstr(at, "  ")) != NULL)
            end = at++;
        *end = '\0';
    }
}

/* Composes the line of a terminal of this width: "[###...] 12/200  ETA 3 s  step  note". The first
 * that is left out for room is the bar, then the note from its end, then the step, whose percentage
 * takes its place: "1/200  ETA 3 s  next 63 %". */
static void compose(const struct progress *p, double now, const char *step, int width,
                    char line[LINE_MAX_LENGTH])
{
    char left[FORMAT_MAX], head[2 * FORMAT_MAX], rest[LINE_MAX_LENGTH];
    char bar[BAR + 3] = "[........................]";
    const double share = p->total > 0 ? ((double)p->done + p->fraction) / (double)p->total : 1;
    int length = snprintf(head, sizeof head, "%" PRId64 "/%" PRId64 "%s", p->done < 0 ? 0 : p->done,
                          p->total, time_left(p, now, left));
    snprintf(rest, sizeof rest, "%s%.200s%s%.200s", step[0] != '\0' ? "  " : "", step,
             p->note[0] != '\0' ? "  " : "", p->note);
    memset(bar + 1, '#', share <= 0 ? 0 : share >= 1 ? BAR : (size_t)(share * BAR));
    bool fits = BAR + 3 + length + (int)strlen(rest) < width;
    if (!fits)
        drop_parts(rest, width - 1 - length);
    if (rest[0] == '\0' && step[0] != '\0')
        snprintf(rest, sizeof rest, "  next %.0f %%", 100 * p->fraction);
    snprintf(line, LINE_MAX_LENGTH, "%s%s%.100s%.380s", fits ? bar : "", fits ? " " : "", head,
             rest);
}

static void draw(struct progress *p, double now, const char *step)
{
    char line[LINE_MAX_LENGTH];
    int width = terminal_columns(stderr, WIDTH_UNKNOWN);
    compose(p, now, step, width, line);
    foreign_text_copy(line, width < LINE_MAX_LENGTH ? (size_t)width : LINE_MAX_LENGTH, line);
    fprintf(stderr, "\r%s\033[K", line);
    fflush(stderr);
    p->drawn = true;
    p->shown = now;
}

static void print_line(struct progress *p, double now, int64_t count, const char *separator,
                       const char *note)
{
    char left[FORMAT_MAX];
    fprintf(stderr, "%s %" PRId64, p->unit, count);
    if (p->total > 0)
        fprintf(stderr, " of %" PRId64, p->total);
    fprintf(stderr, "%s%s%s\n", separator, note, time_left(p, now, left));
    p->shown = now;
}

void progress_show(struct progress *p, int64_t done, int64_t total, const char *note)
{
    double now = clock_seconds();
    bool last = done >= total;
    p->done = done;
    p->total = total;
    p->advanced = now;
    p->fraction = 0;
    snprintf(p->note, sizeof p->note, "%s", note);
    if (p->terminal) {
        if (last || !p->drawn || now - p->shown >= 0.1)
            draw(p, now, "");
        return;
    }
    if (!last && done < p->line_at && now - p->shown < 30)
        return;
    print_line(p, now, done, ":  ", note);
    p->line_at = ((done * 10 / (total > 0 ? total : 1) + 1) * total + 9) / 10;
}

void progress_step(struct progress *p, double fraction, const char *step)
{
    const double now = clock_seconds();
    p->fraction = fraction;
    if (p->terminal && now - p->advanced >= 0.5 && (!p->drawn || now - p->shown >= 0.1))
        draw(p, now, step);
    if (!p->terminal && now - p->advanced >= 30 && now - p->shown >= 30)
        print_line(p, now, p->done + 1, ", ", step);
}

void progress_end(struct progress *p)
{
    if (p->drawn)
        fputs("\r\033[K", stderr);
    fflush(stderr);
    p->drawn = false;
}
