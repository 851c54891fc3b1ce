/* The status of a run or a night as text. */
#ifndef GRAYLING_STATUS_TEXT_H
#define GRAYLING_STATUS_TEXT_H

#include "status.h"

/* Prints the status of the run or night at `path` on standard output. */
void status_print(const char *path, const struct status *s);

#endif
