/* The files of a run's outcome, beside its database. */
#ifndef GRAYLING_OUTCOME_FILE_H
#define GRAYLING_OUTCOME_FILE_H

#include "error.h"

#include <stdio.h>

enum { OUTCOME_PATH = 4096 };

/* Makes a file's path: RUN.svg from RUN.db and ".svg", RUN-STAGE.svg from RUN.db#STAGE. Fails if
 * the path is too long or would be the run itself. */
bool outcome_path(const char *store_path, const char *ending, char path[OUTCOME_PATH],
                  struct error *err);

/* Writes an outcome file's content. */
typedef bool outcome_print(FILE *out, const void *context, struct error *err);

/* Writes an outcome file with `print`, completely or not at all. The store records its checksum
 * before the file gets its name, so that a run killed in between recognises it as its own. */
bool outcome_write(const char *store_path, const char *path, outcome_print *print,
                   const void *context, struct error *err);

/* True if `path` is an unmodified output file of this run, which may overwrite it. A file is known by its name
 * and checksum in any folder, since runs may be moved. The notes of a stage are those of its file, since a night
 * writes the files of its stages. */
bool run_wrote(const char *store_path, const char *path);

#endif
