/* Shelter: on the king's file and those beside it, how far the nearest own and enemy pawns are. Rank 1
 * of a term stands for a file without such a pawn. */
#include "modern_sink.h"

/* The rank, as seen by `us`, of the pawn of a set that is nearest to the own first rank; 0: none. */
INLINE int nearest(enum color us, Bitboard pawns)
{
    if (pawns == 0)
        return 0;
    return us == WHITE ? square_rank(bits_first(pawns))
                       : 7 - square_rank(63 - __builtin_clzll(pawns));
}

INLINE void file_terms(struct sink *e, const struct modern_facts *f, enum color us, int file,
                       Bitboard front, int near)
{
    enum color them = color_other(us);
    Bitboard squares = file_bits(file) & front;
    Bitboard enemies = f->pawns->pawns[them] & squares;
    int own = nearest(us, f->pawns->pawns[us] & squares), storm = nearest(us, enemies);
    int edge = file_from_edge(file) * SIZE_RANKS, blocked = own > 0 && storm == own + 1;
    add(e, T_SHELTER + near * SIZE_FILES * SIZE_RANKS + edge + own, 1);
    add(e, T_STORM + blocked * SIZE_FILES * SIZE_RANKS + edge + storm, 1);
}

INLINE void side(struct sink *e, const struct modern_facts *f, enum color us)
{
    int king = f->king[us], middle = square_file(king);
    Bitboard rank = rank_bits(square_rank(king)), front = fill_ahead(us, rank);
    middle = middle < 1 ? 1 : middle > 6 ? 6 : middle;
    for (int file = middle - 1; file <= middle + 1; file++)
        file_terms(e, f, us, file, front, file == square_file(king));
}

MODERN_GROUP(shelter, side)
