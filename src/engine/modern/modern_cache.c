#include "modern_cache.h"

#include "modern_sink.h"

/* Multiplicative hashing (Knuth 1998, section 6.4), with the fractional parts of the golden ratio and of
 * the square root of two, times 2^64. */
#define FIRST_FACTOR  UINT64_C(0x9e3779b97f4a7c15)
#define SECOND_FACTOR UINT64_C(0x6a09e667f3bcc909)

/* The pawns and kings of a position, found unless they are kept. */
static const struct modern_pawns *probe_pawns(struct modern_cache *cache, const struct position *p,
                                              const struct modern_weights *w)
{
    Bitboard white = position_pieces(p, WHITE, PAWN), black = position_pieces(p, BLACK, PAWN);
    uint64_t mixed = white * FIRST_FACTOR ^ black * SECOND_FACTOR;
    struct modern_pawns *pawns = &cache->pawns[mixed >> (64 - MODERN_PAWN_BITS)];
    if (pawns->pawns[WHITE] != white || pawns->pawns[BLACK] != black)
        modern_pawns_find(p, w, pawns);
    else
        modern_kings_find(p, w, pawns);
    return pawns;
}

/* The material of a position, found unless it is kept. */
static const struct modern_material *probe_material(struct modern_cache *cache,
                                                    const struct modern_facts *f,
                                                    const struct modern_weights *w)
{
    uint64_t mixed = f->counts * FIRST_FACTOR;
    struct modern_material *material = &cache->material[mixed >> (64 - MODERN_MATERIAL_BITS)];
    if (material->counts != f->counts)
        modern_material_find(f, w, material);
    return material;
}

int32_t modern_evaluate(const struct position *p, const struct modern_weights *w,
                        struct modern_cache *cache)
{
    struct modern_facts f;
    modern_facts_find(&f, p, probe_pawns(cache, p, w));
    return modern_weigh(&f, w, probe_material(cache, &f, w)) / MODERN_SCALE;
}
