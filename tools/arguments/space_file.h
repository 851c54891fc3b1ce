/* Space files that commands write. */
#ifndef GRAYLING_SPACE_FILE_H
#define GRAYLING_SPACE_FILE_H

#include "space.h"

/* The command of the engine that plays with values of a table: of weights of the trace protocol it is another one than
 * that of the evaluation, which has none to play with if it is NULL. */
const char *space_plays(const struct param_table *table);

/* Writes a space, with the lines of `comment` before it, to a file or to standard output ("-"). Its commands, which
 * name their programs as seen from the working directory, are written as the reader of the file has to see them.
 * False, with the reason, if writing fails. */
bool space_file_write(const char *output, const struct space *space, const char *comment,
                      struct error *err);

#endif
