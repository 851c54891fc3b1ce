#define _DEFAULT_SOURCE /* madvise */
#include "tree.h"

#include "wide.h"

#include <limits.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* An entry, two words:
 *   head   low half of the key (32), move (16), epoch (16)
 *   body   value (22), evaluation (22), depth (10), bound (2), on the principal variation (1), age (7) */
struct slot {
    uint64_t head, body;
};

/* An entry in memory, which other threads may write: the first word is `head` exclusive-or `body`. All
 * zero is an empty slot. A bucket of four fills a cache line. */
struct kept_slot {
    _Atomic uint64_t mixed, body;
};

enum { SLOTS = 4, VALUE_BITS = 22, AGES = 128, PAGE = 2 << 20 };

struct tt_bucket {
    struct kept_slot slots[SLOTS];
};

/* ---- slots ---- */

static struct slot load(const struct kept_slot *kept)
{
    const uint64_t body = atomic_load_explicit(&kept->body, memory_order_relaxed);
    return (struct slot){atomic_load_explicit(&kept->mixed, memory_order_relaxed) ^ body, body};
}

static void keep(struct kept_slot *kept, uint64_t head, uint64_t body)
{
    atomic_store_explicit(&kept->mixed, head ^ body, memory_order_relaxed);
    atomic_store_explicit(&kept->body, body, memory_order_relaxed);
}

static uint64_t head_of(const struct tt *tt, uint64_t key, Move m)
{
    return key << 32 | (uint64_t)m << 16 | tt->epoch;
}

static bool holds(const struct slot *s, const struct tt *tt, uint64_t key)
{
    return (s->head & UINT64_C(0xffffffff0000ffff)) == head_of(tt, key, NO_MOVE);
}

static bool empty(const struct slot *s, const struct tt *tt)
{
    return (uint16_t)s->head != tt->epoch;
}

static Move slot_move(const struct slot *s)
{
    return (Move)(s->head >> 16);
}

/* Extracts the signed VALUE_BITS-bit number at bit `at`. */
static int32_t slot_signed(uint64_t body, int at)
{
    return (int32_t)((int64_t)(body << (64 - VALUE_BITS - at)) >> (64 - VALUE_BITS));
}

static int slot_depth(const struct slot *s)
{
    return (int)(s->body >> 44 & 1023);
}

static enum bound slot_bound(const struct slot *s)
{
    return (enum bound)(s->body >> 54 & 3);
}

static uint8_t slot_age(const struct slot *s)
{
    return (uint8_t)(s->body >> 57);
}

static uint64_t body_of(const struct tt *tt, const struct tt_hit *h, int32_t value)
{
    const uint64_t mask = (UINT64_C(1) << VALUE_BITS) - 1;
    return ((uint64_t)(int64_t)value & mask) | ((uint64_t)(int64_t)h->eval & mask) << VALUE_BITS |
           (uint64_t)h->depth << 44 | (uint64_t)h->bound << 54 | (uint64_t)h->on_pv << 56 |
           (uint64_t)tt->age << 57;
}

/* A mate score, counted from the root in the search and from the position in the table, `plies` later. */
static int32_t mate_after(int32_t value, int plies)
{
    return value > EVAL_LIMIT ? value + plies : value < -EVAL_LIMIT ? value - plies : value;
}

/* ---- life cycle ---- */

/* Allocates whole large pages, and requests such: else most probes would also miss the TLB. */
void *large_pages(size_t bytes)
{
    size_t whole = (bytes + PAGE - 1) / PAGE * PAGE;
    void *memory = aligned_alloc(PAGE, whole);
#ifdef MADV_HUGEPAGE
    if (memory != NULL)
        madvise(memory, whole, MADV_HUGEPAGE);
#endif
    return memory == NULL ? NULL : memset(memory, 0, bytes);
}

bool tt_create(struct tt *tt, int mib, struct error *err)
{
    size_t bytes = (size_t)mib << 20;
    struct tt_bucket *buckets = large_pages(bytes);
    if (buckets == NULL)
        return error_set(err, "no memory for a transposition table of %d MiB", mib);
    *tt = (struct tt){.buckets = buckets, .count = bytes / sizeof *buckets, .epoch = 1};
    return true;
}

