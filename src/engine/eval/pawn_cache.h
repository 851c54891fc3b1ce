/* Pawn structures kept by a search: neighbouring positions mostly have the same pawns.
 *
 * One table of fixed size, each structure in the one place that a hash of its two sets of pawns
 * gives it, the later replacing the earlier. The sets themselves are compared, so that a hit is
 * never false, and evaluating through a cache gives what evaluate() gives, always. */
#ifndef GRAYLING_PAWN_CACHE_H
#define GRAYLING_PAWN_CACHE_H

#include "evaluate.h"

enum { PAWN_CACHE_BITS = 12 }; /* log2 of the number of entries: 256 KiB in all */

/* Owned by the caller. Memory that is all zero is an empty cache: a place all zero holds the
 * structure without pawns, which is right for any weights. Aligned to 64 bytes, each entry is one
 * cache line; no alignment is needed for it to work. */
struct pawn_cache {
    struct pawn_structure entries[1 << PAWN_CACHE_BITS];
};

/* Empties the cache. Needed before other weights are used with it, and at no other time. */
void pawn_cache_clear(struct pawn_cache *cache);

/* The place of these pawns in the table, below 1 << PAWN_CACHE_BITS. */
unsigned pawn_cache_index(Bitboard white, Bitboard black);

/* The structure of the position's pawns for evaluate_with_pawns, found now unless it is kept.
 * Belongs to the cache, and is valid until the next probe or clear. `w` are the weights of all
 * probes since the cache was empty. */
const struct pawn_structure *pawn_cache_probe(struct pawn_cache *cache, const struct position *p,
                                              const struct eval_weights *w);

#endif
