/* How far long work has come: a bar that is redrawn on a terminal, now and then a plain line
 * elsewhere (a log). Goes to standard error, so that results can be redirected. */
#ifndef GRAYLING_PROGRESS_H
#define GRAYLING_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

enum { PROGRESS_NOTE = 256 };

struct progress {
    const char *unit;     /* "generation": what is counted, in plain lines */
    bool terminal, drawn; /* drawn: a bar stands on the present line */
    double begun, shown;  /* seconds of the monotonic clock */
    int64_t first;        /* of the count when the work began */
    int64_t line_at;      /* the count at which the next plain line is due */
    int64_t done, total;  /* as last shown, with its note; total 0: nothing yet */
    char note[PROGRESS_NOTE];
};

/* On a terminal, says what is waited for before anything can be counted. */
void progress_wait(struct progress *p, const char *what);

/* Begins at `done`: 0, or where an earlier process left off. */
void progress_begin(struct progress *p, const char *unit, int64_t done);

/* Tells that `done` of `total` are finished; `note` says what came of it. Draws ten times a second
 * at most, a plain line for each tenth of the work or each half minute. */
void progress_show(struct progress *p, int64_t done, int64_t total, const char *note);

/* Tells on a terminal, before the last note, how far the step in work is: "organism 3 of 9". */
void progress_step(struct progress *p, const char *step);

/* Clears the bar, so that other lines can follow. */
void progress_end(struct progress *p);

#endif
