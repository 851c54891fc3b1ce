/* SVG as PNG, by librsvg and cairo. They load some 40 libraries, so they are in a module of which only a program that
 * draws a PNG knows. */
#ifndef GRAYLING_PNG_H
#define GRAYLING_PNG_H

#include "error.h"

#include <stddef.h>
#include <stdio.h>

enum { PNG_MOST = 32767 /* pixels a side: the limit of cairo */ };

/* Writes an SVG document of `length` bytes as a PNG file. Whether `out` took it shows when that is closed. */
typedef bool png_write(FILE *out, const char *svg, size_t length, struct error *err);

/* The function of the module (picture.c). Returns NULL, with what to install, if there is no module. */
png_write *png_load(struct error *err);

#endif
