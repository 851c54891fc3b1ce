#include "json.h"

#include <math.h>
#include <stdbool.h>

/* The length in bytes of the UTF-8 character at `text`; 0 if it is not well-formed. */
static int utf8_length(const unsigned char *text)
{
    int length = text[0] < 0x80                       ? 1
                 : text[0] >= 0xc2 && text[0] < 0xe0  ? 2
                 : text[0] >= 0xe0 && text[0] < 0xf0  ? 3
                 : text[0] >= 0xf0 && text[0] <= 0xf4 ? 4
                                                      : 0;
    for (int i = 1; i < length; i++)
        if ((text[i] & 0xc0) != 0x80)
            return 0;
    bool overlong = (text[0] == 0xe0 && text[1] < 0xa0) || (text[0] == 0xf0 && text[1] < 0x90);
    bool beyond = (text[0] == 0xed && text[1] >= 0xa0) || (text[0] == 0xf4 && text[1] >= 0x90);
    return overlong || beyond ? 0 : length;
}

void json_text(FILE *out, const char *text)
{
    fputc('"', out);
    for (const unsigned char *c = (const unsigned char *)text; *c != '\0';) {
        int length = utf8_length(c);
        if (*c == '"' || *c == '\\')
            fprintf(out, "\\%c", *c);
        else if (*c < ' ' || length == 0)
            fprintf(out, "\\u%04x", *c);
        else
            fwrite(c, 1, (size_t)length, out);
        c += length > 0 ? length : 1;
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
