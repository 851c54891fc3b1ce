/* Internal to the modern evaluation: facts about a position that groups share, computed once. */
#ifndef GRAYLING_MODERN_FACTS_H
#define GRAYLING_MODERN_FACTS_H

#include "attacks.h"
#include "modern.h"

/* A knight, bishop, rook or queen, and the squares that it attacks. */
struct modern_piece {
    Bitboard attacks;
    uint8_t kind, square;
};

enum { MODERN_PIECES = 15 }; /* the most that a side can have, without pawns and king */

/* Indexed by colour. */
struct modern_facts {
    const struct position *position;
    const struct modern_pawns *pawns;
    Bitboard occupied;
    Bitboard attacks[2][6]; /* by kind */
    Bitboard attacked[2];   /* by anything */
    Bitboard twice[2];      /* by two or more */
    Bitboard zone[2];       /* the king's square, those beside it, and the rank before them */
    int king[2];
    int count[2][6]; /* pieces of a kind */
    int turn[2];     /* 1 for the side to move, else 0 */
    bool queen[2];   /* the side has a queen */
    struct modern_piece piece[2][MODERN_PIECES];
    int pieces[2]; /* of them */
};

void modern_facts_find(struct modern_facts *f, const struct position *p,
                       const struct modern_pawns *pawns);

/* ---- sets of squares ---- */

/* The set moved one rank forward, as seen by `side`. */
static inline Bitboard ahead(enum color side, Bitboard b)
{
    return side == WHITE ? b << 8 : b >> 8;
}

/* The set and all squares ahead of it on the same files. */
static inline Bitboard fill_ahead(enum color side, Bitboard b)
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
static inline Bitboard beside(Bitboard b)
{
    return (b & ~file_bits(7)) << 1 | (b & ~file_bits(0)) >> 1;
}

/* The files that a set occupies, one bit each. */
static inline unsigned files_of(Bitboard b)
{
    b |= b >> 32;
    b |= b >> 16;
    b |= b >> 8;
    return (unsigned)(b & 0xff);
}

/* The files beside a set of files. */
static inline unsigned files_beside(unsigned files)
{
    return (files << 1 | files >> 1) & 0xff;
}

static inline Bitboard files_squares(unsigned files)
{
    return files * FILE_A;
}

static inline Bitboard rank_relative(enum color side, int rank)
{
    return rank_bits(side == WHITE ? rank : 7 - rank);
}

/* The rank of a square as seen by `side`, 0 to 7. */
static inline int rank_for(enum color side, int square)
{
    return side == WHITE ? square_rank(square) : 7 - square_rank(square);
}

/* 0 for the files a and h, 3 for d and e. */
static inline int file_from_edge(int file)
{
    return file < 4 ? file : 7 - file;
}

/* Computed at build (gen_modern.c). */
extern const uint8_t modern_distances[64][64];
extern const uint8_t modern_squares_of[64];

/* King moves between two squares. */
static inline int distance(int a, int b)
{
    return modern_distances[a][b];
}

/* The index of a square, seen by `side`, among the 32 of a wing: the dimension SQUARES. */
static inline int wing_square(enum color side, int square)
{
    return modern_squares_of[side == WHITE ? square : square ^ 56];
}

#endif
