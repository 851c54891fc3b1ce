/* Reading parameter values from a parameter file, or from a run, of which the best organism is
 * taken. */
#ifndef GRAYLING_VALUES_H
#define GRAYLING_VALUES_H

#include "checksum.h"
#include "evaluation.h"
#include "search_params.h"

/* All parameter tables, of the evaluation and of the search. NULL-terminated. */
extern const struct param_table *const values_tables[];

/* Room for the values of any of them. */
enum {
    VALUES_MAX =
        (int)EVALUATION_WEIGHTS > (int)SEARCH_PARAMS ? (int)EVALUATION_WEIGHTS : (int)SEARCH_PARAMS
};

/* True if this is the kind of one of them. Where a space is expected, it stands for the whole table. */
bool values_is_kind(const char *name);

/* Reads values[table->count], in the order of the table. Unknown names, missing names, another kind
 * and values out of range are errors. The reason says where. */
bool values_read(const char *path, const struct param_table *table, int32_t *values,
                 struct error *err);

/* Reads an evaluation of any kind. An empty path gives the paper's with its initial weights. */
bool values_evaluation(const char *path, struct evaluation *e, struct error *err);

/* Reads the parameters of a search of any kind. An empty path gives plain alpha-beta. */
bool values_search_params(const char *path, struct search_params *p, struct error *err);

/* Computes a checksum that changes if the values change. For a parameter file it covers the file.
 * For a run it covers the names and values of the best organism, because the file of a run may
 * change without changing them. */
bool values_checksum(const char *path, char text[CHECKSUM_MAX], struct error *err);

#endif
