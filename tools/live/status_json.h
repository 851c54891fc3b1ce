/* The status of a run or a night as a JSON object. */
#ifndef GRAYLING_STATUS_JSON_H
#define GRAYLING_STATUS_JSON_H

#include "status.h"

#include <stdio.h>

/* Writes the object and a line feed. A run's own values stand in the object; those of a night's
 * runs are the list `stages`. What is not known is null. */
void status_json_write(FILE *out, const char *path, const struct status *s);

#endif
