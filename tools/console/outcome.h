/* The outcome of a run: files beside its database (outcome_file.h), and when they may be written. */
#ifndef GRAYLING_OUTCOME_H
#define GRAYLING_OUTCOME_H

#include "outcome_file.h"
#include "recipe.h"
#include "run_summary.h"

/* Checks that the file may be written: it does not exist, `force` is set, or it is an unmodified
 * artifact of this run or an unmodified report. */
bool outcome_check(const char *store_path, const char *path, bool force, struct error *err);

/* Refuses an outcome file that is also an input of the run, whatever is forced: a run must not
 * destroy what it was made from. `role` says which input it is, such as "recipe". */
bool outcome_spares(const char *path, const char *role, const char *input, struct error *err);

/* The same for each file that a recipe names. Its context is the path of the outcome file. */
recipe_visit outcome_spares_file;

/* Prints where a file is, as an absolute path: "  report      /home/you/runs/quick.html". */
void outcome_tell(const char *name, const char *path);

/* Prints the values of a run's best organism as a parameter file; `context` is its run_summary. */
bool outcome_print_values(FILE *out, const void *summary, struct error *err);

#endif
