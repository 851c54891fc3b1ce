/* SVG as PNG, by librsvg and cairo; absent from a program that is built without them. */
#ifndef GRAYLING_PNG_H
#define GRAYLING_PNG_H

#include "error.h"

#include <stddef.h>
#include <stdio.h>

enum { PNG_MOST = 32767 /* pixels a side: the limit of cairo */ };

/* Fails, with what to install, if the program is built without them. */
bool png_available(struct error *err);

/* Writes an SVG document of `length` bytes as a PNG file. Whether `out` took it shows when that is
 * closed. */
bool png_write(FILE *out, const char *svg, size_t length, struct error *err);

#endif
