/* What a file given to a command is, told by its content and not by its name. */
#ifndef GRAYLING_SOURCE_H
#define GRAYLING_SOURCE_H

#include "evaluate.h"
#include "run_summary.h"
#include "search_params.h"

enum source_kind { SOURCE_RUN, SOURCE_PARAMS, SOURCE_POSITIONS };

/* Looks at the beginning of a file: a run database, positions (compressed or with the ranks of a
 * board on their first line), else parameters. False when it cannot be read. */
bool source_recognise(const char *path, enum source_kind *kind, struct error *err);

enum { SOURCE_VALUES = 64, SOURCE_COMMENT = 1024 };

/* Values of parameters and where they come from. Owned by the caller between open and close. */
struct source {
    struct param_table table; /* of a run: its own bits and ranges */
    int32_t values[SOURCE_VALUES];
    char comment[SOURCE_COMMENT]; /* lines for people; empty for a parameter file */
    struct run_summary run;       /* zeroed for a parameter file */
};

/* Reads a parameter file of any kind ("-": standard input), or the best organism of a run. */
bool source_open(struct source *s, const char *path, struct error *err);
void source_close(struct source *s);

/* The engine's own table of the source's parameters, in their order. What has no bits there is a
 * constant of the engine; a run's table may fix more, to values that the engine has to be told. */
const struct param_table *source_engine_table(const struct source *s);

/* The weights, or the search parameters, that the source opened from `path` holds, by their names.
 * False when it is of another kind, or lacks one. */
bool source_weights(const struct source *s, const char *path, struct eval_weights *w,
                    struct error *err);
bool source_search_params(const struct source *s, const char *path, struct search_params *params,
                          struct error *err);

/* Where the best organism of a run comes from, and what it has reached: some lines. */
void source_describe(const struct run_summary *run, char comment[SOURCE_COMMENT]);

#endif
