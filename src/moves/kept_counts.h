/* The counts of the latest leaves, from which the next leaf differs least: how sparse leaves get their
 * terms (replay.h). For this room alone. */
#ifndef GRAYLING_KEPT_COUNTS_H
#define GRAYLING_KEPT_COUNTS_H

#include "leaf_counts.h"
#include "replay.h"
#include "weight_places.h"

/* A row holds the counts of one leaf: a word for each column, a pair of 16-bit counts. Owned by its
 * worker between init and free. All zero is empty. */
struct kept_counts {
    const struct weight_places *places; /* borrowed */
    size_t columns;               /* those of the places, and some to compare STRIDE at once */
    uint32_t *rows[SPARSE_SLOTS]; /* of the latest leaf in each slot; rows[0] has no counts */
    bool used[SPARSE_SLOTS];      /* since the position began */
    uint32_t *next;               /* of the leaf that is added */
    uint32_t *memory;             /* of all rows */
    struct sparse_term *terms;    /* of the last leaf: `count` of them */
    int count;
};

bool kept_counts_init(struct kept_counts *k, const struct weight_places *places);
void kept_counts_free(struct kept_counts *k);

/* Forgets the leaves of the position before. */
void kept_counts_begin(struct kept_counts *k);

/* Writes the terms of a leaf that is kept in slot `to`, as the difference from a kept leaf: that of `to`, of
 * the slot before it, or 0 (the empty leaf). The first of them that differs in at most a quarter of the
 * leaf's columns will do; else it is the most similar one. Returns its slot. */
int kept_counts_add(struct kept_counts *k, const struct leaf_counts *leaf, int to);

#endif
