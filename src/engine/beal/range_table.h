/* The table of generalised quiescence: what is known of positions, by their keys.
 *
 * An entry has two halves. The reliable range is a fact about the position (beal.h): it holds at
 * whatever depth the position is met again, and only narrows. The value is unreliable: it is what a
 * search to so many plies returned. Mates count from the position itself, so that an entry means
 * the same at every ply.
 *
 * A table belongs to one searcher. An entry of another epoch is an empty slot in every respect. */
#ifndef GRAYLING_RANGE_TABLE_H
#define GRAYLING_RANGE_TABLE_H

#include "engine.h"
#include "fat_value.h"

#include <stddef.h>

struct range_slot;

struct range_table {
    struct range_slot *slots;
    size_t count;   /* of slots, a multiple of a bucket's */
    uint16_t epoch; /* 1 and more; 0 marks slots that were never used */
};

/* What is known of a position. Of one that is not found, nothing: the widest range, no move. */
struct range_entry {
    struct fat_value fat;
    enum bound bound; /* what fat.value is of the depth's search; BOUND_NONE: there is no value */
    int depth;        /* plies that fat.value was searched to, 0 to MAX_DEPTH */
    Move move;        /* the best or refuting move, or NO_MOVE; legal unless keys collide */
};

bool range_table_create(struct range_table *t, int mib, struct error *err);
void range_table_destroy(struct range_table *t);

/* Makes the table empty. */
void range_table_clear(struct range_table *t);

/* Looks a position up, `ply` plies from the root. */
struct range_entry range_table_probe(const struct range_table *t, uint64_t key, int ply);

/* Keeps an entry: in the slot of the same position, else in the least deep of a bucket. */
void range_table_store(struct range_table *t, uint64_t key, int ply, const struct range_entry *e);

#endif
