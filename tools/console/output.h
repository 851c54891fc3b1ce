/* Atomic output: a file is written completely or not at all. */
#ifndef GRAYLING_OUTPUT_H
#define GRAYLING_OUTPUT_H

#include "error.h"

#include <stdio.h>

/* True if the path is a file or does not exist. False for standard output ("-"), a device or a
 * pipe, which cannot be replaced. */
bool output_is_file(const char *path);

/* Refuses an existing file, unless `force`. Call it before any work is done. */
bool output_check(const char *path, bool force, struct error *err);

/* Calls `print` with a stream for the path. A file is written under another name and renamed when
 * it is complete; it replaces an existing file. */
bool output_write(const char *path, void (*print)(FILE *out, void *context), void *context,
                  struct error *err);

/* Tells on standard error what was written and where: "report      runs/quick.html". Tells nothing
 * of standard output. */
void output_tell(const char *what, const char *path);

#endif
