#include "fixed_weights.h"

#include <stdlib.h>

bool fixed_weights_init(struct fixed_weights *f, const struct param_table *table)
{
    f->table = table;
    f->items = calloc((size_t)table->count, sizeof *f->items);
    return f->items != NULL;
}

void fixed_weights_free(struct fixed_weights *f)
{
    free(f->items);
}

int64_t fixed_weights_fold(struct fixed_weights *f, const struct leaf_counts *leaf,
                           struct leaf_counts *rest)
{
    int64_t sum = 0;
    int count = 0;
    for (int i = 0; i < leaf->count; i++) {
        const struct param *p = &f->table->params[leaf->items[i].weight];
        if (p->min == p->max)
            sum += (int64_t)p->min * leaf->items[i].count;
        else
            f->items[count++] = leaf->items[i];
    }
    *rest = (struct leaf_counts){.bias = leaf->bias, .count = count, .items = f->items};
    return sum;
}
