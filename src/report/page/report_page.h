/* The report on a run as one self-contained HTML page: no network, no other file, and no need of its script. */
#ifndef GRAYLING_REPORT_PAGE_H
#define GRAYLING_REPORT_PAGE_H

#include "report.h"

#include <stdio.h>

/* Writes the page; `file` is the path of the run's database as the user gave it. The same run gives
 * the same page. */
void report_page_write(FILE *out, const struct report *r, const char *file);

/* Writes the page of two runs side by side, each with a generation. */
void report_page_write_pair(FILE *out, const struct report runs[2], const char *const files[2]);

#endif
