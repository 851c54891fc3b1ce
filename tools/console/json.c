#include "json.h"

#include "foreign_text.h"

#include <math.h>

/* Escapes a character as one or two units of UTF-16. */
static void escape(FILE *out, uint32_t point)
{
    if (point >= 0x10000)
        fprintf(out, "\\u%04x\\u%04x", (unsigned)(0xd7c0 + (point >> 10)),
                (unsigned)(0xdc00 + (point & 0x3ff)));
    else
        fprintf(out, "\\u%04x", (unsigned)point);
}

void json_text(FILE *out, const char *text)
{
    fputc('"', out);
    while (*text != '\0') {
        uint32_t point;
        size_t length = utf8_decode(text, UTF8_MAX, &point);
        if (length == 0)
            point = (unsigned char)*text;
        if (*text == '"' || *text == '\\')
            fprintf(out, "\\%c", *text);
        else if (length == 0 || !foreign_character_is_clean(point))
            escape(out, point);
        else
            fwrite(text, 1, length, out);
        text += length > 0 ? length : 1;
    }
    fputc('"', out);
}

void json_number(FILE *out, double number, int decimals)
{
    if (isfinite(number))
        fprintf(out, "%.*f", decimals, number);
    else
        fputs("null", out);
}
