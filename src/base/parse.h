/* Text into numbers, strictly: the whole text or nothing. */
#ifndef GRAYLING_PARSE_H
#define GRAYLING_PARSE_H

#include <stdbool.h>
#include <stdint.h>

/* The whole of `text` as a decimal integer; false when it is not one or does not fit. */
bool parse_int64(const char *text, int64_t *value);

/* The whole of `text` as a finite decimal number (never locale-dependent hex, inf or nan). */
bool parse_double(const char *text, double *value);

/* "true" or "false". */
bool parse_bool(const char *text, bool *value);

#endif
