#include "param.h"

#include "foreign_text.h"
#include "parse.h"
#include "text_stream.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int param_bits(const struct param *p)
{
    const uint64_t steps = p->max > p->min ? param_steps(p) : 0;
    int bits = 0;
    while (steps >> bits != 0)
        bits++;
    return bits;
}

uint32_t param_nearest(const struct param *p, double x)
{
    const uint32_t steps = (uint32_t)llround((x - p->min) / param_step(p));
    return steps < param_steps(p) ? steps : param_steps(p);
}

int param_find_from(const struct param_table *table, const char *name, int at)
{
    for (int i = 0; i < table->count; i++) {
        const int index = (at + i) % table->count;
        if (strcmp(table->params[index].name, name) == 0)
            return index;
    }
    return -1;
}

void param_list_kinds(const struct param_table *const *tables, char *text, size_t size)
{
    text[0] = '\0';
    for (const struct param_table *const *t = tables; *t != NULL; t++)
        text_add(text, size, "%s%s", t == tables ? "" : t[1] == NULL ? " or " : ", ", (*t)->kind);
}

/* -- values as other engines read them */

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

/* -- parameters that others leave without effect */

/* LEFT >= RIGHT. The left side is the name of a parameter, the right side a name or a number. */
struct comparison {
    char left[64], right[64];
};

static bool is_at_end(const char *condition)
{
    return condition == NULL || *condition == '\0';
}

/* Reads the comparison at `*rest` and advances `*rest` to the next. Returns false if there is none, or
 * something else follows it. */
static bool read_comparison(const char **rest, struct comparison *c)
{
    int end = 0, next = 0;
    if (sscanf(*rest, "%63s >= %63s%n && %n", c->left, c->right, &end, &next) != 2)
        return false;
    *rest += next > 0 ? next : end;
    return (next > 0) != is_at_end(*rest);
}

/* True if a text is a condition, or empty or NULL: always active. */
static bool is_condition(const char *condition)
{
    struct comparison c;
    while (!is_at_end(condition))
        if (!read_comparison(&condition, &c))
            return false;
    return true;
}

/* -- rows from outside */

bool param_is_text(const char *text, size_t length)
{
    char line[PARAM_TEXT];
    if (length >= sizeof line)
        return false;
    memcpy(line, text, length);
    line[length] = '\0';
    return foreign_text_is_clean(line);
}

/* True if every choice is such a text and ends with a newline. */
static bool are_choices(const char *choices)
{
    for (size_t length; *choices != '\0'; choices += length + 1) {
        length = strcspn(choices, "\n");
        if (choices[length] != '\n' || !param_is_text(choices, length))
            return false;
    }
    return true;
}

bool param_check(const struct param *p, struct error *err)
{
    enum { DECIMALS = 9 };
    if (p->name[0] == '\0' || !param_is_text(p->name, strlen(p->name)))
        return error_set(err, "its name is no text of one line");
    if (!foreign_text_is_clean(p->meaning))
        return error_set(err, "%s: its meaning is no text of one line", p->name);
    if (p->choices != NULL && !are_choices(p->choices))
        return error_set(err, "%s: its choices are not texts of a line each", p->name);
    if (!is_condition(p->active_if))
        return error_set(err, "%s: '%.60s' is no condition; those are NAME >= NUMBER, joined by &&",
                         p->name, p->active_if);
    if ((int)p->type < 0 || p->type >= PARAM_TYPES)
        return error_set(err, "%s: type %d is not known", p->name, (int)p->type);
    if (p->decimals < 0 || p->decimals > DECIMALS)
        return error_set(err, "%s: %d decimals", p->name, p->decimals);
    return p->step >= 0 || error_set(err, "%s: a step of %d", p->name, p->step);
}

int inactive_by(const struct param_table *table, const int32_t *values, int param)
{
    const char *rest = table->params[param].active_if;
    struct comparison c;
    assert(is_condition(rest));
    while (!is_at_end(rest) && read_comparison(&rest, &c)) {
        const int left = param_find(table, c.left), right = param_find(table, c.right);
        char *end;
        const int32_t number = (int32_t)strtol(c.right, &end, 10);
        if (left >= 0 && (right >= 0 || *end == '\0') &&
            values[left] < (right >= 0 ? values[right] : number))
            return left;
    }
    return -1;
}
