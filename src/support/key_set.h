/* A set of 64-bit keys, as those of positions are. */
#ifndef GRAYLING_KEY_SET_H
#define GRAYLING_KEY_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Owned by the caller; a zeroed one is empty and ready. 0 and 1 count as the same key. */
struct key_set {
    uint64_t *slots; /* owned: open addressing, at most half full; 0 where free */
    size_t count, capacity;
};

bool key_set_has(const struct key_set *set, uint64_t key);

/* Adds a key, which may be there already; false only when there is no memory. */
bool key_set_add(struct key_set *set, uint64_t key);

void key_set_free(struct key_set *set);

#endif
