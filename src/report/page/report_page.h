/* The report on a run or a night as one self-contained HTML page: no network, no other file, and no need of its
 * script. */
#ifndef GRAYLING_REPORT_PAGE_H
#define GRAYLING_REPORT_PAGE_H

#include "night_report.h"
#include "status.h"

#include <stdio.h>

/* Writes the page. The same run gives the same page. */
void report_page_write(FILE *out, const struct report *r);

/* Writes the page of two runs side by side, each with a generation. */
void report_page_write_pair(FILE *out, const struct report runs[2]);

/* The content security policy (CSP) of a page: it loads nothing, and runs no script but its own, which it
 * has a checksum of. Returns `text`. */
enum { REPORT_POLICY = 192 };
const char *report_frame_policy(char text[REPORT_POLICY]);

/* ---- the page of a night */

enum { NIGHT_HEADLINE = 1024 };

/* Writes what the last match says of the player that the night leads to, in a sentence or two, which the page
 * begins with; "" if there are no games yet. */
void night_headline(const struct night_report *r, char text[NIGHT_HEADLINE]);

/* Writes the page. The same night gives the same page. */
void night_page_write(FILE *out, const struct night_report *r);

/* ---- while a run goes on */

/* The head of a live page: how the run is at this moment. */
struct report_live {
    const struct status *status;
    const char *file; /* the run's file, for the command that continues it */
    int refresh;      /* seconds until the browser loads the page again; 0: it does not */
};

/* Writes a page, of a run or a night, with the live head at its top. It is a text of `length` bytes, with a NUL
 * behind. */
void report_live_write(FILE *out, const char *page, size_t length, const struct report_live *live);

#endif
