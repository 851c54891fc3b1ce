/* A report as a file. The page ends with its own checksum, so that a later one may take its place
 * where nobody has changed it. */
#ifndef GRAYLING_REPORT_FILE_H
#define GRAYLING_REPORT_FILE_H

#include "error.h"

#include <stdbool.h>

/* Reads a run or a night and writes its page to `output` ("-": standard output), over what is
 * there. The exit code: EXIT_BAD where there is no such run, EXIT_FAILED where the page cannot be
 * written. */
int report_file_write(const char *store_path, const char *output, struct error *err);

/* Whether a file is a report just as it was written. */
bool report_file_untouched(const char *path);

#endif
