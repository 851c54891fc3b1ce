/* Counts formatted for people. */
#ifndef GRAYLING_COUNT_H
#define GRAYLING_COUNT_H

#include <stdint.h>

enum { COUNT_MAX = 32 };

/* Writes the number with thousands separators, as "12,345", into `text` and returns `text`. */
const char *format_count(int64_t number, char text[COUNT_MAX]);

#endif
