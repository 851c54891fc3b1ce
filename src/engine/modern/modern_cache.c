#include "modern_cache.h"

#include "modern_sink.h"
#include "sets.h"

/* The pawns and kings of a position, found unless they are kept. */
static const struct modern_pawns *probe_pawns(struct modern_cache *cache, const struct position *p,
                                              const struct modern_weights *w)
{
    Bitboard white = position_pieces(p, WHITE, PAWN), black = position_pieces(p, BLACK, PAWN);
    struct modern_pawns *pawns = &cache->pawns[sets_hash(white, black) >> (64 - MODERN_PAWN_BITS)];
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
    uint64_t hash = sets_hash(f->counts, 0);
    struct modern_material *material = &cache->material[hash >> (64 - MODERN_MATERIAL_BITS)];
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
