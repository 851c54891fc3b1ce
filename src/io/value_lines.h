/* Values as lines of text, one a parameter (value_document.h). */
#ifndef GRAYLING_VALUE_LINES_H
#define GRAYLING_VALUE_LINES_H

#include "yaml_document.h"

#include <stdbool.h>
#include <stddef.h>

enum value_lines {
    NO_VALUE_LINES, /* another format, YAML or JSON */
    SETOPTION_LINES,
    OPENBENCH_LINES,
    FISHTEST_LINES,
    CSV_LINES
};

/* Recognises the shape by the first line that is neither blank nor a comment. */
enum value_lines value_lines_recognise(const char *text, size_t length);

/* Reads lines of a shape into a mapping of names to scalars; those of tuners, OpenBench and fishtest, into one
 * of names to {value:, min_value:, max_value:, step:}, weather-factory's, where `step` is c. The reason of a failure names file, line
 * and column: a line of another shape, a name that occurs twice, more than SPACE_PARAMS_MAX of them. */
bool value_lines_read(struct yaml_document *doc, const char *name, const char *text, size_t length,
                      enum value_lines shape, struct error *err);

#endif
