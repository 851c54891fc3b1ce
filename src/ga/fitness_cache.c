#include "fitness_cache.h"

#include <stdlib.h>
#include <string.h>

/* Mixes all words of a chromosome (the multiply and shift of SplitMix64). */
static uint64_t hash(const struct chromosome *c)
{
    uint64_t h = 0;
    for (int i = 0; i < CHROMOSOME_WORDS; i++) {
        h = (h ^ c->words[i]) * 0x9e3779b97f4a7c15u;
        h ^= h >> 29;
    }
    return h;
}

/* The slot that holds `c`, or the free one where it belongs. */
static size_t find_slot(const struct fitness_cache *m, const struct chromosome *c)
{
    size_t slot = (size_t)hash(c) & (m->slot_count - 1);
    while (m->slots[slot] != 0 && !chromosome_equal(&m->entries[m->slots[slot] - 1].chromosome, c))
        slot = (slot + 1) & (m->slot_count - 1);
    return slot;
}

/* Empties the slots and enters every genome again. */
static void enter_all(struct fitness_cache *m)
{
    memset(m->slots, 0, m->slot_count * sizeof *m->slots);
    for (size_t id = 0; id < m->count; id++)
        m->slots[find_slot(m, &m->entries[id].chromosome)] = id + 1;
}

/* Room for twice as many genomes. */
static bool grow(struct fitness_cache *m)
{
    size_t capacity = m->capacity == 0 ? 256 : 2 * m->capacity;
    struct measured *entries = realloc(m->entries, capacity * sizeof *entries);
    if (entries == NULL)
        return false;
    m->entries = entries;
    size_t *slots = malloc(2 * capacity * sizeof *slots);
    if (slots == NULL)
        return false;
    free(m->slots);
    m->slots = slots;
    m->slot_count = 2 * capacity;
    m->capacity = capacity;
    enter_all(m);
    return true;
}

int64_t fitness_cache_find(const struct fitness_cache *m, const struct chromosome *c)
{
    if (m->slot_count == 0)
        return NOT_MEASURED;
    return (int64_t)m->slots[find_slot(m, c)] - 1;
}

int64_t fitness_cache_add(struct fitness_cache *m, const struct chromosome *c, int64_t measure,
                          int64_t held_out)
{
    if (m->count == m->capacity && !grow(m))
        return NOT_MEASURED;
    m->entries[m->count] = (struct measured){*c, measure, held_out};
    m->slots[find_slot(m, c)] = m->count + 1;
    return (int64_t)m->count++;
}

void fitness_cache_free(struct fitness_cache *m)
{
    free(m->entries);
    free(m->slots);
    *m = (struct fitness_cache){0};
}
