/* The counts of constant weights become part of a leaf's bias, so that a set has only the weights that
 * may change. For this room alone. */
#ifndef GRAYLING_FIXED_WEIGHTS_H
#define GRAYLING_FIXED_WEIGHTS_H

#include "leaf_counts.h"
#include "weight_places.h"

/* Owned by its worker between init and free. All zero is empty. */
struct fixed_weights {
    const struct weight_places *places; /* borrowed */
    int32_t *values;                    /* of constant weights, by weight; those of others are 0 */
    struct weight_count *items;         /* of the last leaf: those of weights that may change */
};

/* False if memory is short. */
bool fixed_weights_init(struct fixed_weights *f, const struct param_table *table,
                        const struct weight_places *places);
void fixed_weights_free(struct fixed_weights *f);

/* Writes to `rest` the counts of the weights that may change, owned by `f` until the next call. Returns
 * the sum of the others, which belongs to scale * score. */
int64_t fixed_weights_fold(struct fixed_weights *f, const struct leaf_counts *leaf,
                           struct leaf_counts *rest);

#endif
