#include "key_set.h"

#include <stdlib.h>

/* Returns the slot that holds the key or is free for it. */
static uint64_t *find_slot(const struct key_set *set, uint64_t key)
{
    size_t i = key * UINT64_C(0x9e3779b97f4a7c15) >> 20;
    while (set->slots[i & (set->capacity - 1)] != 0 && set->slots[i & (set->capacity - 1)] != key)
        i++;
    return &set->slots[i & (set->capacity - 1)];
}

bool key_set_has(const struct key_set *set, uint64_t key)
{
    return set->capacity > 0 && *find_slot(set, key + (key == 0)) != 0;
}

static bool grow(struct key_set *set)
{
    struct key_set larger = {.capacity = set->capacity > 0 ? 2 * set->capacity : 1024};
    larger.slots = calloc(larger.capacity, sizeof *larger.slots);
    if (larger.slots == NULL)
        return false;
    for (size_t i = 0; i < set->capacity; i++)
        if (set->slots[i] != 0)
            *find_slot(&larger, set->slots[i]) = set->slots[i];
    larger.count = set->count;
    free(set->slots);
    *set = larger;
    return true;
}

bool key_set_add(struct key_set *set, uint64_t key)
{
    if (2 * (set->count + 1) > set->capacity && !grow(set))
        return false;
    uint64_t *slot = find_slot(set, key + (key == 0));
    set->count += *slot == 0;
    *slot = key + (key == 0);
    return true;
}

void key_set_free(struct key_set *set)
{
    free(set->slots);
    *set = (struct key_set){0};
}
