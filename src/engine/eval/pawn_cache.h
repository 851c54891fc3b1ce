/* A cache of pawn structures for the search: neighbouring positions mostly have the same pawns.
 *
 * A table of fixed size, indexed by a hash of the two sets of pawns; a new entry replaces the old
 * one. A probe compares the sets themselves, so a hit is never false, and evaluation through the
 * cache always equals evaluate(). */
#ifndef GRAYLING_PAWN_CACHE_H
#define GRAYLING_PAWN_CACHE_H

#include "evaluate.h"

enum { PAWN_CACHE_BITS = 12 }; /* log2 of the number of entries: 256 KiB in all */

/* Owned by the caller, who empties it before it is used with other weights. All-zero memory is an
 * empty cache: an all-zero entry is the structure without pawns, which is right for any weights.
 * Aligned to 64 bytes, each entry fills one cache line; alignment is optional. */
struct pawn_cache {
    struct pawn_structure entries[1 << PAWN_CACHE_BITS];
};

/* The index of these pawns in the table, below 1 << PAWN_CACHE_BITS. */
unsigned pawn_cache_index(Bitboard white, Bitboard black);

/* Returns the pawn structure of the position, computed unless cached, for evaluate_with_pawns. The
 * cache owns it; it is valid until the next probe or clear. All probes since the cache was empty
 * must pass the same `w`. */
const struct pawn_structure *pawn_cache_probe(struct pawn_cache *cache, const struct position *p,
                                              const struct eval_weights *w);

#endif
