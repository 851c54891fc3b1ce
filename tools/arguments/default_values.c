#include "default_params.h"

#include <stdlib.h>
#include <string.h>

bool default_book_read(struct book *b, struct error *err)
{
    *b = (struct book){.items = calloc(default_opening_count, sizeof *b->items)};
    if (b->items == NULL)
        return error_set(err, "no memory for %zu openings", default_opening_count);
    for (; b->count < default_opening_count; b->count++)
        if (!position_from_fen(&b->items[b->count].start, default_openings[b->count], NULL, err)) {
            book_free(b);
            return false;
        }
    return true;
}

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
