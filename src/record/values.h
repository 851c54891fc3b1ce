/* Parameter values of a parameter file, or of a run's best organism. */
#ifndef GRAYLING_VALUES_H
#define GRAYLING_VALUES_H

#include "checksum.h"
#include "evaluation.h"
#include "recipe.h"
#include "run_summary.h"
#include "search_params.h"

/* Room for the values of any of our tables (recipe_tables). */
enum {
    VALUES_MAX =
        (int)EVALUATION_WEIGHTS > (int)SEARCH_PARAMS ? (int)EVALUATION_WEIGHTS : (int)SEARCH_PARAMS
};

/* Reads values[table->count], in the order of the table, by name, all of them, within their ranges. */
bool values_read(const char *path, const struct param_table *table, int32_t *values,
                 struct error *err);

/* Reads the summary of a run, which must have a best organism. */
bool values_of_run(const char *path, struct run_summary *run, struct error *err);

/* Reads an evaluation of any kind. An empty path gives the paper's with its initial weights. */
bool values_evaluation(const char *path, struct evaluation *e, struct error *err);

/* Reads the parameters of a search of any kind. An empty path gives plain alpha-beta. */
bool values_search_params(const char *path, struct search_params *p, struct error *err);

/* A checksum of the file, or of the names and values of a run's best organism: its file may change without. */
bool values_checksum(const char *path, char text[CHECKSUM_MAX], struct error *err);
/* The same of names and values. */
bool values_checksum_of(const struct param_table *table, const int32_t *values,
                        char text[CHECKSUM_MAX], struct error *err);

/* Reads the recipe's seeds as chromosomes of `space` (genome_row), with room for one more. The caller frees them. NULL
 * if one cannot be read. */
uint64_t *seeds_read(const struct recipe *recipe, const struct param_table *space,
                     struct error *err);

/* Reads a file of a recipe as bytes, which the caller frees, for a process that cannot open it; of a stored run its best
 * organism, as a parameter file. The commands of another engine become absolute, as bytes have no folder. */
char *values_bytes(const char *path, size_t *size, struct error *err);

#endif
