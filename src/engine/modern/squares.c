/* Squares: where pieces stand. The two wings are alike. Pawns are in pawns.c, kings in shelter.c.
 * Worth 64, 5 % of the time (modern_sink.h). */
#include "modern_sink.h"

INLINE int square_term(enum color us, int kind, int square)
{
    return T_SQUARE + kind * SIZE_SQUARES + wing_square(us, square);
}

INLINE void side(struct sink *e, const struct modern_facts *f, enum color us)
{
    for (const struct modern_piece *piece = f->piece[us]; piece->kind != KING; piece++)
        add(e, square_term(us, piece->kind, piece->square), 1);
}

MODERN_GROUP(squares, side)
