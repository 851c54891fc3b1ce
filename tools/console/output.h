/* Output that is there whole or not at all. */
#ifndef GRAYLING_OUTPUT_H
#define GRAYLING_OUTPUT_H

#include "error.h"

#include <stdio.h>

/* Whether the path is a file, or free: not standard output ("-"), a device or a pipe, which cannot
 * be replaced. */
bool output_is_file(const char *path);

/* Refuses a file that exists, unless `force`: to be asked before any work is done. */
bool output_check(const char *path, bool force, struct error *err);

/* Hands `print` a stream for the path. A file is written under another name and renamed when it is
 * whole; it replaces what was there. */
bool output_write(const char *path, void (*print)(FILE *out, void *context), void *context,
                  struct error *err);

#endif
