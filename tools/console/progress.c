#define _DEFAULT_SOURCE /* TIOCGWINSZ */
#include "progress.h"

#include "clock.h"
#include "format.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { BAR = 24, WIDTH_UNKNOWN = 80, LINE_MAX_LENGTH = 256 };

static int terminal_width(void)
{
    struct winsize size;
    if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0)
        return WIDTH_UNKNOWN;
    return size.ws_col;
}

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
    p->drawn = p->terminal;
}

void progress_begin(struct progress *p, const char *unit, int64_t done)
{
    progress_end(p);
    *p = (struct progress){.unit = unit,
                           .terminal = is_terminal(),
                           .begun = clock_seconds(),
                           .first = done,
                           .line_at = done + 1};
}

/* The time left, estimated from the work so far. */
static const char *time_left(const struct progress *p, double now, int64_t done, int64_t total,
                             char text[FORMAT_MAX])
{
    char duration[FORMAT_MAX];
    if (done >= total || done <= p->first)
        return "";
    double each = (now - p->begun) / (double)(done - p->first);
    snprintf(text, FORMAT_MAX, "  ETA %.40s",
             format_duration(each * (double)(total - done), duration));
    return text;
}

/* "[#####.....] 12/200  note  ETA 3 s", cut to the terminal's width. */
static void draw_bar(struct progress *p, double now, int64_t done, int64_t total, const char *note)
{
    char left[FORMAT_MAX], line[LINE_MAX_LENGTH], bar[BAR + 1];
    int filled = total > 0 ? (int)(done * BAR / total) : BAR;
    memset(bar, '.', BAR);
    memset(bar, '#', (size_t)filled);
    bar[BAR] = '\0';
    const char *eta = time_left(p, now, done, total, left);
    int length = snprintf(line, sizeof line, "[%s] %" PRId64 "/%" PRId64 "  %s%s", bar, done, total,
                          note, eta);
    int width = terminal_width();
    if (length >= width) /* too narrow: leave out the bar */
        snprintf(line, sizeof line, "%" PRId64 "/%" PRId64 "  %s%s", done, total, note, eta);
    fprintf(stderr, "\r%.*s\033[K", width - 1, line);
    fflush(stderr);
    p->drawn = true;
}

void progress_show(struct progress *p, int64_t done, int64_t total, const char *note)
{
    char left[FORMAT_MAX];
    double now = clock_seconds();
    bool last = done >= total;
    p->done = done;
    p->total = total;
    snprintf(p->note, sizeof p->note, "%s", note);
    if (p->terminal) {
        if (!last && p->drawn && now - p->shown < 0.1)
            return;
        draw_bar(p, now, done, total, note);
    } else {
        if (!last && done < p->line_at && now - p->shown < 30)
            return;
        fprintf(stderr, "%s %" PRId64, p->unit, done);
        if (total > 0)
            fprintf(stderr, " of %" PRId64, total);
        fprintf(stderr, ":  %s%s\n", note, time_left(p, now, done, total, left));
        p->line_at = ((done * 10 / (total > 0 ? total : 1) + 1) * total + 9) / 10;
    }
    p->shown = now;
}

void progress_step(struct progress *p, const char *step)
{
    char note[2 * PROGRESS_NOTE];
    double now = clock_seconds();
    if (!p->terminal || (p->drawn && now - p->shown < 0.1))
        return;
    snprintf(note, sizeof note, "%.200s%s%s", step, p->total > 0 ? "  " : "", p->note);
    if (p->total > 0)
        draw_bar(p, now, p->done, p->total, note);
    else
        fprintf(stderr, "\r%.*s\033[K", terminal_width() - 1, note);
    fflush(stderr);
    p->drawn = true;
    p->shown = now;
}

void progress_end(struct progress *p)
{
    if (p->drawn)
        fputs("\r\033[K", stderr);
    p->drawn = false;
}
