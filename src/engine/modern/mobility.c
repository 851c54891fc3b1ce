/* Mobility: the squares to which a piece can go without being taken by a pawn, from a table for
 * each kind; those where it is not lost, from another; and those it attacks, all and those that
 * nothing cheaper attacks. Worth 59, 10 % of the time (modern_sink.h). */
#include "modern_sink.h"

static const int tables[] = {[KNIGHT] = T_KNIGHT_MOBILITY,
                             [BISHOP] = T_BISHOP_MOBILITY_TO,
                             [ROOK] = T_ROOK_MOBILITY_TO,
                             [QUEEN] = T_QUEEN_MOBILITY_TO};

static const int safe_tables[] = {[KNIGHT] = T_KNIGHT_SAFE,
                                  [BISHOP] = T_BISHOP_SAFE,
                                  [ROOK] = T_ROOK_SAFE,
                                  [QUEEN] = T_QUEEN_SAFE};

INLINE void side(struct sink *e, const struct modern_facts *f, enum color us)
{
    enum color them = color_other(us);
    const Bitboard *enemy = f->attacks[them];
    Bitboard minors = enemy[PAWN] | enemy[KNIGHT] | enemy[BISHOP];
    const Bitboard cheaper[] = {[KNIGHT] = enemy[PAWN],
                                [BISHOP] = enemy[PAWN],
                                [ROOK] = minors,
                                [QUEEN] = minors | enemy[ROOK]};
    Bitboard room = ~enemy[PAWN] & ~(f->pawns->pawns[us] | bit(f->king[us]));
    Bitboard held = ~f->position->by_color[us] & (~f->attacked[them] | f->twice[us]);
    const struct modern_piece *end = f->piece[us] + f->pieces[us];
    for (const struct modern_piece *piece = f->piece[us]; piece < end; piece++) {
        int kind = piece->kind;
        add(e, tables[kind] + bits_count(piece->attacks & room), 1);
        add(e, safe_tables[kind] + bits_count(piece->attacks & held & ~cheaper[kind]), 1);
        add(e, T_REACH + kind - KNIGHT, bits_count(piece->attacks));
        add(e, T_SAFE_REACH + kind - KNIGHT, bits_count(piece->attacks & ~cheaper[kind]));
    }
}

MODERN_GROUP(mobility, side)
