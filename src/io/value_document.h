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

/* Reads a file ("-": standard input), at most a megabyte. A parameter file becomes the document that
 * yaml_read_file makes. All other shapes become a flat one: a mapping of names to scalars, in the order of the file;
 * with `ranges`, names to what the file has, in the form of weather-factory: {value:, min_value:, max_value:, step:},
 * where `step` is c, also of the lines of OpenBench and fishtest. The reason of a failure names file, line and column:
 * a line of another shape, a name that occurs twice, more than SPACE_PARAMS_MAX lines. */
bool value_document_read(struct yaml_document *doc, const char *path, bool ranges,
                         struct error *err);

/* True if the document has names and values alone, without `kind` and `parameters`. */
bool value_document_is_flat(const struct yaml_document *doc);

#endif
