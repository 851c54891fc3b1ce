#include "error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool error_set(struct error *err, const char *format, ...)
{
    if (err == NULL)
        return false;
    va_list args;
    va_start(args, format);
    vsnprintf(err->text, sizeof err->text, format, args);
    va_end(args);
    return false;
}

bool error_prefix(struct error *err, const char *format, ...)
{
    if (err == NULL)
        return false;
    struct error reason = *err;
    va_list args;
    va_start(args, format);
    int length = vsnprintf(err->text, sizeof err->text, format, args);
    va_end(args);
    if (length >= 0 && (size_t)length < sizeof err->text)
        snprintf(err->text + length, sizeof err->text - (size_t)length, "%s", reason.text);
    return false;
}
