/* The beginning and the end of every report. */
#ifndef GRAYLING_REPORT_FRAME_H
#define GRAYLING_REPORT_FRAME_H

#include <stdio.h>

/* The content security policy (CSP) of a page: it loads nothing, and runs no script but its own, which it
 * has a checksum of. Returns `text`. */
enum { REPORT_POLICY = 192 };
const char *report_frame_policy(char text[REPORT_POLICY]);

/* Writes the page up to its content, with its policy. */
void report_frame_begin(FILE *out, const char *title);

/* Writes the page from the end of its content on; `file` is the database that was read. */
void report_frame_end(FILE *out, const char *file);

/* Writes a figure of the head, within <dl class="figures">: its name, its value and a note. */
void report_frame_figure(FILE *out, const char *name, const char *figure, const char *note);

/* The same for a comparison; `css` is the class of its verdict: ahead, behind, or open, which is
 * grey (elo_words.h). */
void report_frame_verdict(FILE *out, const char *css, const char *name, const char *figure,
                          const char *note);

/* Writes a time of the store ("2026-11-21T04:59:54Z") for people: "2026-11-21 04:59 UTC". */
void report_frame_moment(FILE *out, const char *moment);

#endif
