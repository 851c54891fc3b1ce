#include "json.h"

#include "foreign_text.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>

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

/* Writes a text; null, or an empty cell, if it is NULL. */
static void write_text(const struct json *j, const char *text)
{
    if (text == NULL)
        fputs(j->csv ? "" : "null", j->out);
    else
        (j->csv ? csv_text : write_string)(j->out, text);
}

static void write_bracket(struct json *j, char bracket)
{
    if (!j->csv)
        fputc(bracket, j->out);
    else if (bracket == '}')
        fputs("\r\n", j->out);
    j->begun = true;
    j->more = !j->csv && (bracket == '}' || bracket == ']');
}

void json_put(struct json *j, const char *members, ...)
{
    va_list values;
    va_start(values, members);
    for (const char *word = members; *word != '\0'; word += strspn(word, " ")) {
        const size_t length = strcspn(word, " ");
        const char *colon = memchr(word, ':', length), kind = word[length - 1];
        if (j->more && kind != '}' && kind != ']')
            fputc(',', j->out);
        if (colon != NULL && !j->csv) {
            const char *given = *word == '*' ? va_arg(values, const char *) : NULL;
            given != NULL ? write_string(j->out, given)
                          : (void)fprintf(j->out, "\"%.*s\"", (int)(colon - word), word);
            fputc(':', j->out);
        } else if (kind == '{' && j->begun)
            fputs(j->csv ? "" : "\n", j->out);
        word += length;
        j->more = true;
        if (strchr("{}[]", kind) != NULL)
            write_bracket(j, kind);
        else if (kind == 's')
            write_text(j, va_arg(values, const char *));
        else if (kind == 'd')
            fprintf(j->out, "%d", va_arg(values, int));
        else if (kind == 'l')
            fprintf(j->out, "%" PRId64, va_arg(values, int64_t));
        else if (kind == 'b')
            fputs(va_arg(values, int) ? "true" : "false", j->out);
        else {
            const double value = va_arg(values, double);
            isfinite(value) ? (void)fprintf(j->out, "%.*f", kind - '0', value)
                            : write_text(j, NULL);
        }
    }
    va_end(values);
}

void json_rows_begin(struct json *j, const char *columns)
{
    json_put(j, "[");
    for (const char *c = columns; j->csv && *c != '\0'; c += strcspn(c, " "), c += *c == ' ')
        fprintf(j->out, "%s%.*s", c == columns ? "" : ",", (int)strcspn(c, ":"), c);
    fputs(j->csv ? "\r\n" : "", j->out);
}

void json_rows_end(struct json *j)
{
    json_put(j, "]");
    fputs(j->csv ? "" : "\n", j->out);
}
