/* A set of 64-bit keys, such as the hash keys of positions. */
#ifndef GRAYLING_KEY_SET_H
#define GRAYLING_KEY_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Owned by the caller. A zeroed set is valid and empty. The keys 0 and 1 are not distinguished. */
struct key_set {
    uint64_t *slots; /* owned: open addressing, at most half full; 0: free */
    size_t count, capacity;
};

/* True if the set contains the key. */
bool key_set_has(const struct key_set *set, uint64_t key);

/* Adds a key, which may already be in the set. Returns false only if there is no memory. */
bool key_set_add(struct key_set *set, uint64_t key);

/* Releases the slots and leaves an empty set. */
void key_set_free(struct key_set *set);

#endif
