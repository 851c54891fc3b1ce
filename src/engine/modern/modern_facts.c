#include "modern_facts.h"

/* Adds a set of attacks of one kind. */
static inline void add_attacks(struct modern_facts *f, enum color us, enum kind kind,
                               Bitboard attacks)
{
    f->twice[us] |= f->attacked[us] & attacks;
    f->attacked[us] |= attacks;
    f->attacks[us][kind] |= attacks;
}

/* Lists the pieces of a kind, a constant. */
SETS_INLINE void list_pieces(struct modern_facts *f, enum color us, enum kind kind)
{
    int count = 0;
    for (Bitboard set = position_pieces(f->position, us, kind); set != 0; count++) {
        int square = bits_pop(&set);
        Bitboard attacks = modern_attacks_of(kind, square, f->occupied);
        f->piece[us][f->pieces[us]++] =
            (struct modern_piece){attacks, (uint8_t)kind, (uint8_t)square};
        add_attacks(f, us, kind, attacks);
    }
    f->count[us][kind] = count;
}

static void find_checks(struct modern_facts *f, enum color us)
{
    int king = position_king(f->position, color_other(us));
    f->checks[us][KNIGHT] = knight_attacks(king);
    f->checks[us][BISHOP] = bishop_attacks(king, f->occupied);
    f->checks[us][ROOK] = rook_attacks(king, f->occupied);
    f->checks[us][QUEEN] = f->checks[us][BISHOP] | f->checks[us][ROOK];
}

static void find_side(struct modern_facts *f, enum color us)
{
    const struct position *p = f->position;
    Bitboard pawns = position_pieces(p, us, PAWN);
    Bitboard west = us == WHITE ? (pawns & ~file_bits(0)) << 7 : (pawns & ~file_bits(0)) >> 9;
    Bitboard east = us == WHITE ? (pawns & ~file_bits(7)) << 9 : (pawns & ~file_bits(7)) >> 7;
    f->pieces[us] = 0;
    f->king[us] = position_king(p, us);
    Bitboard near = king_attacks(f->king[us]);
    f->attacks[us][PAWN] = west | east;
    f->attacks[us][KING] = near;
    f->attacked[us] = west | east | near;
    f->twice[us] = (west & east) | ((west | east) & near);
    f->zone[us] = near | bit(f->king[us]) | ahead(us, near);
    f->count[us][PAWN] = bits_count(pawns);
    find_checks(f, us);
    for (enum kind kind = KNIGHT; kind <= QUEEN; kind++)
        f->attacks[us][kind] = 0;
    list_pieces(f, us, KNIGHT);
    list_pieces(f, us, BISHOP);
    list_pieces(f, us, ROOK);
    list_pieces(f, us, QUEEN);
    f->piece[us][f->pieces[us]].kind = KING;
    f->queen[us] = f->count[us][QUEEN] > 0;
    for (enum kind kind = PAWN; kind <= QUEEN; kind++)
        f->counts = f->counts << 4 | (unsigned)f->count[us][kind];
}

void modern_facts_find(struct modern_facts *f, const struct position *p,
                       const struct modern_pawns *pawns)
{
    f->position = p;
    f->pawns = pawns;
    f->occupied = position_occupied(p);
    f->counts = 0;
    f->mover = p->side == WHITE ? 1 : -1;
    find_side(f, WHITE);
    find_side(f, BLACK);
}
