/* Reading parameter values from a parameter file, or from a run, of which the best organism is
 * taken. */
#ifndef GRAYLING_VALUES_H
#define GRAYLING_VALUES_H

#include "checksum.h"
#include "evaluation.h"
#include "recipe.h"
#include "search_params.h"

/* Room for the values of any of our tables (recipe_tables). */
enum {
    VALUES_MAX =
        (int)EVALUATION_WEIGHTS > (int)SEARCH_PARAMS ? (int)EVALUATION_WEIGHTS : (int)SEARCH_PARAMS
};

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

/* Reads the recipe's seeds, the first organisms of generation 0, as chromosomes of `space`, a row of
 * words each (genome_row). The caller frees them. NULL if a file cannot be read, has other parameters, or
 * has a value outside the space. */
uint64_t *seeds_read(const struct recipe *recipe, const struct param_table *space,
                     struct error *err);

/* Reads a file of a recipe as bytes, malloc'ed, for a process that cannot open it; of a stored run its best
 * organism, written as a parameter file. The commands of another engine's file become absolute, as the
 * bytes have no folder. NULL with the reason on failure. */
char *values_bytes(const char *path, size_t *size, struct error *err);

#endif
