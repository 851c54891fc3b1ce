#include "html.h"

#include "foreign_text.h"

#include <stdarg.h>
#include <stdbool.h>
#include <string.h>

#define REPLACEMENT "\xef\xbf\xbd" /* U+FFFD */

/* The escape of a character; NULL if it needs none. */
static const char *replacement(uint32_t point)
{
    switch (point) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    case '\'':
        return "&#39;";
    case '\t':
    case '\n':
        return NULL;
    default:
        return foreign_character_is_clean(point) ? NULL : REPLACEMENT;
    }
}

void html_text(FILE *out, const char *text)
{
    while (*text != '\0') {
        uint32_t point;
        size_t length = utf8_decode(text, UTF8_MAX, &point);
        const char *other = length == 0 ? REPLACEMENT : replacement(point);
        if (other != NULL)
            fputs(other, out);
        else
            fwrite(text, 1, length, out);
        text += length > 0 ? length : 1;
    }
}

void html_format(FILE *out, const char *format, ...)
{
    char text[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    html_text(out, text);
}

/* Writes text; the line may break after each of these bytes. */
static void write_parts(FILE *out, const char *text, const char *ends)
{
    for (;;) {
        char part[128];
        size_t length = strcspn(text, ends);
        length += text[length] != '\0';
        if (length == 0)
            return;
        if (length >= sizeof part) {
            html_text(out, text);
            return;
        }
        snprintf(part, sizeof part, "%.*s", (int)length, text);
        html_text(out, part);
        text += length;
        if (*text != '\0')
            fputs("<wbr/>", out);
    }
}

void html_name(FILE *out, const char *name)
{
    write_parts(out, name, "_");
}

void html_path(FILE *out, const char *path)
{
    write_parts(out, path, "/#");
}

void html_data(FILE *out, const char *media, const char *text)
{
    fprintf(out, "data:%s;charset=utf-8,", media);
    for (; *text != '\0'; text++) {
        const bool plain = strchr("-_.~:,/", *text) != NULL || (*text >= '0' && *text <= '9') ||
                           (*text >= 'A' && *text <= 'Z') || (*text >= 'a' && *text <= 'z');
        fprintf(out, plain ? "%c" : "%%%02X", (unsigned char)*text);
    }
}
