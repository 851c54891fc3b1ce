/* Material: pieces, the pair of bishops, and the products of their numbers, which say how the
 * worth of a piece depends on the others. Costs nothing while material stays, which a cache
 * keeps. Worth 434 (modern_sink.h). */
#include "modern_sink.h"

INLINE void own_products(struct sink *e, const int own[6])
{
    int index = T_OWN_PRODUCT;
    for (int a = PAWN; a <= QUEEN; a++)
        for (int b = PAWN; b <= a; b++)
            add(e, index++, own[a] * own[b]);
}

INLINE void enemy_products(struct sink *e, const int own[6], const int enemy[6])
{
    int index = T_ENEMY_PRODUCT;
    for (int a = KNIGHT; a <= QUEEN; a++)
        for (int b = PAWN; b < a; b++)
            add(e, index++, own[a] * enemy[b]);
}

INLINE void side(struct sink *e, const struct modern_facts *f, enum color us)
{
    const int *own = f->count[us], *enemy = f->count[color_other(us)];
    for (int kind = PAWN; kind <= QUEEN; kind++)
        add(e, T_MATERIAL + kind, own[kind]);
    add(e, T_BISHOP_PAIR, own[BISHOP] >= 2);
    own_products(e, own);
    enemy_products(e, own, enemy);
}

MODERN_GROUP(material, side)

/* The phase of a position: minor pieces count 1, rooks 2, queens 4. */
static int phase_of(const struct modern_facts *f)
{
    int sum = 0;
    for (int side = WHITE; side <= BLACK; side++)
        sum += f->count[side][KNIGHT] + f->count[side][BISHOP] + 2 * f->count[side][ROOK] +
               4 * f->count[side][QUEEN];
    return sum < MODERN_PHASES ? sum : MODERN_PHASES;
}

void modern_material_find(const struct modern_facts *f, const struct modern_weights *w,
                          struct modern_material *material)
{
    material->counts = f->counts;
    int64_t sums[2] = {0, 0};
    if (w != NULL)
        modern_material(f, w, sums);
    material->score = sums[WHITE];
    material->phase = phase_of(f);
}
