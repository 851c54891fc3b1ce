/* The whole board: the move, space, and pawns that something blocks. Worth 62, 4 % of the time
 * (modern_sink.h). */
#include "modern_sink.h"

/* Squares of the four files in the centre, on the own ranks 2 to 4, that no pawn occupies or attacks;
 * those behind an own pawn count twice. */
INLINE int space(const struct modern_facts *f, enum color us)
{
    enum color them = color_other(us);
    Bitboard field =
        files_squares(0x3c) & (rank_relative(us, 1) | rank_relative(us, 2) | rank_relative(us, 3));
    Bitboard safe = field & ~f->pawns->pawns[us] & ~f->attacks[them][PAWN];
    Bitboard behind = ahead(them, fill_ahead(them, f->pawns->pawns[us]));
    return bits_count(safe) + bits_count(safe & behind & ~f->attacked[them]);
}

/* Pawns before which something stands. */
INLINE void blocked_terms(struct sink *e, const struct modern_facts *f, enum color us)
{
    enum color them = color_other(us);
    for (Bitboard set = f->pawns->pawns[us] & ahead(them, f->occupied); set != 0;) {
        int square = bits_pop(&set);
        int by_enemy = (f->position->by_color[them] & ahead(us, bit(square))) != 0;
        add(e, T_PAWN_BLOCKED + by_enemy * SIZE_SQUARES + wing_square(us, square), 1);
    }
}

INLINE void side(struct sink *e, const struct modern_facts *f, enum color us)
{
    int room = space(f, us);
    add_if_turn(e, T_TEMPO, false, true);
    add(e, T_SPACE, room);
    add(e, T_SPACE_PIECES, room * f->pieces[us]);
    blocked_terms(e, f, us);
}

MODERN_GROUP(whole, side)
