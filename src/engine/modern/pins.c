/* Lines: pieces between a slider and a king or a queen, and how much of the zone around the enemy
 * king lies behind something. Worth 11, 8 % of the time (modern_sink.h). */
#include "modern_sink.h"

/* The pieces that alone stand between a target and a slider of `us` on a line with it. */
INLINE Bitboard alone_between(const struct modern_facts *f, enum color us, int target)
{
    const struct position *p = f->position;
    Bitboard own = p->by_color[us], queens = p->by_kind[QUEEN], found = 0;
    Bitboard sliders = (modern_diagonals[target] & (p->by_kind[BISHOP] | queens) & own) |
                       (modern_straights[target] & (p->by_kind[ROOK] | queens) & own);
    while (sliders != 0) {
        Bitboard between = between_table[target][bits_pop(&sliders)] & f->occupied;
        found |= between & -(Bitboard)!bits_many(between); /* no branch to predict */
    }
    return found;
}

/* Squares of the zone on the lines of the sliders of a kind, from `next` on, that they do not
 * reach. */
INLINE void xray_term(struct sink *e, const struct modern_facts *f, enum color us, int kind,
                      const struct modern_piece **next)
{
    Bitboard zone = f->zone[color_other(us)];
    int hidden = 0;
    for (; (*next)->kind == kind; (*next)++)
        hidden += bits_count(modern_lines[kind][(*next)->square] & ~(*next)->attacks & zone);
    add(e, T_XRAY + 2 * (kind - KNIGHT) + f->queen[us], hidden);
}

INLINE void side(struct sink *e, const struct modern_facts *f, enum color us)
{
    enum color them = color_other(us);
    const struct position *p = f->position;
    const struct modern_piece *slider = modern_first(f, us, BISHOP);
    Bitboard enemies = p->by_color[them], queens = position_pieces(p, them, QUEEN);
    Bitboard before_king = alone_between(f, us, f->king[them]) & ~p->by_kind[KING];
    add_by_kind(e, f, T_PINNED, before_king & enemies);
    add_by_kind(e, f, T_DISCOVERY, before_king & ~enemies);
    xray_term(e, f, us, BISHOP, &slider);
    xray_term(e, f, us, ROOK, &slider);
    xray_term(e, f, us, QUEEN, &slider);
    while (queens != 0)
        add_by_kind(e, f, T_PINNED_QUEEN,
                    alone_between(f, us, bits_pop(&queens)) & enemies & ~p->by_kind[KING]);
}

MODERN_GROUP(pins, side)
