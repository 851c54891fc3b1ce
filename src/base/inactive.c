#include "inactive.h"

#include <assert.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

/* LEFT >= RIGHT. The left side is the name of a parameter, the right side a name or a number. */
struct comparison {
    char left[64], right[64];
};

/* Reads the comparison at `*rest` and advances `*rest` to the next. Returns false at the end. */
static bool next_comparison(const char **rest, struct comparison *c)
{
    int end = 0, next = 0;
    if (*rest == NULL || **rest == '\0')
        return false;
    bool read = sscanf(*rest, "%63s >= %63s%n && %n", c->left, c->right, &end, &next) == 2;
    assert(read && "a condition must be comparisons with >=, joined by &&");
    *rest += next > 0 ? next : end;
    return read;
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
    while (next_comparison(&rest, &c)) {
        int left = param_find(table, c.left);
        int32_t least;
        if (left >= 0 && value_of(table, values, c.right, &least) && values[left] < least)
            return left;
    }
    return -1;
}
