/* The default opening book of a match: data/openings.epd, compiled in. */
#ifndef GRAYLING_DEFAULT_BOOK_H
#define GRAYLING_DEFAULT_BOOK_H

#include "opening.h"

extern const char *const default_openings[]; /* FENs */
extern const size_t default_opening_count;

/* The caller frees the book. Returns false when out of memory. */
bool default_book_read(struct book *b, struct error *err);

#endif
