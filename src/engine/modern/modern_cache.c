#include "modern_cache.h"

#include "modern_sink.h"
#include "sets.h"

/* The part of a king that is not where the pawns' entry has it: kept, or found. */
static void find_king(struct modern_cache *cache, struct modern_pawns *pawns, uint64_t hash,
                      enum color us, int king, const struct modern_weights *w)
{
    const uint64_t where = (uint64_t)(64 * us + king + 1);
    hash += where * UINT64_C(0x9e3779b97f4a7c15);
    struct modern_king *kept = &cache->kings[hash >> (64 - MODERN_KING_BITS)];
    if (kept->where != where || kept->pawns[WHITE] != pawns->pawns[WHITE] ||
        kept->pawns[BLACK] != pawns->pawns[BLACK])
        *kept = (struct modern_king){{pawns->pawns[WHITE], pawns->pawns[BLACK]},
                                     modern_king_score(pawns, us, king, w),
                                     where};
    pawns->kings[us] = kept->score;
    pawns->king_at[us] = (uint8_t)(king + 1);
}

/* The pawns and kings of a position, found unless they are kept. */
static const struct modern_pawns *probe_pawns(struct modern_cache *cache, const struct position *p,
                                              const struct modern_weights *w)
{
    Bitboard white = position_pieces(p, WHITE, PAWN), black = position_pieces(p, BLACK, PAWN);
    uint64_t hash = sets_hash(white, black);
    struct modern_pawns *pawns = &cache->pawns[hash >> (64 - MODERN_PAWN_BITS)];
    if (pawns->pawns[WHITE] != white || pawns->pawns[BLACK] != black)
        modern_pawns_find_alone(p, w, pawns);
    for (enum color us = WHITE; us <= BLACK; us++)
        if (pawns->king_at[us] != position_king(p, us) + 1)
            find_king(cache, pawns, hash, us, position_king(p, us), w);
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

void modern_evaluate(const struct position *p, const struct modern_weights *w,
                     struct modern_cache *cache, int32_t scores[2])
{
    struct modern_facts f;
    modern_facts_find(&f, p, probe_pawns(cache, p, w));
    modern_weigh(&f, w, probe_material(cache, &f, w), scores);
    scores[WHITE] /= MODERN_SCALE;
    scores[BLACK] /= MODERN_SCALE;
}
