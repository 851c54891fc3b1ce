/* The transposition table: what the search found out about positions, by their keys.
 *
 * A table belongs to one engine. An entry of another epoch is an empty slot in every respect, so
 * that a new epoch is an empty table without touching it. Within an epoch, entries of earlier
 * searches are valid and give way first. */
#ifndef GRAYLING_TT_H
#define GRAYLING_TT_H

#include "engine.h"

struct tt_bucket;

struct tt {
    struct tt_bucket *buckets;
    size_t count;   /* of buckets */
    uint16_t epoch; /* 1 and more; 0 marks slots that were never used */
    uint8_t age;    /* of the searches in this epoch, modulo 256 */
};

/* What is known of a position. `depth` is in quarter plies, `value` and `bound` as the search
 * returned them, mates counted from the probing node's root. */
struct tt_hit {
    bool found;
    enum bound bound;
    Move move; /* the best or refuting move, or NO_MOVE; legal unless keys collide */
    int depth;
    int32_t value;
    int32_t eval; /* the static evaluation, or NO_EVAL */
};

/* Below every evaluation: a node in check has none. */
enum { NO_EVAL = -2097152 };

/* ---- life cycle ---- */

bool tt_create(struct tt *tt, int mib, struct error *err);
void tt_destroy(struct tt *tt);

/* Makes the table empty. */
void tt_new_epoch(struct tt *tt);
/* Says that a new search begins in the same epoch. */
void tt_new_search(struct tt *tt);

/* ---- use ---- */

/* Looks a position up, `ply` plies from the root. */
struct tt_hit tt_probe(const struct tt *tt, uint64_t key, int ply);

/* Keeps what was found: the slot of the same position, else the least worth keeping of a bucket. */
void tt_store(struct tt *tt, uint64_t key, int ply, const struct tt_hit *found);

/* Begins to bring the bucket of a key into the cache. */
void tt_prefetch(const struct tt *tt, uint64_t key);

/* Slots that hold entries of the present search, in thousandths, from a sample. */
int tt_full(const struct tt *tt);

#endif
