/* The files that a run leaves beside its database. */
#ifndef GRAYLING_OUTCOME_H
#define GRAYLING_OUTCOME_H

#include "error.h"

#include <stdbool.h>

enum { OUTCOME_PATH = 4096 };

/* RUN.db and ".svg": RUN.svg; RUN.db#STAGE: RUN-STAGE.svg. False for a name that is too long, or
 * where the file would be the run itself. */
bool outcome_path(const char *store_path, const char *ending, char path[OUTCOME_PATH],
                  struct error *err);

/* Whether the file may be written, over what is there too: with `force`, or where it is as the run
 * itself wrote it, or a report that nobody has changed. */
bool outcome_check(const char *store_path, const char *path, bool force, struct error *err);

#endif
