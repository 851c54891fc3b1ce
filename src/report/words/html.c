#include "html.h"

#include "foreign_text.h"

#include <ctype.h>
#include <inttypes.h>
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

/* Writes so many bytes of a text, or all of it if it has fewer. */
static void write_text(FILE *out, const char *text, size_t most)
{
    for (const char *at = text; *at != '\0' && (size_t)(at - text) < most;) {
        uint32_t point;
        size_t length = utf8_decode(at, UTF8_MAX, &point);
        const char *other = length == 0 ? REPLACEMENT : replacement(point);
        if (other != NULL)
            fputs(other, out);
        else
            fwrite(at, 1, length, out);
        at += length > 0 ? length : 1;
    }
}

void html_text(FILE *out, const char *text)
{
    write_text(out, text, SIZE_MAX);
}

void html_print(FILE *out, const char *markup, ...)
{
    va_list args;
    va_start(args, markup);
    for (;;) {
        const size_t plain = strcspn(markup, "%");
        int precision = -1;
        bool wide = false;
        fwrite(markup, 1, plain, out);
        markup += plain;
        if (*markup == '\0')
            break;
        for (markup++;
             *markup == '.' || *markup == '*' || *markup == 'l' || isdigit((unsigned char)*markup);
             markup++) {
            wide = wide || *markup == 'l';
            if (*markup == '*')
                precision = va_arg(args, int);
            else if (isdigit((unsigned char)*markup))
                precision = 10 * (precision < 0 ? 0 : precision) + *markup - '0';
        }
        switch (*markup++) {
        case 's':
            write_text(out, va_arg(args, const char *),
                       precision < 0 ? SIZE_MAX : (size_t)precision);
            break;
        case 'd':
            fprintf(out, "%" PRId64, wide ? va_arg(args, int64_t) : va_arg(args, int));
            break;
        case 'u':
            fprintf(out, "%" PRIu64, wide ? va_arg(args, uint64_t) : va_arg(args, unsigned));
            break;
        case 'f':
            fprintf(out, "%.*f", precision, va_arg(args, double));
            break;
        case 'g':
            fprintf(out, "%.*g", precision, va_arg(args, double));
            break;
        default:
            putc('%', out);
        }
    }
    va_end(args);
}

/* Writes text; the line may break after each of these bytes. */
static void write_parts(FILE *out, const char *text, const char *ends)
{
    while (*text != '\0') {
        const size_t length = strcspn(text, ends), whole = length + (text[length] != '\0');
        write_text(out, text, whole);
        text += whole;
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
        const bool plain = strchr("-_.~:,/", *text) != NULL || isalnum((unsigned char)*text);
        fprintf(out, plain ? "%c" : "%%%02X", (unsigned char)*text);
    }
}

void html_table(FILE *out, const char *css, const char *caption, ...)
{
    va_list columns;
    fprintf(out, "<div class=\"scroll\" tabindex=\"0\"><table class=\"%s\">\n", css);
    if (caption[0] != '\0')
        html_print(out, "<caption>%s</caption>\n", caption);
    fputs("<thead><tr>", out);
    va_start(columns, caption);
    for (const char *name; (name = va_arg(columns, const char *)) != NULL;)
        if (name[0] != '\0')
            fprintf(out, "<th scope=\"col\"%s>%s</th>", name[0] == '|' ? " class=\"words\"" : "",
                    name + (name[0] == '|'));
    va_end(columns);
    fputs("</tr></thead>\n<tbody>\n", out);
}

void html_table_end(FILE *out)
{
    fputs("</tbody></table></div>\n", out);
}
