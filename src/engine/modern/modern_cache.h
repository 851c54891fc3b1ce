/* What the modern evaluation keeps between positions: parts of the sum for pawns, for kings among them,
 * and for material. Neighbours in a search mostly have them in common.
 *
 * Tables of fixed size; a new entry replaces the old one. A probe compares all that an entry depends on,
 * so a hit is never false, and the score is the same whatever is kept. */
#ifndef GRAYLING_MODERN_CACHE_H
#define GRAYLING_MODERN_CACHE_H

#include "modern.h"

/* The part of the material, and the phase. */
struct modern_material {
    uint64_t counts; /* pieces of each kind, 4 bits each */
    int64_t score;   /* packed, from White's side */
    int32_t phase;   /* 0 to MODERN_PHASES */
};

/* The part of a king among pawns. */
struct modern_king {
    Bitboard pawns[2];
    int64_t score;
    uint64_t where; /* the king's square and colour, plus 1; 0: no entry */
};

enum { MODERN_PAWN_BITS = 12, MODERN_KING_BITS = 12, MODERN_MATERIAL_BITS = 10 };

/* Owned by the caller. All-zero memory is an empty cache: the entry of no pawns, with the kings still to
 * be found, is right for any weights. All probes since then must pass the same weights. */
struct modern_cache {
    struct modern_pawns pawns[1 << MODERN_PAWN_BITS];
    struct modern_king kings[1 << MODERN_KING_BITS]; /* those that moved */
    struct modern_material material[1 << MODERN_MATERIAL_BITS];
};

/* The scores in centipawns for either side, if it is to move: the exact ones, rounded towards 0. The side
 * to move counts for nothing else, and so the second is that after a null move. */
void modern_evaluate(const struct position *p, const struct modern_weights *w,
                     struct modern_cache *cache, int32_t scores[2]);

#endif
