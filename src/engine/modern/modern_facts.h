/* Internal to the modern evaluation: facts about a position that groups share, computed once: about
 * an eighth of the evaluation's time. */
#ifndef GRAYLING_MODERN_FACTS_H
#define GRAYLING_MODERN_FACTS_H

#include "attacks.h"
#include "modern.h"
#include "sets.h"

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
    Bitboard checks[2][6];  /* squares from which a kind attacks the other king */
    int king[2];
    int count[2][6]; /* pieces of a kind */
    uint64_t counts; /* the same for all kinds but kings, 4 bits each */
    int mover;       /* 1 if White is to move, else -1: only counts read it */
    bool queen[2];   /* the side has a queen */
    struct modern_piece piece[2][MODERN_PIECES + 1]; /* by rising kind; a king's kind ends them */
    int pieces[2];                                   /* of them */
};

void modern_facts_find(struct modern_facts *f, const struct position *p,
                       const struct modern_pawns *pawns);

/* The first piece of a kind, or where it would be.
 *
 * A loop over the pieces of a kind ends where the kind changes, and the loop over the next kind begins
 * there: so the kind is a constant in each, and none waits for a count of pieces. */
SETS_INLINE const struct modern_piece *modern_first(const struct modern_facts *f, enum color us,
                                                    enum kind kind)
{
    int before = 0;
    for (enum kind cheaper = KNIGHT; cheaper < kind; cheaper++)
        before += f->count[us][cheaper];
    return f->piece[us] + before;
}

/* ---- squares ---- */

/* 0 for the files a and h, 3 for d and e. */
static inline int file_from_edge(int file)
{
    return file < 4 ? file : 7 - file;
}

/* Computed at build (gen_modern.c). */
extern const uint8_t modern_distances[64][64];
extern const uint8_t modern_squares_of[64];
extern const Bitboard modern_diagonals[64]; /* a bishop's attacks on an empty board */
extern const Bitboard modern_straights[64]; /* a rook's */
extern const Bitboard modern_lines[6][64];  /* those of a slider of a kind; else empty */

/* The attacks of a piece other than a pawn or king. */
SETS_INLINE Bitboard modern_attacks_of(enum kind kind, int square, Bitboard occupied)
{
    switch (kind) {
    case KNIGHT:
        return knight_attacks(square);
    case BISHOP:
        return bishop_attacks(square, occupied);
    case ROOK:
        return rook_attacks(square, occupied);
    default:
        return queen_attacks(square, occupied);
    }
}

/* King moves between two squares. */
static inline int distance(int a, int b)
{
    return modern_distances[a][b];
}

/* The index of a square, seen by `side`, among the 32 of a wing: the dimensions RANKS and FILES. */
static inline int wing_square(enum color side, int square)
{
    return modern_squares_of[side == WHITE ? square : square ^ 56];
}

/* The square before a pawn. */
static inline int stop_square(enum color side, int square)
{
    return side == WHITE ? square + 8 : square - 8;
}

#endif
