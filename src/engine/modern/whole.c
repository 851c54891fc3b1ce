/* The whole board: the move, space, and endings that material alone misjudges. About a twentieth of the
 * evaluation's time. */
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

INLINE bool opposite_bishops(const struct modern_facts *f)
{
    const struct position *p = f->position;
    if (f->count[WHITE][BISHOP] != 1 || f->count[BLACK][BISHOP] != 1)
        return false;
    Bitboard light = p->by_kind[BISHOP] & LIGHT_SQUARES;
    return light != 0 && !bits_many(light);
}

INLINE void side(struct sink *e, const struct modern_facts *f, enum color us)
{
    enum color them = color_other(us);
    int room = space(f, us), more = f->count[us][PAWN] - f->count[them][PAWN];
    add(e, T_TEMPO, f->turn[us]);
    add(e, T_SPACE, room);
    add(e, T_SPACE_PIECES, room * f->pieces[us]);
    add(e, T_OPPOSITE_BISHOPS, more > 0 && opposite_bishops(f) ? more : 0);
    add(e, T_NO_PAWNS, f->count[us][PAWN] == 0 && f->pieces[us] > f->pieces[them]);
}

MODERN_GROUP(whole, side)
