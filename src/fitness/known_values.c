#include "known_values.h"

#include "param.h"

#include <stdlib.h>
#include <string.h>

bool known_values_alike(const struct param_table *table, const int32_t *a, const int32_t *b)
{
    for (int i = 0; i < table->count; i++)
        if (a[i] != b[i] && inactive_by(table, a, i) < 0)
            return false;
    return true;
}

int64_t known_values_find(const struct known_values *k, const struct param_table *table,
                          const int32_t *values)
{
    for (size_t i = 0; i < k->count; i++)
        if (known_values_alike(table, k->values + i * (size_t)table->count, values))
            return k->measure[i];
    return -1;
}

/* Makes room for one more row. */
static bool grow(struct known_values *k, size_t genes)
{
    size_t room = k->room == 0 ? 16 : 2 * k->room;
    if (k->count < k->room)
        return true;
    int32_t *values = realloc(k->values, room * genes * sizeof *values);
    if (values != NULL)
        k->values = values;
    int64_t *measure = realloc(k->measure, room * sizeof *measure);
    if (measure != NULL)
        k->measure = measure;
    if (values == NULL || measure == NULL)
        return false;
    k->room = room;
    return true;
}

void known_values_add(struct known_values *k, const struct param_table *table,
                      const int32_t *values, int64_t measure)
{
    const size_t genes = (size_t)table->count;
    if (!grow(k, genes))
        return;
    memcpy(k->values + k->count * genes, values, genes * sizeof *values);
    k->measure[k->count++] = measure;
}

void known_values_free(struct known_values *k)
{
    free(k->values);
    free(k->measure);
    *k = (struct known_values){0};
}
