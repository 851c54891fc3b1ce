/* What every report begins and ends with. */
#ifndef GRAYLING_REPORT_FRAME_H
#define GRAYLING_REPORT_FRAME_H

#include <stdio.h>

/* The page as far as its content; no script, nothing from anywhere: its policy (CSP) makes the
 * browser hold it to that. */
void report_frame_begin(FILE *out, const char *title);

/* And from there on; `file` is the database that it was read from. */
void report_frame_end(FILE *out, const char *file);

/* A figure of the head, within <dl class="figures">: what it is called, its value, and a note. */
void report_frame_figure(FILE *out, const char *name, const char *figure, const char *note);

/* A time as the store has it ("2026-11-21T04:59:54Z"), for people: "2026-11-21 04:59 UTC". */
void report_frame_moment(FILE *out, const char *moment);

#endif
