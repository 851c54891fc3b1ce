#include "inactive.h"

#include <assert.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

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

bool inactive_is_condition(const char *condition)
{
    struct comparison c;
    while (!is_at_end(condition))
        if (!read_comparison(&condition, &c))
            return false;
    return true;
}

/* Evaluates a name or a number. Returns false if the table does not contain the name. */
static bool value_of(const struct param_table *table, const int32_t *values, const char *word,
                     int32_t *value)
{
    char *end;
    int index = param_find(table, word);
    *value = index >= 0 ? values[index] : (int32_t)strtol(word, &end, 10);
    return index >= 0 || *end == '\0';
}

int inactive_by(const struct param_table *table, const int32_t *values, int param)
{
    const char *rest = table->params[param].active_if;
    struct comparison c;
    assert(inactive_is_condition(rest));
    while (!is_at_end(rest) && read_comparison(&rest, &c)) {
        int left = param_find(table, c.left);
        int32_t least;
        if (left >= 0 && value_of(table, values, c.right, &least) && values[left] < least)
            return left;
    }
    return -1;
}
