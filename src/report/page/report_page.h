/* The report on a run as one HTML page that needs nothing else: no network, no file, no script. */
#ifndef GRAYLING_REPORT_PAGE_H
#define GRAYLING_REPORT_PAGE_H

#include "report.h"

#include <stdio.h>

/* Writes the page; `file` is the run's database as the reader knows it. The same run gives the same
 * page. */
void report_page_write(FILE *out, const struct report *r, const char *file);

#endif
