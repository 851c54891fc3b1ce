/* Counts formatted for people. */
#ifndef GRAYLING_COUNT_H
#define GRAYLING_COUNT_H

#include <stdint.h>

enum { COUNT_MAX = 32, COUNTED_MAX = 64 };

/* Writes the number with thousands separators, as "12,345", into `text` and returns `text`. */
const char *format_count(int64_t number, char text[COUNT_MAX]);

/* The same with its noun of at most 32 bytes, which takes an s in the plural: "12,345 games". */
const char *format_things(int64_t number, const char *noun, char text[COUNTED_MAX]);

#endif
