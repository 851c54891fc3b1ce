/* Mobility: the squares to which a piece can go without being taken by a pawn, from a table for
 * each kind; those where it is not lost, from another; and those it attacks, all and those that
 * nothing cheaper attacks. Worth 59, 7 % of the time (modern_sink.h). */
#include "modern_sink.h"

/* The pieces of a kind, from `next` on. */
INLINE void kind_terms(struct sink *e, const struct modern_facts *f, enum color us, int kind,
                       int table, int safe_table, Bitboard cheaper,
                       const struct modern_piece **next)
{
    const Bitboard *enemy = f->attacks[color_other(us)];
    Bitboard room = ~enemy[PAWN] & ~(f->pawns->pawns[us] | bit(f->king[us]));
    Bitboard held = ~f->position->by_color[us] & (~f->attacked[color_other(us)] | f->twice[us]);
    int reach = 0, safe_reach = 0;
    for (; (*next)->kind == kind; (*next)++) {
        Bitboard attacks = (*next)->attacks;
        add(e, table + bits_count(attacks & room), 1);
        add(e, safe_table + bits_count(attacks & held & ~cheaper), 1);
        reach += bits_count(attacks);
        safe_reach += bits_count(attacks & ~cheaper);
    }
    add(e, T_REACH + kind - KNIGHT, reach);
    add(e, T_SAFE_REACH + kind - KNIGHT, safe_reach);
}

INLINE void side(struct sink *e, const struct modern_facts *f, enum color us)
{
    const Bitboard *enemy = f->attacks[color_other(us)];
    Bitboard pawns = enemy[PAWN], minors = pawns | enemy[KNIGHT] | enemy[BISHOP];
    const struct modern_piece *next = f->piece[us];
    kind_terms(e, f, us, KNIGHT, T_KNIGHT_MOBILITY, T_KNIGHT_SAFE, pawns, &next);
    kind_terms(e, f, us, BISHOP, T_BISHOP_MOBILITY_TO, T_BISHOP_SAFE, pawns, &next);
    kind_terms(e, f, us, ROOK, T_ROOK_MOBILITY_TO, T_ROOK_SAFE, minors, &next);
    kind_terms(e, f, us, QUEEN, T_QUEEN_MOBILITY_TO, T_QUEEN_SAFE, minors | enemy[ROOK], &next);
}

MODERN_GROUP(mobility, side)
