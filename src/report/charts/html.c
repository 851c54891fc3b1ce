#include "html.h"

#include <stdarg.h>
#include <string.h>

#define REPLACEMENT "\xef\xbf\xbd" /* U+FFFD */

/* True if a byte is in [low, high]. */
static int in(unsigned char byte, int low, int high)
{
    return low <= byte && byte <= high;
}

/* The length of the UTF-8 sequence at `text`; 0 if it is invalid (Unicode, table 3-7). */
static size_t sequence(const unsigned char *s)
{
    if (s[0] < 0x80)
        return 1;
    if (in(s[0], 0xc2, 0xdf))
        return in(s[1], 0x80, 0xbf) ? 2 : 0;
    if (in(s[0], 0xe0, 0xef))
        return in(s[1], s[0] == 0xe0 ? 0xa0 : 0x80, s[0] == 0xed ? 0x9f : 0xbf) &&
                       in(s[2], 0x80, 0xbf)
                   ? 3
                   : 0;
    return in(s[0], 0xf0, 0xf4) &&
                   in(s[1], s[0] == 0xf0 ? 0x90 : 0x80, s[0] == 0xf4 ? 0x8f : 0xbf) &&
                   in(s[2], 0x80, 0xbf) && in(s[3], 0x80, 0xbf)
               ? 4
               : 0;
}

/* The escape of a byte; NULL if it needs none. */
static const char *replacement(unsigned char byte)
{
    switch (byte) {
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
        return byte < 0x20 || byte == 0x7f ? REPLACEMENT : NULL;
    }
}

void html_text(FILE *out, const char *text)
{
    const unsigned char *s = (const unsigned char *)text;
    while (*s != '\0') {
        size_t length = sequence(s);
        const char *other = length == 0 ? REPLACEMENT : length == 1 ? replacement(*s) : NULL;
        if (other != NULL)
            fputs(other, out);
        else
            fwrite(s, 1, length, out);
        s += length > 0 ? length : 1;
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
