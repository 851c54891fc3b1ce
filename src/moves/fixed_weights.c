#include "fixed_weights.h"

#include <stdlib.h>

bool fixed_weights_init(struct fixed_weights *f, const struct param_table *table,
                        const struct weight_places *places)
{
    const size_t count = (size_t)table->count;
    f->places = places;
    f->values = calloc(count, sizeof *f->values);
    f->items = calloc(count + 1, sizeof *f->items); /* fold writes before it decides */
    if (f->values == NULL || f->items == NULL)
        return false;
    for (size_t i = 0; i < count; i++)
        if (places->of[i] == NO_PLACE)
            f->values[i] = table->params[i].min;
    return true;
}

void fixed_weights_free(struct fixed_weights *f)
{
    free(f->values);
    free(f->items);
}

int64_t fixed_weights_fold(struct fixed_weights *f, const struct leaf_counts *leaf,
                           struct leaf_counts *rest)
{
    int64_t sum = 0;
    int count = 0;
    for (int i = 0; i < leaf->count; i++) {
        const struct weight_count item = leaf->items[i];
        sum += (int64_t)f->values[item.weight] * item.count;
        f->items[count] = item;
        count += f->places->of[item.weight] != NO_PLACE;
    }
    *rest = (struct leaf_counts){.bias = leaf->bias, .count = count, .items = f->items};
    return sum;
}
