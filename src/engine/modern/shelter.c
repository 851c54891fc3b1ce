/* Shelter: on the king's file and those beside it, how far the nearest own and enemy pawns are.
 * Rank 1 of a term stands for a file without such a pawn. All that depends on pawns and one king
 * is here, so that a cache can keep it: the king's square and its distance from passed pawns too.
 * Costs nothing while pawns and kings stay. Worth 56 (modern_sink.h). */
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

/* The distances of the king from the squares before passed pawns, its own and the enemy's. */
INLINE void passed_terms(struct sink *e, const struct modern_facts *f, enum color us)
{
    enum color them = color_other(us);
    const struct modern_pawns *pawns = f->pawns;
    int king = f->king[us];
    for (Bitboard set = pawns->passed & pawns->pawns[us]; set != 0;) {
        int square = bits_pop(&set), rank = rank_for(us, square);
        add(e, T_PASSED_OWN_KING + distance(stop_square(us, square), king), rank);
    }
    for (Bitboard set = pawns->passed & pawns->pawns[them]; set != 0;) {
        int square = bits_pop(&set), rank = rank_for(them, square);
        add(e, T_PASSED_ENEMY_KING + distance(stop_square(them, square), king), -rank);
    }
}

/* All pawns by their wing, the king's and the enemy king's, and by how far they are. */
INLINE void pawn_terms(struct sink *e, const struct modern_facts *f, enum color us)
{
    enum color them = color_other(us);
    const Bitboard *pawns = f->pawns->pawns;
    int king = f->king[us], wing = square_file(king) < 4 ? 0 : 7;
    for (Bitboard set = pawns[us]; set != 0;) {
        int square = bits_pop(&set);
        add(e,
            T_PAWN_BY_KING + SIZE_ALL_FILES * rank_for(us, square) + (square_file(square) ^ wing),
            1);
        add(e, T_KING_TO_PAWN + distance(square, king), 1);
    }
    for (Bitboard set = pawns[them]; set != 0;) {
        int square = bits_pop(&set), row = SIZE_RANKS + rank_for(them, square);
        add(e, T_PAWN_BY_KING + SIZE_ALL_FILES * row + (square_file(square) ^ wing), -1);
        add(e, T_KING_TO_PAWN + SIZE_DISTANCES + distance(square, king), 1);
    }
}

INLINE void side(struct sink *e, const struct modern_facts *f, enum color us)
{
    int king = f->king[us], middle = square_file(king);
    Bitboard rank = rank_bits(square_rank(king)), front = fill_ahead(us, rank);
    middle = middle < 1 ? 1 : middle > 6 ? 6 : middle;
    for (int file = middle - 1; file <= middle + 1; file++)
        file_terms(e, f, us, file, front, file == square_file(king));
    add(e, T_SQUARE + KING * SIZE_SQUARES + wing_square(us, king), 1);
    passed_terms(e, f, us);
    pawn_terms(e, f, us);
}

MODERN_GROUP(shelter, side)

int64_t modern_king_score(const struct modern_pawns *pawns, enum color us, int king,
                          const struct modern_weights *w)
{
    const struct modern_facts f = {.pawns = pawns, .king = {king, king}};
    struct sink e = {.pair = w->pair, .view = us == WHITE ? 1 : -1};
    side(&e, &f, us);
    return e.score;
}
