/* Where a sparse set keeps the weights that may change: two places in each column (replay.h), for a term's
 * weights of the middlegame and the endgame if both may change, else for any two. A space of 400 weights
 * out of thousands is thus a short row, whatever the evaluation. For this room alone. */
#ifndef GRAYLING_WEIGHT_PLACES_H
#define GRAYLING_WEIGHT_PLACES_H

#include "param.h"

#include <stdbool.h>
#include <stddef.h>

/* The place of a constant weight. */
enum { NO_PLACE = UINT16_MAX };

/* Owned between init and free. All zero is empty. */
struct weight_places {
    size_t columns;      /* place p is half p % 2 of column p / 2 */
    uint16_t *of;        /* by weight */
    uint16_t *weight_at; /* by place; an empty place has any weight, and no counts */
};

/* False if memory is short. */
bool weight_places_init(struct weight_places *p, const struct param_table *table);
void weight_places_free(struct weight_places *p);

#endif
