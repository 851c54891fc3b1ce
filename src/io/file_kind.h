/* What a file is, by its beginning. A reader of one kind refuses a file that is certainly of another, and
 * says what it is, instead of reporting its first byte. */
#ifndef GRAYLING_FILE_KIND_H
#define GRAYLING_FILE_KIND_H

#include "error.h"

#include <stddef.h>

/* A set of kinds is their sum. */
enum file_kind {
    FILE_OTHER = 0, /* none of these, or not certainly */
    FILE_RUN = 1,
    FILE_YAML = 2,
    FILE_POSITIONS = 4,
    FILE_GAMES = 8,
    FILE_PACKED = 16, /* compressed */
    FILE_PROGRAM = 32,
    FILE_PAGE = 64,
    FILE_BLANK = 128, /* white space and comments alone: of any kind */
};

/* The kind of a file that begins with these bytes. */
enum file_kind file_kind_of(const char *bytes, size_t length);

/* False, with the reason, if a file is certainly not of a wanted kind: "run.db: a run (SQLite), not positions (EPD), or
 * games (PGN)". `bytes` are its beginning. */
bool file_kind_expect(const char *path, const char *bytes, size_t length, unsigned wanted,
                      struct error *err);

#endif
