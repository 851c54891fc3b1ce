#include "pawn_cache.h"

#include <string.h>

void pawn_cache_clear(struct pawn_cache *cache)
{
    memset(cache, 0, sizeof *cache);
}

/* Multiplicative hashing (Knuth 1998, section 6.4) with one odd factor for each set: the fractional
 * parts of the golden ratio and of the square root of two, times 2^64. */
uint64_t pawn_cache_hash(Bitboard white, Bitboard black)
{
    return white * UINT64_C(0x9e3779b97f4a7c15) ^ black * UINT64_C(0x6a09e667f3bcc909);
}

unsigned pawn_cache_index(Bitboard white, Bitboard black)
{
    return (unsigned)(pawn_cache_hash(white, black) >> (64 - PAWN_CACHE_BITS));
}

const struct pawn_structure *pawn_cache_probe(struct pawn_cache *cache, const struct position *p,
                                              const struct eval_weights *w)
{
    Bitboard white = position_pieces(p, WHITE, PAWN), black = position_pieces(p, BLACK, PAWN);
    struct pawn_structure *s = &cache->entries[pawn_cache_index(white, black)];
    if (s->pawns[WHITE] != white || s->pawns[BLACK] != black)
        pawn_structure_find(p, w, s);
    return s;
}
