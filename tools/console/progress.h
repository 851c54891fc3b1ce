/* Progress of a long command on standard error: a bar on a terminal, plain lines in a log. Results
 * on standard output can be redirected. A line that is too long for the terminal loses its bar,
 * then the end of its note; the count and the ETA stay. */
#ifndef GRAYLING_PROGRESS_H
#define GRAYLING_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

enum { PROGRESS_NOTE = 256 };

struct progress {
    const char *unit;     /* "generation": the counted thing, for plain lines */
    bool terminal, drawn; /* drawn: a bar is on the current line */
    double begun, shown;  /* seconds of the monotonic clock */
    double advanced;      /* when the count last changed */
    double fraction;      /* of the next piece of work, 0 to 1 */
    int64_t first;        /* the count at the start */
    int64_t line_at;      /* the count at which the next plain line is due */
    int64_t done,
        total; /* as last shown; a total that is set before gives the first piece an ETA too */
    char note[PROGRESS_NOTE];
    double ends_at; /* on the monotonic clock, where work ends before its total; 0: it does not */
};

/* Shows on a terminal what the command waits for before it can count. */
void progress_wait(struct progress *p, const char *what);

/* Starts at `done`: 0, or the count that an earlier process reached. */
void progress_begin(struct progress *p, const char *unit, int64_t done);

/* Shows that `done` of `total` are finished; `note` gives the result so far. Draws the bar at most
 * ten times a second, and a plain line for each tenth of the work or each half minute. */
void progress_show(struct progress *p, int64_t done, int64_t total, const char *note);

/* Notes that this fraction of the next piece of work is done; the ETA counts it. Shows the step inside it, before the
 * last note: "position 640 of 5,000"; of pieces that take longer than half a second, at most ten times a second, and in
 * a log each half minute. */
void progress_step(struct progress *p, double fraction, const char *step);

/* Clears the bar, so that other lines can be printed. */
void progress_end(struct progress *p);

#endif
