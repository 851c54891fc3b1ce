/* Values of parameters from where users have them: a parameter file, or a run, whose best organism
 * counts. */
#ifndef GRAYLING_VALUES_H
#define GRAYLING_VALUES_H

#include "checksum.h"
#include "evaluate.h"
#include "search_params.h"

/* The tables that there are: the evaluation's, and those of the search; NULL after the last. */
extern const struct param_table *const values_tables[];

/* Reads values[table->count], in the table's order and ranges. Names that are unknown, missing or
 * of another kind, and values out of range, are errors that say where. */
bool values_read(const char *path, const struct param_table *table, int32_t *values,
                 struct error *err);

/* The weights of an evaluation; the initial ones where `path` is empty. */
bool values_weights(const char *path, struct eval_weights *w, struct error *err);

/* Parameters of the search, of the paper's kind or the modern one; plain alpha-beta where `path` is
 * empty. */
bool values_search_params(const char *path, struct search_params *p, struct error *err);

/* What tells whether the values are still what they were: the checksum of the file, or that of the
 * best organism's names and values, since a run's file changes for other reasons too. */
bool values_checksum(const char *path, char text[CHECKSUM_MAX], struct error *err);

#endif
