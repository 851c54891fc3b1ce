/* Parameter files: named values for a parameter table, and search spaces for it.
 *
 *     kind: evaluation
 *     parameters:
 *       PAWN_VALUE: 100
 *       KNIGHT_VALUE: 521
 *
 * A space gives ranges instead of values: `KNIGHT_VALUE: {bits: 11, min: 0, max: 2047}`. */
#ifndef GRAYLING_PARAMS_FILE_H
#define GRAYLING_PARAMS_FILE_H

#include "error.h"
#include "param.h"

#include <stddef.h>
#include <stdio.h>

/* Reads the values of a file of `table`'s kind into values[table->count]. Unknown, missing or
 * repeated names and values out of the table's range are errors that name file, line and name; a
 * constant must have its value, and what the null move's mode does not read must be 0. */
bool params_read(const char *path, const struct param_table *table, int32_t *values,
                 struct error *err);

/* Reads bits and ranges into params[table->count] (a copy of the table's rows with the file's bits,
 * min and max), within the table's own ranges. */
bool params_read_space(const char *path, const struct param_table *table, struct param *params,
                       struct error *err);

/* The same for a file that may be of several kinds: that of one of `tables` (NULL behind the last),
 * which is returned, or NULL with the reason. There must be room for the largest of them. */
const struct param_table *params_read_any(const char *path, const struct param_table *const *tables,
                                          int32_t *values, struct error *err);
const struct param_table *params_read_any_space(const char *path,
                                                const struct param_table *const *tables,
                                                struct param *params, struct error *err);

/* The first two from a text, `name` being its name in messages. */
bool params_from_text(const char *name, const char *text, size_t length,
                      const struct param_table *table, int32_t *values, struct error *err);
bool params_space_from_text(const char *name, const char *text, size_t length,
                            const struct param_table *table, struct param *params,
                            struct error *err);

/* The formats of `grayling export`. Constants, which have no bits (the pawn), are shown in YAML,
 * JSON, C and CSV, and left out of UCI, where they are no options. */
enum params_format { PARAMS_YAML, PARAMS_JSON, PARAMS_C, PARAMS_UCI, PARAMS_CSV, PARAMS_FORMATS };

const char *params_format_name(enum params_format f);
int params_format_from_name(const char *name); /* -1 when unknown */

/* Writes the values; `comment` lines (may be NULL) say where they come from, where the format has
 * comments. False when writing fails. */
bool params_write(FILE *out, enum params_format format, const struct param_table *table,
                  const int32_t *values, const char *comment, struct error *err);

#endif
