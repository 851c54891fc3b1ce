/* The files that a run leaves beside its database. */
#ifndef GRAYLING_OUTCOME_H
#define GRAYLING_OUTCOME_H

#include "run_summary.h"

#include <stdbool.h>

enum { OUTCOME_PATH = 4096 };

/* RUN.db and ".svg": RUN.svg; RUN.db#STAGE: RUN-STAGE.svg. False for a name that is too long, or
 * where the file would be the run itself. */
bool outcome_path(const char *store_path, const char *ending, char path[OUTCOME_PATH],
                  struct error *err);

/* Whether the file may be written, over what is there too: with `force`, or where it is as the run
 * itself wrote it, or a report that nobody has changed. */
bool outcome_check(const char *store_path, const char *path, bool force, struct error *err);

/* The name under which a file of the outcome is written before it is whole: RUN.part.svg. */
void outcome_part(const char *path, char part[OUTCOME_PATH]);

/* Writes the values of a run's best organism as a parameter file, under a name of outcome_part. */
bool outcome_write_values(const struct run_summary *s, const char *part, struct error *err);

/* Puts what was written under the name that outcome_part gives `path` into its place; the store
 * knows of it before it is there, so that a run killed in between takes it for its own. */
bool outcome_publish(const char *store_path, const char *path, struct error *err);

#endif
