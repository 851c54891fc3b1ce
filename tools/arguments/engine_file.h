/* Engines as options and files name them, and the space files that commands write. */
#ifndef GRAYLING_ENGINE_FILE_H
#define GRAYLING_ENGINE_FILE_H

#include "engine_setup.h"
#include "space.h"

/* Takes an engine as an option names it: a command, or a parameter file of kind `uci` that has one (engine_options.h),
 * whose values the engine is given. Starts the engine, checks its options and stops it again (engine_setup_read). `more`
 * are values that the caller needs; they replace those of a file. `option` begins the error's text. */
bool named_engine_read(struct engine_setup *s, const char *option, const char *name,
                       const struct uci_value *more, int count, struct engine_hash hash,
                       struct error *err);

/* The table that --hash asks for; 0 MiB: it was not given, and 16 will do. */
struct engine_hash engine_hash_given(int mib);

/* The command of the engine that plays with values of a table: of weights of the trace protocol it is another one than
 * that of the evaluation, which has none to play with if it is NULL. */
const char *space_plays(const struct param_table *table);

/* Writes a space, with the lines of `comment` before it, to a file or to standard output ("-"). Its commands, which
 * name their programs as seen from the working directory, are written as the reader of the file has to see them.
 * False, with the reason, if writing fails. */
bool space_file_write(const char *output, const struct space *space, const char *comment,
                      struct error *err);

#endif
