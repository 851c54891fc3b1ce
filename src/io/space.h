/* Spaces: the parameters that a run may change. A space comes from one of our tables, or from a file.
 *
 *     kind: search                        our own: bits and ranges within those of the table
 *     parameters:
 *       NULL_MOVE_R: {bits: 3, min: 0, max: 7}          and perhaps step: 2
 *
 *     kind: uci                           options of another engine (uci_client.h)
 *     command: toga2                      how to start it (command_line.h)
 *     parameters:
 *       Hash: {type: spin, fixed: 16}                                  set, but no gene
 *       History Threshold: {type: spin, min: 0, max: 100, default: 70, bits: 7}
 *       Delta Margin: {type: spin, default: 50, relative: 30 %, step: 5}
 *       NullMove Pruning: {type: combo, choices: [Always, Fail High, Never], default: Always}
 *       Scale: {type: string, decimals: 2, min: 0.50, max: 1.50, default: 1.00}
 *
 *     kind: trace                         weights of another evaluation (trace_client.h)
 *     command: examples/trace/psqt        how to start it
 *     plays: examples/trace/psqt uci      optional: a UCI engine whose options are these weights
 *     parameters:
 *       KNIGHT_MG: {min: 0, max: 1023, default: 337, group: material}   group: optional
 *
 * A number of any kind may have `c`, its perturbation (param.h), as the engine reads it: `c: 0.05`. `bits` may be
 * left out: as many as the values need. A parameter that is `fixed` has no bits; it may also be written as `Hash:
 * 16`. So a parameter file of another engine, which holds values alone, is a space in which nothing evolves. */
#ifndef GRAYLING_SPACE_H
#define GRAYLING_SPACE_H

#include "error.h"
#include "param.h"
#include "yaml_document.h"

#include <stdbool.h>
#include <stdio.h>

extern const char space_kind_uci[];   /* "uci" */
extern const char space_kind_trace[]; /* "trace" */

enum { SPACE_PARAMS_MAX = 4096 };

/* Owned by the caller between space_read or space_of_table and space_free. */
struct space {
    struct param_table table;
    struct param *params;       /* owned: the rows of the table */
    struct yaml_document texts; /* owned: what the rows of a file point to */
};

/* True if the parameters belong to another engine: kind "uci" or "trace". */
bool space_is_foreign(const struct param_table *table);

/* True if a file is of kind "uci" or "trace"; false if it cannot be read, or standard input. */
bool space_file_is_foreign(const char *path);

/* Copies one of our tables. */
bool space_of_table(const struct param_table *table, struct space *space, struct error *err);

/* Reads a space file ("-": standard input). `ours` (NULL-terminated) lists the tables whose kinds are
 * allowed, besides "uci" and "trace". A path that is the name of such a kind, "evaluation-modern" say, is no file but
 * stands for the table itself. Errors name file, line and parameter. */
bool space_read(const char *path, const struct param_table *const *ours, struct space *space,
                struct error *err);

void space_free(struct space *space); /* accepts a zeroed one */

/* The digits after the point of a decimal number; -1 if the text is none, or has more than six. */
int space_decimals(const char *text);

/* Writes the line of a parameter of one of our tables. */
void space_write_ours(FILE *out, const struct param *p);

/* Writes a space file, with the lines of `comment` before it. */
void space_write(FILE *out, const struct space *space, const char *comment);

#endif
