/* The position of a FEN that a test writes down, and positions with colours exchanged. */
#ifndef GRAYLING_POSITION_OF_H
#define GRAYLING_POSITION_OF_H

#include "position.h"

#include <criterion/criterion.h>

static inline struct position position_of(const char *fen)
{
    struct position p;
    struct error err = {""};
    cr_assert(position_from_fen(&p, fen, NULL, &err), "%s: %s", fen, err.text);
    return p;
}

/* The same position with colours exchanged and the board flipped vertically. */
static inline struct position position_mirrored(const struct position *p)
{
    struct position m = *p;
    for (int kind = PAWN; kind <= KING; kind++)
        m.by_kind[kind] = __builtin_bswap64(p->by_kind[kind]);
    for (int square = 0; square < 64; square++)
        m.board[square ^ 56] = p->board[square];
    m.by_color[WHITE] = __builtin_bswap64(p->by_color[BLACK]);
    m.by_color[BLACK] = __builtin_bswap64(p->by_color[WHITE]);
    m.side = p->side ^ 1;
    m.castling = __builtin_bswap64(p->castling);
    m.ep = p->ep == NO_SQUARE ? NO_SQUARE : p->ep ^ 56;
    m.key = position_compute_key(&m);
    return m;
}

#endif
