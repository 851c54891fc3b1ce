#include "error.h"

#include "foreign_text.h"

#include <stdarg.h>
#include <stdio.h>

/* A reason before it is clean, and the rest of a character that is cut. */
enum { RAW = sizeof((struct error *)NULL)->text + UTF8_MAX };

bool error_set(struct error *err, const char *format, ...)
{
    char raw[RAW];
    if (err == NULL)
        return false;
    va_list args;
    va_start(args, format);
    vsnprintf(raw, sizeof raw, format, args);
    va_end(args);
    foreign_text_copy(err->text, sizeof err->text, raw);
    return false;
}

bool error_prefix(struct error *err, const char *format, ...)
{
    char raw[RAW];
    if (err == NULL)
        return false;
    va_list args;
    va_start(args, format);
    int length = vsnprintf(raw, sizeof raw, format, args);
    va_end(args);
    if (length >= 0 && (size_t)length < sizeof raw)
        snprintf(raw + length, sizeof raw - (size_t)length, "%s", err->text);
    foreign_text_copy(err->text, sizeof err->text, raw);
    return false;
}
