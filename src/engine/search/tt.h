/* The transposition table: search results by position key.
 *
 * A table belongs to one engine, whose threads share it without locks. An entry is two words; the
 * first is stored combined with the second, so that a probe rejects an entry that another thread has half
 * overwritten (Hyatt and Mann 2002). An entry of another epoch counts as an empty slot, so a new epoch
 * empties the table without touching it. Within an epoch, entries of earlier searches are valid,
 * but are replaced first. */
#ifndef GRAYLING_TT_H
#define GRAYLING_TT_H

#include "engine.h"

struct tt_bucket;

struct tt {
    struct tt_bucket *buckets;
    size_t count;   /* number of buckets */
    uint16_t epoch; /* 1 or more; 0 marks slots never used */
    uint8_t age;    /* number of searches in this epoch, modulo 256 */
};

/* An entry as the search sees it. `depth` is in quarter plies; `value` and `bound` are as the
 * search returned them, with mates counted from the root of the probing search. */
struct tt_hit {
    bool found;
    enum bound bound;
    Move move; /* the best or refuting move, or NO_MOVE; legal unless keys collide */
    int depth;
    int32_t value;
    int32_t eval; /* the static evaluation, or NO_EVAL */
};

/* Lower than every evaluation: the value of `eval` in check. */
enum { NO_EVAL = -2097152 };

/* ---- life cycle ---- */

bool tt_create(struct tt *tt, int mib, struct error *err);
void tt_destroy(struct tt *tt);

/* Empties the table. */
void tt_new_epoch(struct tt *tt);
/* Starts a new search in the same epoch. */
void tt_new_search(struct tt *tt);

/* ---- use ---- */

/* Looks up a position `ply` plies from the root. */
struct tt_hit tt_probe(const struct tt *tt, uint64_t key, int ply);

/* Stores a result in the slot of the same position, else in the least valuable slot of the
 * bucket. */
void tt_store(struct tt *tt, uint64_t key, int ply, const struct tt_hit *found);

/* Prefetches the bucket of a key. */
void tt_prefetch(const struct tt *tt, uint64_t key);

/* The share of slots with entries of the current search, in thousandths, from a sample. */
int tt_full(const struct tt *tt);

#endif
