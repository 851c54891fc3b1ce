/* The outcome of a run: files beside its database. */
#ifndef GRAYLING_OUTCOME_H
#define GRAYLING_OUTCOME_H

#include "run_summary.h"

#include <stdbool.h>

enum { OUTCOME_PATH = 4096 };

/* Makes a file's path: RUN.svg from RUN.db and ".svg", RUN-STAGE.svg from RUN.db#STAGE. Fails if
 * the path is too long or would be the run itself. */
bool outcome_path(const char *store_path, const char *ending, char path[OUTCOME_PATH],
                  struct error *err);

/* Checks that the file may be written: it does not exist, `force` is set, or it is an unmodified
 * artifact of this run or an unmodified report. */
bool outcome_check(const char *store_path, const char *path, bool force, struct error *err);

/* The name of an outcome file until it is complete: RUN.part.svg. */
void outcome_part(const char *path, char part[OUTCOME_PATH]);

/* Writes the values of a run's best organism as a parameter file, to a name from outcome_part. */
bool outcome_write_values(const struct run_summary *s, const char *part, struct error *err);

/* Renames the complete file from its outcome_part name to `path`. The store records the file before
 * it is renamed, so that a run killed in between recognises it as its own. */
bool outcome_publish(const char *store_path, const char *path, struct error *err);

#endif
