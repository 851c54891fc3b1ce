#include "pawn_cache.h"

#include "sets.h"

unsigned pawn_cache_index(Bitboard white, Bitboard black)
{
    return (unsigned)(sets_hash(white, black) >> (64 - PAWN_CACHE_BITS));
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
