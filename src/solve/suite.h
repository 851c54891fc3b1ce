/* A suite of test positions: those of an EPD file that can be solved, and why the others cannot. */
#ifndef GRAYLING_SUITE_H
#define GRAYLING_SUITE_H

#include "checksum.h"
#include "epd.h"

/* Owned by the caller; a zeroed one is empty. */
struct suite {
    struct dataset positions; /* each has best moves or moves to avoid */
    long *lines;              /* owned: where each position stands in the file, from 1 */
    struct error *left_out;   /* owned: "file:line: reason", in the order of the file */
    size_t left_out_count;
};

/* Reads an EPD file ("-": standard input). A line that does not parse, and one without bm and am,
 * are left out. Nothing left is no failure here; only a file that cannot be read is. */
bool suite_load(struct suite *s, const char *path, struct error *err);
void suite_free(struct suite *s);

/* The SHA-256 of the positions as epd_format writes them, a line each: the same for a suite that is
 * compressed or has other comments. */
bool suite_checksum(const struct suite *s, char text[CHECKSUM_MAX], struct error *err);

#endif
