/* The outcome of a run: files beside its database (outcome_file.h), and when they may be written. */
#ifndef GRAYLING_OUTCOME_H
#define GRAYLING_OUTCOME_H

#include "outcome_file.h"
#include "run_summary.h"

/* Checks that the file may be written: it does not exist, `force` is set, or it is an unmodified
 * artifact of this run or an unmodified report. */
bool outcome_check(const char *store_path, const char *path, bool force, struct error *err);

/* Prints the values of a run's best organism as a parameter file; `context` is its run_summary. */
bool outcome_print_values(FILE *out, const void *summary, struct error *err);

#endif
