/* Material: pieces, the pair of bishops, and the products of their numbers, which say how the worth of
 * a piece depends on the others. */
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
