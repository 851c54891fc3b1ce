/* Sets of squares as a side sees them: what the evaluations count with. */
#ifndef GRAYLING_SETS_H
#define GRAYLING_SETS_H

#include "chess.h"

#define LIGHT_SQUARES UINT64_C(0x55aa55aa55aa55aa)

/* The set moved one rank forward, as seen by `side`. */
INLINE Bitboard ahead(enum color side, Bitboard b)
{
    return side == WHITE ? b << 8 : b >> 8;
}

/* The set as the other side sees it: the first rank is the last. */
INLINE Bitboard turned(Bitboard b)
{
    return __builtin_bswap64(b);
}

/* The set and all squares ahead of it on the same files. */
INLINE Bitboard fill_ahead(enum color side, Bitboard b)
{
    if (side == WHITE) {
        b |= b << 8;
        b |= b << 16;
        return b | b << 32;
    }
    b |= b >> 8;
    b |= b >> 16;
    return b | b >> 32;
}

/* The squares beside a set, on the same ranks. */
INLINE Bitboard beside(Bitboard b)
{
    return (b & ~file_bits(7)) << 1 | (b & ~file_bits(0)) >> 1;
}

/* The files that a set occupies, one bit each. */
INLINE unsigned files_of(Bitboard b)
{
    b |= b >> 32;
    b |= b >> 16;
    b |= b >> 8;
    return (unsigned)(b & 0xff);
}

INLINE unsigned files_beside(unsigned files)
{
    return (files << 1 | files >> 1) & 0xff;
}

INLINE Bitboard files_squares(unsigned files)
{
    return files * FILE_A;
}

/* A rank as seen by `side`, 0 to 7. */
INLINE Bitboard rank_relative(enum color side, int rank)
{
    return rank_bits(side == WHITE ? rank : 7 - rank);
}

/* A hash of two sets, whose high bits are the best: multiplicative hashing (Knuth 1998, section 6.4) with an odd
 * factor for each, the fractional parts of the golden ratio and of the square root of two, times 2^64. */
INLINE uint64_t sets_hash(Bitboard first, Bitboard second)
{
    return first * UINT64_C(0x9e3779b97f4a7c15) ^ second * UINT64_C(0x6a09e667f3bcc909);
}

#endif
