/* Regular files: they have an end, and are the same when they are opened again. A pipe, a device and a
 * directory are not. */
#ifndef GRAYLING_REGULAR_FILE_H
#define GRAYLING_REGULAR_FILE_H

#include <stdbool.h>
#include <stdio.h>

/* True if the path leads to a regular file. */
bool regular_file_is(const char *path);

/* Opens a regular file for reading, without waiting for the writer of a pipe. On failure returns NULL
 * and sets *reason: "No such file or directory", "it is not a file". */
FILE *regular_file_open(const char *path, const char **reason);

#endif
