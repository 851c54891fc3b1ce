/* Counts for people. */
#ifndef GRAYLING_COUNT_H
#define GRAYLING_COUNT_H

#include <stdint.h>

enum { COUNT_MAX = 32 };

/* Writes "12,345" into the caller's text, and returns it. */
const char *format_count(int64_t number, char text[COUNT_MAX]);

#endif
