/* A file of a recipe as bytes, for a process that cannot open it. */
#ifndef GRAYLING_VALUES_BYTES_H
#define GRAYLING_VALUES_BYTES_H

#include "error.h"

#include <stddef.h>

/* Reads a file; of a stored run its best organism, written as a parameter file. Of another engine's file
 * the commands become absolute, as the bytes have no folder that a relative one could start from. The
 * bytes are malloc'ed. NULL with the reason on failure. */
char *values_bytes(const char *path, size_t *size, struct error *err);

#endif
