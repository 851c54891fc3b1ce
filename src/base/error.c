#include "error.h"

#include "foreign_text.h"

#include <stdarg.h>
#include <stdio.h>

/* A reason before it is clean, and the rest of a character that is cut. */
enum { RAW = sizeof((struct error *)NULL)->text + UTF8_MAX };

/* Writes a clean reason, with `rest` after it. */
static void set(struct error *err, const char *format, va_list args, const char *rest)
{
    char raw[RAW];
    const int length = vsnprintf(raw, sizeof raw, format, args);
    if (length >= 0 && (size_t)length < sizeof raw)
        snprintf(raw + length, sizeof raw - (size_t)length, "%s", rest);
    foreign_text_copy(err->text, sizeof err->text, raw);
}

bool error_set(struct error *err, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    if (err != NULL)
        set(err, format, args, "");
    va_end(args);
    return false;
}

bool error_prefix(struct error *err, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    if (err != NULL)
        set(err, format, args, err->text);
    va_end(args);
    return false;
}
