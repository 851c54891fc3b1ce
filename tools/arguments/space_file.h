/* Space files that commands write. */
#ifndef GRAYLING_SPACE_FILE_H
#define GRAYLING_SPACE_FILE_H

#include "space.h"

/* Writes a space, with the lines of `comment` before it, to a file or to standard output ("-"). Its commands, which
 * name their programs as seen from the working directory, are written as the reader of the file has to see them.
 * False, with the reason, if writing fails. */
bool space_file_write(const char *output, const struct space *space, const char *comment,
                      struct error *err);

#endif
