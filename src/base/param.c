#include "param.h"

#include <string.h>

int param_find(const struct param_table *table, const char *name)
{
    for (int i = 0; i < table->count; i++)
        if (strcmp(table->params[i].name, name) == 0)
            return i;
    return -1;
}
