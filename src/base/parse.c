#include "parse.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool parse_int64(const char *text, int64_t *value)
{
    if (text[strspn(text, "+-0123456789")] != '\0' || text[0] == '\0')
        return false;
    char *end;
    errno = 0;
    long long number = strtoll(text, &end, 10);
    if (end == text || *end != '\0' || errno == ERANGE)
        return false;
    *value = number;
    return true;
}

bool parse_double(const char *text, double *value)
{
    if (text[strspn(text, "+-.0123456789eE")] != '\0' || text[0] == '\0')
        return false;
    char *end;
    errno = 0;
    double number = strtod(text, &end);
    if (end == text || *end != '\0' || !isfinite(number))
        return false;
    *value = number;
    return true;
}

bool parse_bool(const char *text, bool *value)
{
    *value = strcmp(text, "true") == 0;
    return *value || strcmp(text, "false") == 0;
}

/* Parses seconds with decimals as milliseconds. Returns false if they are invalid or too many. */
static bool parse_seconds(const char *text, int64_t *milliseconds)
{
    enum { SECONDS_MAX = 1000000 };
    double seconds;
    if (!parse_double(text, &seconds) || seconds < 0 || seconds > SECONDS_MAX)
        return false;
    *milliseconds = llround(1000 * seconds);
    return true;
}

bool parse_clock(const char *text, int64_t *time, int64_t *increment)
{
    char game[64];
    const char *plus = strchr(text, '+');
    const size_t length = plus != NULL ? (size_t)(plus - text) : strlen(text);
    *increment = 0;
    snprintf(game, sizeof game, "%.*s", (int)length, text);
    return length < sizeof game && parse_seconds(game, time) && *time > 0 &&
           (plus == NULL || parse_seconds(plus + 1, increment));
}
