#include "weight_places.h"

#include <stdlib.h>

static bool may_change(const struct param_table *table, int weight)
{
    return weight < table->count && table->params[weight].min < table->params[weight].max;
}

/* Whether a weight is a first one whose neighbour may change too. */
static bool begins_pair(const struct param_table *table, int weight)
{
    return weight % 2 == 0 && may_change(table, weight + 1);
}

bool weight_places_init(struct weight_places *p, const struct param_table *table)
{
    const size_t count = (size_t)table->count;
    size_t next = 0;
    p->of = calloc(count, sizeof *p->of);
    p->weight_at = calloc(2 * count + 2, sizeof *p->weight_at);
    if (p->of == NULL || p->weight_at == NULL)
        return false;
    for (int i = 0; i < table->count; i++) {
        p->of[i] = NO_PLACE;
        if (!may_change(table, i))
            continue;
        next += begins_pair(table, i) && next % 2 == 1;
        p->of[i] = (uint16_t)next;
        p->weight_at[next++] = (uint16_t)i;
    }
    p->columns = (next + 1) / 2;
    return true;
}

void weight_places_free(struct weight_places *p)
{
    free(p->of);
    free(p->weight_at);
    *p = (struct weight_places){.of = NULL};
}
