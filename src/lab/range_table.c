#include "beal_tree.h"

#include "wide.h"

#include <stdlib.h>
#include <string.h>

/* Two slots fill a cache line. */
struct range_slot {
    uint64_t key;
    int32_t lower, value, upper;
    Move move;
    uint16_t epoch;
    uint8_t depth, bound;
};

enum { BUCKET = 4 };

/* ---- life cycle ---- */

bool range_table_create(struct range_table *t, int mib, struct error *err)
{
    size_t bytes = (size_t)mib << 20;
    struct range_slot *slots = calloc(1, bytes);
    if (slots == NULL)
        return error_set(err, "no memory for a table of ranges of %d MiB", mib);
    *t = (struct range_table){
        .slots = slots, .count = bytes / sizeof *slots / BUCKET * BUCKET, .epoch = 1};
    return true;
}

void range_table_destroy(struct range_table *t)
{
    free(t->slots);
    t->slots = NULL;
}

/* When the epoch counter wraps, clears the table and restarts at 1. */
void range_table_clear(struct range_table *t)
{
    if (++t->epoch != 0)
        return;
    memset(t->slots, 0, t->count * sizeof *t->slots);
    t->epoch = 1;
}

/* ---- mate scores: counted from the root in the search, from the position in the table ---- */

/* Shifts a mate score by `plies`; leaves other values, infinite ones too, unchanged. */
static int32_t shift_mate(int32_t value, int plies)
{
    if (value > EVAL_LIMIT && value < INFINITE_SCORE)
        return value - plies;
    if (value < -EVAL_LIMIT && value > -INFINITE_SCORE)
        return value + plies;
    return value;
}

/* ---- use ---- */

static struct range_slot *bucket_of(const struct range_table *t, uint64_t key)
{
    return &t->slots[(size_t)wide_product(key, t->count / BUCKET).high * BUCKET];
}

static bool holds(const struct range_table *t, const struct range_slot *s, uint64_t key)
{
    return s->epoch == t->epoch && s->key == key;
}

struct range_entry range_table_probe(const struct range_table *t, uint64_t key, int ply)
{
    const struct range_slot *s = bucket_of(t, key);
    for (int i = 0; i < BUCKET; i++, s++)
        if (holds(t, s, key))
            return (struct range_entry){.fat = {.lower = shift_mate(s->lower, ply),
                                                .value = shift_mate(s->value, ply),
                                                .upper = shift_mate(s->upper, ply)},
                                        .bound = (enum bound)s->bound,
                                        .depth = s->depth,
                                        .move = s->move};
    return (struct range_entry){.fat = fat_unknown(0), .move = NO_MOVE};
}

/* The replacement value of a slot. */
static int slot_value(const struct range_table *t, const struct range_slot *s)
{
    return s->epoch != t->epoch ? -1 : s->depth;
}

static struct range_slot *slot_for(const struct range_table *t, uint64_t key)
{
    struct range_slot *s = bucket_of(t, key), *least = s;
    for (int i = 0; i < BUCKET; i++, s++) {
        if (holds(t, s, key))
            return s;
        if (slot_value(t, s) < slot_value(t, least))
            least = s;
    }
    return least;
}

void range_table_store(struct range_table *t, uint64_t key, int ply, const struct range_entry *e)
{
    struct range_slot *s = slot_for(t, key);
    Move move = e->move;
    if (move == NO_MOVE && holds(t, s, key))
        move = s->move;
    *s = (struct range_slot){.key = key,
                             .lower = shift_mate(e->fat.lower, -ply),
                             .value = shift_mate(e->fat.value, -ply),
                             .upper = shift_mate(e->fat.upper, -ply),
                             .move = move,
                             .epoch = t->epoch,
                             .depth = (uint8_t)e->depth,
                             .bound = (uint8_t)e->bound};
}
