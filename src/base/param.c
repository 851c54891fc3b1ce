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

int param_find(const struct param_table *table, const char *name)
{
    for (int i = 0; i < table->count; i++)
        if (strcmp(table->params[i].name, name) == 0)
            return i;
    return -1;
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
