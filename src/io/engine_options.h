/* Values for the options of another engine, as a file: a parameter file of kind `uci`, the lines that
 * an engine is sent, or another shape of value_document.h.
 *
 *     kind: uci                                setoption name Futility Margin value 120
 *     command: toga2          # optional       setoption name NullMove Pruning value Fail High
 *     parameters:
 *       Futility Margin: 120
 *       NullMove Pruning: Fail High
 *
 * Values are texts as the engine reads them; the engine itself says which names and values are right. A file with a
 * command names a whole player; a program with a relative path is relative to the file (command_line.h). */
#ifndef GRAYLING_ENGINE_OPTIONS_H
#define GRAYLING_ENGINE_OPTIONS_H

#include "engine_setup.h"
#include "error.h"

/* Owned by the caller between read and free. */
struct engine_options {
    char *command; /* NULL if the file has none */
    struct uci_values values;
};

/* Reads a file. Errors name file and line: another kind, an unknown key, a value that is no text, a
 * name that occurs twice. */
bool engine_options_read(const char *path, struct engine_options *o, struct error *err);

void engine_options_free(struct engine_options *o); /* accepts a zeroed one */

/* True if the file can be read as YAML and is of kind `uci`; false for standard input. */
bool engine_options_is(const char *path);

#endif
