#include "default_params.h"

#include <string.h>

/* Writes the default search as values of a table. False if the table has no words for it. */
static bool write_search(const struct param_table *table, int32_t *values)
{
    for (int i = 0; i < table->count; i++)
        values[i] = default_search.value[param_find(&search_all_table, table->params[i].name)];
    const struct search_params again = search_params_from(table, values);
    return memcmp(&again, &default_search, sizeof again) == 0;
}

const struct param_table *default_values(const struct param_table *space,
                                         int32_t values[VALUES_MAX])
{
    const struct param_table *table = search_table_of_kind(space->kind);
    if (table == NULL) {
        memcpy(values, default_weights.value, sizeof default_weights.value);
        return &eval_table;
    }
    for (int i = 0; !write_search(table, values); i++)
        table = search_tables[i];
    return table;
}
