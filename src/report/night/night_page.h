/* The report on a night as one HTML page, self-contained like that on a run (report_page.h). */
#ifndef GRAYLING_NIGHT_PAGE_H
#define GRAYLING_NIGHT_PAGE_H

#include "night_report.h"

#include <stdio.h>

enum { NIGHT_HEADLINE = 1024 };

/* Writes what the last match says of the player that the night leads to, in a sentence or two, which the page
 * begins with; "" if there are no games yet. */
void night_headline(const struct night_report *r, char text[NIGHT_HEADLINE]);

/* Writes the page. The same night gives the same page. */
void night_page_write(FILE *out, const struct night_report *r);

#endif
