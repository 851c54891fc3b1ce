#include "param.h"

#include <stdio.h>
#include <string.h>

int param_bits(const struct param *p)
{
    const uint64_t steps = p->max > p->min ? param_steps(p) : 0;
    int bits = 0;
    while (steps >> bits != 0)
        bits++;
    return bits;
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

int param_find(const struct param_table *table, const char *name)
{
    return param_find_from(table, name, 0);
}

void param_list_kinds(const struct param_table *const *tables, char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (const struct param_table *const *t = tables; *t != NULL && used < size; t++)
        used += (size_t)snprintf(text + used, size - used, "%s%s",
                                 used == 0      ? ""
                                 : t[1] == NULL ? " or "
                                                : ", ",
                                 (*t)->kind);
}
