#include "uci_values.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Makes room for one more value. */
static bool reserve(struct uci_values *v)
{
    size_t count = (size_t)v->count + 1;
    struct uci_value *items = realloc(v->items, count * sizeof *items);
    if (items == NULL)
        return false;
    v->items = items;
    char **texts = realloc(v->texts, 2 * count * sizeof *texts);
    if (texts == NULL)
        return false;
    v->texts = texts;
    return true;
}

bool uci_values_add(struct uci_values *v, const char *name, size_t name_length, const char *value,
                    size_t value_length)
{
    if (!reserve(v))
        return false;
    char **texts = v->texts + 2 * (ptrdiff_t)v->count;
    texts[0] = strndup(name, name_length);
    texts[1] = strndup(value, value_length);
    v->items[v->count++] = (struct uci_value){texts[0], texts[1]};
    return texts[0] != NULL && texts[1] != NULL;
}

int uci_values_find(const struct uci_value *values, int count, const char *name)
{
    for (int i = 0; i < count; i++)
        if (strcasecmp(values[i].name, name) == 0)
            return i;
    return -1;
}

void uci_values_free(struct uci_values *v)
{
    for (int i = 0; i < 2 * v->count; i++)
        free(v->texts[i]);
    free(v->texts);
    free(v->items);
    *v = (struct uci_values){0};
}
