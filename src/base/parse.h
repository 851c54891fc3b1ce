/* Strict parsing of numbers: the whole text must be one. */
#ifndef GRAYLING_PARSE_H
#define GRAYLING_PARSE_H

#include <stdbool.h>
#include <stdint.h>

/* Parses a decimal integer. Returns false if `text` is not one or does not fit. */
bool parse_int64(const char *text, int64_t *value);

/* Parses a finite decimal number. Rejects hexadecimal numbers, inf and nan. */
bool parse_double(const char *text, double *value);

/* Parses "true" or "false". */
bool parse_bool(const char *text, bool *value);

/* Parses a time control, "10+0.1" or "10": the seconds that a side has for a game, and what it gets after
 * each move. Both become milliseconds; the first is 1 or more. */
bool parse_clock(const char *text, int64_t *time, int64_t *increment);

#endif
