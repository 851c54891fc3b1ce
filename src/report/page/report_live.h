/* The head of a live page: how a run that goes on is at this moment, and a page that loads itself
 * again as long as it does. */
#ifndef GRAYLING_REPORT_LIVE_H
#define GRAYLING_REPORT_LIVE_H

#include "status.h"

#include <stdio.h>

struct report_live {
    const struct status *status;
    const char *file; /* the run's file, for the command that continues it */
    int refresh;      /* seconds until the browser loads the page again; 0: it does not */
};

/* Writes a page of `length` bytes (report_page.h, night_page.h) with the live head at its top. */
void report_live_write(FILE *out, const char *page, size_t length, const struct report_live *live);

#endif
