#include "param.h"
#include "parse.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Finds the text of choice `index`; its length, or -1 if there is no such choice. */
static int find_choice(const char *choices, int32_t index, const char **text)
{
    *text = choices;
    for (; index > 0 && **text != '\0'; index--)
        *text += strcspn(*text, "\n") + 1;
    return index < 0 || **text == '\0' ? -1 : (int)strcspn(*text, "\n");
}

const char *param_value_text(const struct param *p, int32_t value, char text[PARAM_TEXT])
{
    const char *choice = "";
    int length = p->choices == NULL ? -1 : find_choice(p->choices, value, &choice);
    if (p->type == PARAM_CHECK)
        snprintf(text, PARAM_TEXT, "%s", value != 0 ? "true" : "false");
    else if (length >= 0)
        snprintf(text, PARAM_TEXT, "%.*s", length, choice);
    else
        snprintf(text, PARAM_TEXT, "%.*f", p->decimals, value / pow(10, p->decimals));
    return text;
}

/* Parses one of the choices. */
static bool parse_choice(const char *choices, const char *text, int32_t *value)
{
    const char *choice;
    for (int32_t i = 0; find_choice(choices, i, &choice) >= 0; i++)
        if (strlen(text) == strcspn(choice, "\n") && strncmp(choice, text, strlen(text)) == 0) {
            *value = i;
            return true;
        }
    return false;
}

/* Parses digits with at most `decimals` of them after a point, as a scaled whole number. */
static bool parse_decimal(const struct param *p, const char *text, int32_t *value)
{
    char digits[32];
    int64_t number;
    const size_t whole = strcspn(text, ".");
    const char *fraction = text[whole] == '.' ? text + whole + 1 : "";
    const int given = (int)strlen(fraction);
    if (whole == 0 || whole + (size_t)p->decimals >= sizeof digits || given > p->decimals ||
        strspn(fraction, "0123456789") != (size_t)given || (text[whole] == '.' && given == 0))
        return false;
    snprintf(digits, sizeof digits, "%.*s%s%0*d", (int)whole, text, fraction, p->decimals - given,
             0);
    digits[whole + (size_t)p->decimals] = '\0';
    if (!parse_int64(digits, &number) || number < INT32_MIN || number > INT32_MAX)
        return false;
    *value = (int32_t)number;
    return true;
}

bool param_parse_value(const struct param *p, const char *text, int32_t *value)
{
    if (p->type == PARAM_CHECK) {
        *value = strcmp(text, "true") == 0;
        return *value != 0 || strcmp(text, "false") == 0;
    }
    if (p->choices != NULL)
        return parse_choice(p->choices, text, value);
    return parse_decimal(p, text, value);
}
