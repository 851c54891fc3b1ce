/* Writes a report to a file. The page ends with its own checksum, so that a later report can
 * replace it if nobody has changed it. */
#ifndef GRAYLING_REPORT_FILE_H
#define GRAYLING_REPORT_FILE_H

#include "error.h"

#include <stdbool.h>

/* Reads a run or a night and writes its page to `output` ("-": standard output), replacing an
 * existing file. Returns the exit code: EXIT_BAD if the run cannot be read, EXIT_FAILED if the page
 * cannot be written. */
int report_file_write(const char *store_path, const char *output, struct error *err);

/* True if a file is an unmodified report. */
bool report_file_untouched(const char *path);

#endif
