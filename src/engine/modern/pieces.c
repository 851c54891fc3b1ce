/* What pieces like: outposts, colours, files, and to be near a king. Worth 58, 12 % of the time
 * (modern_sink.h). */
#include "modern_sink.h"

/* The squares of the ranks 4 to 6 that no enemy pawn can ever attack. */
INLINE Bitboard outposts(const struct modern_facts *f, enum color us)
{
    Bitboard ranks = rank_relative(us, 3) | rank_relative(us, 4) | rank_relative(us, 5);
    return ranks & ~f->pawns->spans[color_other(us)];
}

INLINE void minor_terms(struct sink *e, const struct modern_facts *f, enum color us,
                        const struct modern_piece *piece)
{
    int minor = piece->kind - KNIGHT;
    Bitboard at = bit(piece->square), own = f->position->by_color[us], posts = outposts(f, us);
    if ((posts & at) != 0)
        add(e, T_OUTPOST + 2 * minor + ((f->attacks[us][PAWN] & at) != 0), 1);
    else
        add(e, T_OUTPOST_REACH + minor,
            (piece->attacks & posts & f->attacks[us][PAWN] & ~own) != 0);
    add(e, T_MINOR_BEHIND_PAWN + minor, (ahead(us, at) & f->pawns->pawns[us]) != 0);
}

INLINE void bishop_terms(struct sink *e, const struct modern_facts *f, enum color us,
                         const struct modern_piece *piece)
{
    Bitboard colour = (bit(piece->square) & LIGHT_SQUARES) != 0 ? LIGHT_SQUARES : ~LIGHT_SQUARES;
    add(e, T_BISHOP_OWN_PAWNS, bits_count(f->pawns->pawns[us] & colour));
    add(e, T_BISHOP_ENEMY_PAWNS, bits_count(f->pawns->pawns[color_other(us)] & colour));
}

INLINE void rook_terms(struct sink *e, const struct modern_facts *f, enum color us,
                       const struct modern_piece *piece)
{
    enum color them = color_other(us);
    int file = square_file(piece->square), king = square_file(f->king[them]);
    int away = file > king ? file - king : king - file;
    unsigned own = f->pawns->files[us] >> file & 1, enemy = f->pawns->files[them] >> file & 1;
    int openness = own ? 0 : enemy ? 1 : 2, near = away == 0 ? 2 : away == 1 ? 1 : 0;
    add(e, T_ROOK_FILE + SIZE_NEARNESS * openness + near, 1);
    add(e, T_ROOK_QUEEN_FILE, (file_bits(file) & position_pieces(f->position, them, QUEEN)) != 0);
}

/* Rooks together, and those that the own king shuts in. */
INLINE void rooks_terms(struct sink *e, const struct modern_facts *f, enum color us)
{
    Bitboard rooks = position_pieces(f->position, us, ROOK), king = bit(f->king[us]);
    Bitboard home = rank_relative(us, 0);
    bool may_castle = (f->position->castling & rooks) != 0;
    bool left = (king & home & files_squares(0x0e)) != 0 &&
                (rooks & home & files_squares(0x03) & (king - 1)) != 0;
    bool right = (king & home & files_squares(0x70)) != 0 &&
                 (rooks & home & files_squares(0xc0) & ~(king - 1)) != 0;
    add(e, T_ROOKS_DOUBLED, (fill_ahead(us, ahead(us, rooks)) & rooks) != 0);
    add(e, T_ROOK_SHUT_IN, !may_castle && (left || right));
}

/* The pieces of a kind, from `next` on. */
INLINE void kind_terms(struct sink *e, const struct modern_facts *f, enum color us, int kind,
                       const struct modern_piece **next)
{
    int row = (kind - KNIGHT) * SIZE_DISTANCES;
    for (; (*next)->kind == kind; (*next)++) {
        const struct modern_piece *piece = *next;
        add(e, T_TROPISM + row + distance(piece->square, f->king[color_other(us)]), 1);
        add(e, T_TROPISM_OWN + row + distance(piece->square, f->king[us]), 1);
        if (kind <= BISHOP)
            minor_terms(e, f, us, piece);
        if (kind == BISHOP)
            bishop_terms(e, f, us, piece);
        if (kind == ROOK)
            rook_terms(e, f, us, piece);
    }
}

INLINE void side(struct sink *e, const struct modern_facts *f, enum color us)
{
    const struct modern_piece *next = f->piece[us];
    kind_terms(e, f, us, KNIGHT, &next);
    kind_terms(e, f, us, BISHOP, &next);
    kind_terms(e, f, us, ROOK, &next);
    kind_terms(e, f, us, QUEEN, &next);
    rooks_terms(e, f, us);
}

MODERN_GROUP(pieces, side)
