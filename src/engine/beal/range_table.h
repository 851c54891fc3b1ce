/* The table of generalised quiescence: what is known about positions, by their keys.
 *
 * An entry has two parts. The reliable range is a fact about the position (beal.h): it holds at any
 * depth and only narrows. The value is unreliable: it is the result of a search to the stored
 * depth. Mate scores count from the position itself, so that an entry is valid at every ply.
 *
 * A table belongs to one searcher. An entry of another epoch counts as an empty slot. */
#ifndef GRAYLING_RANGE_TABLE_H
#define GRAYLING_RANGE_TABLE_H

#include "engine.h"
#include "fat_value.h"

#include <stddef.h>

struct range_slot;

struct range_table {
    struct range_slot *slots;
    size_t count;   /* number of slots, a multiple of the bucket size */
    uint16_t epoch; /* 1 or more; 0 marks slots never used */
};

/* What is known about a position. If it is not in the table: the widest range and no move. */
struct range_entry {
    struct fat_value fat;
    enum bound bound; /* relation of fat.value to the exact value; BOUND_NONE: no value */
    int depth;        /* depth of fat.value in plies, 0 to MAX_DEPTH */
    Move move;        /* the best or refuting move, or NO_MOVE; legal unless keys collide */
};

bool range_table_create(struct range_table *t, int mib, struct error *err);
void range_table_destroy(struct range_table *t);

/* Empties the table. */
void range_table_clear(struct range_table *t);

/* Looks up a position `ply` plies from the root. */
struct range_entry range_table_probe(const struct range_table *t, uint64_t key, int ply);

/* Stores an entry in the slot of the same position, else in the shallowest slot of the bucket. */
void range_table_store(struct range_table *t, uint64_t key, int ply, const struct range_entry *e);

#endif
