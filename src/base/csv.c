#include "csv.h"

#include "foreign_text.h"
#include "parse.h"

#include <stdbool.h>
#include <string.h>

/* True if a spreadsheet takes a text for a formula. */
static bool is_formula(const char *text)
{
    double number;
    text += strspn(text, " ");
    return text[0] != '\0' && strchr("=+-@", text[0]) != NULL && !parse_double(text, &number);
}

void csv_text(FILE *out, const char *text)
{
    const char *shown = shown_text(text);
    const bool formula = is_formula(shown),
               quoted = formula || strpbrk(shown, "\",") != NULL || shown[0] == ' ';
    fputs(quoted ? "\"" : "", out);
    fputs(formula ? "'" : "", out);
    for (; *shown != '\0'; shown++) {
        if (*shown == '"')
            fputc('"', out);
        fputc(*shown, out);
    }
    fputs(quoted ? "\"" : "", out);
}

char *csv_text_read(char *field)
{
    return field[0] == '\'' && is_formula(field + 1) ? field + 1 : field;
}
