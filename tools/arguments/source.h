/* Recognises the kind of an input file by its content, not by its name, and reads parameters from it. */
#ifndef GRAYLING_SOURCE_H
#define GRAYLING_SOURCE_H

#include "data_files.h"
#include "evaluation.h"
#include "run_summary.h"
#include "search_params.h"
#include "space.h"

#include <stdio.h>

enum source_kind { SOURCE_RUN, SOURCE_PARAMS, SOURCE_POSITIONS };

/* Finds the file that a user names (data_file_find) and recognises it by its beginning: a run database; positions, if
 * it is compressed or its first line has the ranks of a board; else parameters. Returns false if it cannot be read,
 * or is a pipe or a device, whose beginning would be lost to the one who reads it next. */
bool source_recognise(const char *name, enum source_kind *kind, char path[PATH_SIZE],
                      struct error *err);

enum { SOURCE_COMMENT = 1024 };

/* Values of parameters and their origin. Owned by the caller between open and close. */
struct source {
    struct param_table table;     /* for a run: with the run's own bits and ranges */
    int32_t *values;              /* owned */
    char path[PATH_SIZE];         /* the file */
    char comment[SOURCE_COMMENT]; /* lines for people; empty for a parameter file */
    struct run_summary run;       /* zeroed for a parameter file */
    struct space space;           /* of another engine's parameter file; else zeroed */
};

/* Reads a parameter file of any kind ("-": standard input), or the best organism of a run. The
 * name may be that of a file of these kinds that comes with the program (data_file_find). */
bool source_open(struct source *s, const char *name, enum data_kind files, struct error *err);
void source_close(struct source *s);

/* Values that an engine is given, one option each. The table and the values may be those of the
 * source, which must outlive them. */
struct source_options {
    const struct param_table *table;
    const int32_t *values;
    struct search_params search;
};

/* Gets the values with which the engine plays as the source does. The table is the engine's own: a
 * parameter without bits in it is a constant of the engine, whereas a run's table may fix more of
 * them. Of a search, all parameters are given: those that its kind or its run lacks are off, and
 * grayling-uci begins with some of them on. Fails if the run lacks another parameter. */
bool source_options(const struct source *s, struct source_options *o, struct error *err);

/* Reads the evaluation, or the search parameters, of a file or a run that a user names, or of a file that comes with the
 * program. NULL: leaves what is there. Fails if it is of another kind or lacks a parameter. */
bool source_read_evaluation(const char *name, struct evaluation *e, struct error *err);
bool source_read_search(const char *name, struct search_params *params, struct error *err);

/* Prints "  train       1,622 of 5,000   32.44 %  (31.15 to 33.75)" and the held-out value, and below
 * them those of another engine's defaults, if the run has measured them. Of a run whose estimates play
 * the start, prints what it has gained instead; of one by games, which parameters are at their bounds. Values
 * begin `width` characters after the two blanks. A generation must be complete. */
void result_lines(FILE *out, const struct run_summary *s, int width);

/* Describes the best organism of a run in a few lines: its origin and its objective values. Fails without memory. */
bool source_describe(const struct run_summary *run, char comment[SOURCE_COMMENT],
                     struct error *err);

#endif
