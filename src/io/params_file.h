/* Parameter files: named values for a parameter table, and search spaces for it.
 *
 *     kind: evaluation
 *     parameters:
 *       PAWN_VALUE: 100
 *       KNIGHT_VALUE: 521
 *
 * A space gives ranges instead of values: `KNIGHT_VALUE: {bits: 11, min: 0, max: 2047}`, and perhaps a `step`: fewer
 * bits, and the values lie further apart. Values may also be read from the other shapes of value_document.h, most of
 * which name no kind: the names tell it then, and constants may be missing.
 *
 * Weights of an evaluation of ours that a file leaves out are 0, and in a space fixed at 0, so that a file outlives new
 * terms; a list without a kind names all of the paper's. A file of kind evaluation-modern, which has 3,632 weights,
 * names those that matter. Every other fault is still an error. */
#ifndef GRAYLING_PARAMS_FILE_H
#define GRAYLING_PARAMS_FILE_H

#include "error.h"
#include "param.h"
#include "yaml_document.h"

/* Reads a file of any kind among `tables` (NULL-terminated) into `values`, which has room for the largest table.
 * Returns the table of the kind, or NULL with the reason, which names file, line and name: an unknown, missing or
 * repeated name; a value out of the table's range; a constant with another value than its own; a parameter that
 * the null move's mode does not read and that is not 0. */
const struct param_table *params_read_any(const char *path, const struct param_table *const *tables,
                                          int32_t *values, struct error *err);

/* Same, for a document that holds a search space: copies the table's rows, with the bits, min and max of the document,
 * which must lie within the table's ranges. */
const struct param_table *params_take_space(const struct yaml_document *doc,
                                            const struct param_table *const *tables,
                                            struct param *params);

/* Reads the perturbation of an entry from `key`, as the engine reads it: of two decimals, 0.05 is 5. Leaves it
 * alone if the key is absent. Type, range and bits are known. */
bool params_take_c(const struct yaml_document *doc, const struct yaml_node *entry, const char *key,
                   struct param *p);

/* Writes each line of a comment, which may be NULL, after `mark`: "#". */
void params_write_comment(FILE *out, const char *mark, const char *comment);

/* Writes the keys of a file before its parameters: the kind, and the commands of another engine. */
void params_write_head(FILE *out, const struct param_table *table);

/* Writes one value as YAML has it: in quotes if it is no number. */
void params_write_yaml_value(FILE *out, const struct param *p, int32_t value);

/* True if files of the table's kind are written without parameters that are 0: kind evaluation-modern. */
bool params_omit_zeros(const struct param_table *table);

/* True if the mode of the null move does not read a parameter. A file must have 0 there. */
bool params_is_unread(const struct param_table *table, const int32_t *values, int index);

#endif
