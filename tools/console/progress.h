/* Progress of a long command on standard error: a bar on a terminal, plain lines in a log. Results
 * on standard output can be redirected. */
#ifndef GRAYLING_PROGRESS_H
#define GRAYLING_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

enum { PROGRESS_NOTE = 256 };

struct progress {
    const char *unit;     /* "generation": the counted thing, for plain lines */
    bool terminal, drawn; /* drawn: a bar is on the current line */
    double begun, shown;  /* seconds of the monotonic clock */
    int64_t first;        /* the count at the start */
    int64_t line_at;      /* the count at which the next plain line is due */
    int64_t done, total;  /* as last shown, with its note; total 0: nothing yet */
    char note[PROGRESS_NOTE];
};

/* Shows on a terminal what the command waits for before it can count. */
void progress_wait(struct progress *p, const char *what);

/* Starts at `done`: 0, or the count that an earlier process reached. */
void progress_begin(struct progress *p, const char *unit, int64_t done);

/* Shows that `done` of `total` are finished; `note` gives the result so far. Draws the bar at most
 * ten times a second, and a plain line for each tenth of the work or each half minute. */
void progress_show(struct progress *p, int64_t done, int64_t total, const char *note);

/* Shows the current step on a terminal, before the last note: "organism 3 of 9". */
void progress_step(struct progress *p, const char *step);

/* Clears the bar, so that other lines can be printed. */
void progress_end(struct progress *p);

#endif