void tt_destroy(struct tt *tt)
{
    free(tt->buckets);
    tt->buckets = NULL;
}

/* When the epoch counter wraps, clears the table and restarts at 1. */
void tt_new_epoch(struct tt *tt)
{
    tt->age = 0;
    if (++tt->epoch != 0)
        return;
    memset(tt->buckets, 0, tt->count * sizeof *tt->buckets);
    tt->epoch = 1;
}

void tt_new_search(struct tt *tt)
{
    tt->age = (tt->age + 1) % AGES;
}

/* ---- use ---- */

/* The bucket of a key, chosen by its high bits. */
static struct tt_bucket *bucket_of(const struct tt *tt, uint64_t key)
{
    return &tt->buckets[(size_t)wide_product(key, tt->count).high];
}

void tt_prefetch(const struct tt *tt, uint64_t key)
{
    __builtin_prefetch(bucket_of(tt, key));
}

struct tt_hit tt_probe(const struct tt *tt, uint64_t key, int ply)
{
    const struct tt_bucket *bucket = bucket_of(tt, key);
    for (int i = 0; i < SLOTS; i++) {
        const struct slot s = load(&bucket->slots[i]);
        if (holds(&s, tt, key))
            return (struct tt_hit){.found = true,
                                   .bound = slot_bound(&s),
                                   .move = slot_move(&s),
                                   .depth = slot_depth(&s),
                                   .on_pv = (s.body >> 56 & 1) != 0,
                                   .value = mate_after(slot_signed(s.body, 0), -ply),
                                   .eval = slot_signed(s.body, VALUE_BITS)};
    }
    return (struct tt_hit){.move = NO_MOVE, .eval = NO_EVAL};
}

/* The replacement value of a slot: highest for deep entries of this search. */
static int slot_value(const struct slot *s, const struct tt *tt)
{
    return empty(s, tt) ? -1 : slot_depth(s) + 1024 - PLY * ((tt->age + AGES - slot_age(s)) % AGES);
}

/* The slot for a key, with its entry: its own, else the least valuable of the bucket. */
static struct kept_slot *slot_for(const struct tt *tt, uint64_t key, struct slot *entry)
{
    struct tt_bucket *bucket = bucket_of(tt, key);
    struct kept_slot *least = &bucket->slots[0];
    int least_value = INT_MAX;
    for (int i = 0; i < SLOTS; i++) {
        const struct slot s = load(&bucket->slots[i]);
        const bool own = holds(&s, tt, key);
        const int value = own ? INT_MIN : slot_value(&s, tt);
        if (value < least_value) {
            least = &bucket->slots[i];
            least_value = value;
            *entry = s;
        }
        if (own)
            break;
    }
    return least;
}

/* An inexact bound does not replace a much deeper entry of the same search and position. An entry
 * without a move keeps the known move. */
void tt_store(struct tt *tt, uint64_t key, int ply, const struct tt_hit *found)
{
    struct slot s;
    struct kept_slot *kept = slot_for(tt, key, &s);
    Move move = found->move;
    if (holds(&s, tt, key)) {
        if (found->bound != BOUND_EXACT && slot_age(&s) == tt->age &&
            slot_depth(&s) > found->depth + 3 * PLY)
            return;
        if (move == NO_MOVE)
            move = slot_move(&s);
    }
    keep(kept, head_of(tt, key, move), body_of(tt, found, mate_after(found->value, ply)));
}

int tt_full(const struct tt *tt)
{
    size_t sample = tt->count < 250 ? tt->count : 250, used = 0;
    for (size_t i = 0; i < sample; i++)
        for (int j = 0; j < SLOTS; j++) {
            const struct slot s = load(&tt->buckets[i].slots[j]);
            used += !empty(&s, tt) && slot_age(&s) == tt->age;
        }
    return (int)(used * 1000 / (sample * SLOTS));
}
