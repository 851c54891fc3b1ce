#include "parse.h"

#include <errno.h>
#include <math.h>
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
