/* The files of a run's outcome, beside its database. */
#ifndef GRAYLING_OUTCOME_FILE_H
#define GRAYLING_OUTCOME_FILE_H

#include "error.h"

#include <stdio.h>

enum { OUTCOME_PATH = 4096 };

/* The path of a file: RUN.svg for RUN.db, RUN-STAGE.svg for RUN.db#STAGE. Fails if it is too long. */
bool outcome_path(const char *store_path, const char *ending, char path[OUTCOME_PATH],
                  struct error *err);

typedef bool outcome_print(FILE *out, const void *context, struct error *err);

/* Writes an outcome file with `print`, completely or not at all, once the store has its checksum. */
bool outcome_write(const char *store_path, const char *path, outcome_print *print,
                   const void *context, struct error *err);

/* True if `path` is an unmodified output file of this run, which may overwrite it: known by name and checksum in
 * any folder. The notes of a stage are those of its file. */
bool run_wrote(const char *store_path, const char *path);

#endif
