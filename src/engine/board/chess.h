/* Basic types: squares, pieces, colours, moves, and sets of squares.
 *
 * Squares are numbered by rank: a1 = 0, h1 = 7, h8 = 63. A Bitboard is a set of squares; bit i stands for square i. */
#ifndef GRAYLING_CHESS_H
#define GRAYLING_CHESS_H

#include <stdbool.h>
#include <stdint.h>

/* A function that is called so often, or with constants that it is specialised for, that it is inlined always. */
#define INLINE static inline __attribute__((always_inline))

typedef uint64_t Bitboard;
typedef uint16_t Move;

enum color { WHITE, BLACK };
enum kind { PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING, NO_KIND };
enum { NO_SQUARE = 64, MAX_MOVES = 256 };

/* A move packs the from square (6 bits), the to square (6 bits) and a flag (4 bits). Castling is encoded as the king's
 * move, to the g- or c-file; in Chess960 the king may stand there already, and so may an own rook. In `enum move_flag`,
 * bit 4 marks a capture and bit 8 a promotion; the low two bits of a promotion are the piece, knight to queen. */
enum move_flag {
    QUIET = 0,
    DOUBLE_PUSH = 1,
    CASTLE_SHORT = 2,
    CASTLE_LONG = 3,
    CAPTURE = 4,
    EN_PASSANT = 5,
    PROMOTION = 8,
};

/* No move: a1a1, which is never legal. Also represents a null move ("--"). */
#define NO_MOVE ((Move)0)

static inline Move move_make(int from, int to, int flag)
{
    return (Move)(from | to << 6 | flag << 12);
}

static inline int move_from(Move m)
{
    return m & 63;
}

static inline int move_to(Move m)
{
    return m >> 6 & 63;
}

static inline int move_flag(Move m)
{
    return m >> 12;
}

static inline bool move_is_capture(Move m)
{
    return (m >> 12 & CAPTURE) != 0;
}

static inline bool move_is_castling(Move m)
{
    return m >> 13 == CASTLE_SHORT >> 1;
}

/* Where the rook lands in castling: beside the king, on the side that it comes from. */
static inline int move_castled_rook(Move m)
{
    return move_to(m) + (m >> 12 == CASTLE_SHORT ? -1 : 1);
}

static inline bool move_is_promotion(Move m)
{
    return (m >> 12 & PROMOTION) != 0;
}

/* The piece promoted to; NO_KIND for other moves. */
static inline enum kind move_promotion(Move m)
{
    return move_is_promotion(m) ? (enum kind)(KNIGHT + (m >> 12 & 3)) : NO_KIND;
}

static inline int square_file(int square)
{
    return square & 7;
}

static inline int square_rank(int square)
{
    return square >> 3;
}

static inline int square_at(int file, int rank)
{
    return rank * 8 + file;
}

/* The value cut to at most `limit` in size. */
static inline int32_t limited(int32_t value, int32_t limit)
{
    return value > limit ? limit : value < -limit ? -limit : value;
}

/* The square as seen by `side`: unchanged for White, flipped vertically for Black. */
static inline int square_relative(int square, enum color side)
{
    return side == WHITE ? square : square ^ 56;
}

/* The square one rank ahead, as seen by `side`, which it is not beyond. */
static inline int square_ahead(enum color side, int square)
{
    return side == WHITE ? square + 8 : square - 8;
}

/* King moves between two squares. */
static inline int square_distance(int a, int b)
{
    int files = square_file(a) - square_file(b), ranks = square_rank(a) - square_rank(b);
    files = files < 0 ? -files : files;
    ranks = ranks < 0 ? -ranks : ranks;
    return files > ranks ? files : ranks;
}

/* The index among 32 squares, where a file counts as its mirror image: four columns, rank by rank. */
static inline int square_wing(int square)
{
    const int file = square_file(square);
    return 4 * square_rank(square) + (file ^ 7 * (file >> 2)); /* no branch to predict */
}

static inline enum color color_other(enum color side)
{
    return (enum color)(side ^ 1);
}

#define FILE_A UINT64_C(0x0101010101010101)
#define RANK_1 UINT64_C(0x00000000000000ff)

static inline Bitboard bit(int square)
{
    return (Bitboard)1 << square;
}

/* The number of squares in a set. Uses one instruction where the target has it, else a parallel sum
 * within the word (Warren 2002, section 5-1), which is faster than the compiler's library call. */
static inline int bits_count(Bitboard b)
{
#ifdef __POPCNT__
    return __builtin_popcountll(b);
#else
    b -= b >> 1 & UINT64_C(0x5555555555555555);
    b = (b & UINT64_C(0x3333333333333333)) + (b >> 2 & UINT64_C(0x3333333333333333));
    b = (b + (b >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
    return (int)(b * FILE_A >> 56);
#endif
}

/* The lowest square of a nonempty set. */
static inline int bits_first(Bitboard b)
{
    return __builtin_ctzll(b);
}

/* Removes and returns the lowest square of a nonempty set: `while (set != 0) { int square = bits_pop(&set); ... }` */
static inline int bits_pop(Bitboard *b)
{
    int square = bits_first(*b);
    *b &= *b - 1;
    return square;
}

/* Whether a set has more than one square. */
static inline bool bits_many(Bitboard b)
{
    return (b & (b - 1)) != 0;
}

static inline Bitboard file_bits(int file)
{
    return FILE_A << file;
}

static inline Bitboard rank_bits(int rank)
{
    return RANK_1 << (8 * rank);
}

#endif
