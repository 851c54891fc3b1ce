/* A suite: the solvable positions of an EPD file, and why the others were left out. */
#ifndef GRAYLING_SUITE_H
#define GRAYLING_SUITE_H

#include "checksum.h"
#include "epd.h"

enum { SUITE_REASONS = 256 };

/* Owned by the caller; a zeroed suite is empty. */
struct suite {
    struct dataset positions; /* each has bm or am */
    long *lines;              /* owned: each position's line in the file, from 1 */
    struct error *left_out;   /* owned: "file:line: reason" of the first lines left out */
    size_t left_out_kept;     /* of these, SUITE_REASONS at most */
    size_t left_out_count;    /* of all lines left out */
};

/* Reads an EPD file ("-": standard input). Leaves out lines that do not parse and positions without
 * bm and am. An empty result is not an error; only an unreadable file is. */
bool suite_load(struct suite *s, const char *path, struct error *err);
void suite_free(struct suite *s);

/* SHA-256 of the positions, one a line (epd_format): comments and compression do not count. */
bool suite_checksum(const struct suite *s, char text[CHECKSUM_MAX], struct error *err);

#endif
