#include "json.h"

#include "foreign_text.h"

#include <inttypes.h>
#include <math.h>

static void write_string(FILE *out, const char *text)
{
    fputc('"', out);
    for (size_t length; *text != '\0'; text += length > 0 ? length : 1) {
        uint32_t point;
        length = utf8_decode(text, UTF8_MAX, &point);
        point = length == 0 ? (unsigned char)*text : point;
        if (*text == '"' || *text == '\\')
            fprintf(out, "\\%c", *text);
        else if (length > 0 && foreign_character_is_clean(point))
            fwrite(text, 1, length, out);
        else if (point < 0x10000)
            fprintf(out, "\\u%04x", (unsigned)point);
        else /* two units of UTF-16 */
            fprintf(out, "\\u%04x\\u%04x", (unsigned)(0xd7c0 + (point >> 10)),
                    (unsigned)(0xdc00 + (point & 0x3ff)));
    }
    fputc('"', out);
}

/* Writes what stands before a value. */
static void name_value(struct json *j, const char *name)
{
    fputs(j->more ? "," : "", j->out);
    j->more = true;
    if (name != NULL) {
        write_string(j->out, name);
        fputc(':', j->out);
    }
}

void json_begin(struct json *j, const char *name, char bracket)
{
    name_value(j, name);
    fputs(name == NULL && j->begun ? "\n" : "", j->out);
    fputc(bracket, j->out);
    j->begun = true;
    j->more = false;
}

void json_end(struct json *j, char bracket)
{
    fputc(bracket, j->out);
    j->more = true;
}

void json_text(struct json *j, const char *name, const char *text)
{
    name_value(j, name);
    write_string(j->out, text);
}

void json_integer(struct json *j, const char *name, int64_t value)
{
    name_value(j, name);
    fprintf(j->out, "%" PRId64, value);
}

void json_null(struct json *j, const char *name)
{
    name_value(j, name);
    fputs("null", j->out);
}

void json_bool(struct json *j, const char *name, bool value)
{
    name_value(j, name);
    fputs(value ? "true" : "false", j->out);
}

void json_real(struct json *j, const char *name, double value, int decimals)
{
    if (!isfinite(value)) {
        json_null(j, name);
        return;
    }
    name_value(j, name);
    fprintf(j->out, "%.*f", decimals, value);
}
