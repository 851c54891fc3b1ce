/* Recognises the kind of an input file by its content, not by its name, and reads parameters from
 * it. */
#ifndef GRAYLING_SOURCE_H
#define GRAYLING_SOURCE_H

#include "data_files.h"
#include "evaluation.h"
#include "run_summary.h"
#include "search_params.h"
#include "space.h"

enum source_kind { SOURCE_RUN, SOURCE_PARAMS, SOURCE_POSITIONS };

/* Finds the file that a user names (data_file_find) and recognises it by its beginning: a run
 * database; positions, if it is compressed or its first line has the ranks of a board; else
 * parameters. Returns false if it cannot be read. */
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
 * name may be that of a parameter file that comes with the program (data_file_find). */
bool source_open(struct source *s, const char *name, struct error *err);
void source_close(struct source *s);

/* The engine's own table of the source's parameters, in the same order. A parameter without bits in
 * it is a constant of the engine. A run's table may fix more parameters, at values that the engine
 * must be given. */
const struct param_table *source_engine_table(const struct source *s);

/* Gets the evaluation, or the search parameters, of the source opened from `path`, by their names.
 * Fails if the source is of the other kind or lacks a parameter. */
bool source_evaluation(const struct source *s, const char *path, struct evaluation *e,
                       struct error *err);
bool source_search_params(const struct source *s, const char *path, struct search_params *params,
                          struct error *err);

/* Describes the best organism of a run in a few lines: its origin and its objective values. Fails
 * without memory. */
bool source_describe(const struct run_summary *run, char comment[SOURCE_COMMENT],
                     struct error *err);

#endif
