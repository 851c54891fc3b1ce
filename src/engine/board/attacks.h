/* Attack tables, generated at build time by `gen_tables.c`; all constant.
 *
 * Sliding pieces use fancy magic bitboards (Kannan 2007); the build searches for the magics. Built for a
 * processor with BMI2 (-Dnative=true), the index is instead the blockers' bits moved side by side (pext),
 * which needs no multiplication. Zen 1 and 2 are left out: their pext takes a hundred cycles. */
#ifndef GRAYLING_ATTACKS_H
#define GRAYLING_ATTACKS_H

#include "position.h"

#if defined(__BMI2__) && !defined(__znver1__) && !defined(__znver2__)
#include <immintrin.h>
#define SLIDERS_BY_PEXT 1
#else
#define SLIDERS_BY_PEXT 0
#endif

struct magic {
    Bitboard mask;
    uint64_t factor;
    const Bitboard *attacks;
    int shift;
};

extern const Bitboard knight_table[64];
extern const Bitboard king_table[64];
extern const Bitboard pawn_table[2][64]; /* [colour of the pawn][its square]: captures */
extern const struct magic bishop_magics[64];
extern const struct magic rook_magics[64];
/* The squares strictly between two squares on a line; empty if they share no line. */
extern const Bitboard between_table[64][64];
/* The whole line from edge to edge through two squares, both included; empty if there is none. */
extern const Bitboard line_table[64][64];
/* Zobrist keys: of each coloured piece and square, castling rook, en passant file, and side. */
extern const uint64_t zobrist_piece[2][6][64];
extern const uint64_t zobrist_castling[64]; /* of ranks 1 and 8; else 0 */
extern const uint64_t zobrist_ep[8];
extern const uint64_t zobrist_black;

/* On an empty board the index is 0. */
static inline Bitboard magic_attacks(const struct magic *m, Bitboard occupied)
{
    if (__builtin_constant_p(occupied) && occupied == 0)
        return m->attacks[0];
#if SLIDERS_BY_PEXT
    return m->attacks[_pext_u64(occupied, m->mask)];
#else
    return m->attacks[((occupied & m->mask) * m->factor) >> m->shift];
#endif
}

static inline Bitboard knight_attacks(int square)
{
    return knight_table[square];
}

static inline Bitboard king_attacks(int square)
{
    return king_table[square];
}

static inline Bitboard pawn_attacks(enum color side, int square)
{
    return pawn_table[side][square];
}

static inline Bitboard bishop_attacks(int square, Bitboard occupied)
{
    return magic_attacks(&bishop_magics[square], occupied);
}

static inline Bitboard rook_attacks(int square, Bitboard occupied)
{
    return magic_attacks(&rook_magics[square], occupied);
}

static inline Bitboard queen_attacks(int square, Bitboard occupied)
{
    return bishop_attacks(square, occupied) | rook_attacks(square, occupied);
}

/* The attacks of a piece other than a pawn. */
INLINE Bitboard piece_attacks(enum kind kind, int square, Bitboard occupied)
{
    switch (kind) {
    case KNIGHT:
        return knight_attacks(square);
    case BISHOP:
        return bishop_attacks(square, occupied);
    case ROOK:
        return rook_attacks(square, occupied);
    case KING:
        return king_attacks(square);
    default:
        return queen_attacks(square, occupied);
    }
}

/* The sliders of both colours that attack a square under an occupancy. */
INLINE Bitboard sliders_attacking(const struct position *p, int square, Bitboard occupied)
{
    const Bitboard queens = p->by_kind[QUEEN];
    return (bishop_attacks(square, occupied) & (p->by_kind[BISHOP] | queens)) |
           (rook_attacks(square, occupied) & (p->by_kind[ROOK] | queens));
}

/* All squares attacked by a set of pawns of one colour. */
static inline Bitboard pawns_attacks(enum color side, Bitboard pawns)
{
    Bitboard west = pawns & ~file_bits(0), east = pawns & ~file_bits(7);
    return side == WHITE ? west << 7 | east << 9 : west >> 9 | east >> 7;
}

#endif
