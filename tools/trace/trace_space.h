/* Writes the weights of an evaluation as a space file (space.h), to be thinned by hand. */
#ifndef GRAYLING_TRACE_SPACE_H
#define GRAYLING_TRACE_SPACE_H

#include "trace_protocol.h"

/* Writes a space of kind "trace" to a file, or to standard output ("-"). A command that names its
 * program by a relative path is written as seen from the file's folder, as the file's reader expects.
 * False, with the reason, if writing fails. */
bool trace_space_write(const char *output, const char *command, const struct trace_weights *w,
                       struct error *err);

#endif
