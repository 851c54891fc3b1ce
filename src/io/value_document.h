/* Values of parameters in the shapes that engines and tuners write, as one document.
 *
 *     kind: evaluation                     a parameter file, YAML or JSON
 *     parameters: {NAME: 123}
 *
 *     {"NAME": 123}                        names and values alone, YAML or JSON. A value may stand
 *                                          among others: {value: 123, ...} as weather-factory has
 *                                          it, {default: 123, ...} as Optuna's tuner has it.
 *     setoption name NAME value 123        what a UCI engine is sent
 *     NAME, int, 123, 0, 1023, 25.6, 0.002           OpenBench
 *     NAME,123,0,1023,25.6,0.002                     fishtest
 *     name,value,min,max                             CSV with this head
 *
 * The content tells the shape, not the name of the file. Among lines, blank ones and those that begin
 * with # are skipped. */
#ifndef GRAYLING_VALUE_DOCUMENT_H
#define GRAYLING_VALUE_DOCUMENT_H

#include "yaml_document.h"

#include <stdbool.h>
#include <stddef.h>

/* Reads a file ("-": standard input) or a text, at most a megabyte. A parameter file becomes the
 * document that yaml_read_file makes. All other shapes become a flat one: a mapping of names to
 * scalars, in the order of the file. The reason of a failure names file, line and column. */
bool value_document_read(struct yaml_document *doc, const char *path, struct error *err);
bool value_document_from_text(struct yaml_document *doc, const char *name, const char *text,
                              size_t length, struct error *err);

/* Reads the ranges of a tuner too: an entry of a flat document is what the file has, in the form of
 * weather-factory: {value:, min_value:, max_value:, step:}, also of the lines of OpenBench and fishtest. */
bool value_document_read_ranges(struct yaml_document *doc, const char *path, struct error *err);

/* True if the document has names and values alone, without `kind` and `parameters`. */
bool value_document_is_flat(const struct yaml_document *doc);

/* Values as lines of text, one a parameter (value_document.h). */

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
