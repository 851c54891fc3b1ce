/* The openings of a match that names none: data/openings.epd, compiled in. */
#ifndef GRAYLING_DEFAULT_BOOK_H
#define GRAYLING_DEFAULT_BOOK_H

#include "opening.h"

extern const char *const default_openings[]; /* FENs */
extern const size_t default_opening_count;

/* The caller frees the book. False when there is no memory. */
bool default_book_read(struct book *b, struct error *err);

#endif
