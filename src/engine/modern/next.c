/* Threats of the next move: a piece can go where it is safe and attacks a rook or a queen that it
 * gains from. Found from the targets: the squares from which each kind attacks them. Worth 18, 12
 * % of the time (modern_sink.h). */
#include "modern_sink.h"

/* The squares to which each kind can go without being lost. */
INLINE void find_safe(const struct modern_facts *f, enum color us, Bitboard safe[6])
{
    enum color them = color_other(us);
    const Bitboard *enemy = f->attacks[them];
    Bitboard held = ~f->position->by_color[us] & (~f->attacked[them] | f->twice[us]);
    safe[KNIGHT] = f->attacks[us][KNIGHT] & held & ~enemy[PAWN];
    safe[BISHOP] = f->attacks[us][BISHOP] & held & ~enemy[PAWN];
    held &= ~(enemy[PAWN] | enemy[KNIGHT] | enemy[BISHOP]);
    safe[ROOK] = f->attacks[us][ROOK] & held;
    safe[QUEEN] = f->attacks[us][QUEEN] & held & ~enemy[ROOK];
}

/* A kind's way to attack a target that it does not attack yet. */
INLINE void threat(struct sink *e, const struct modern_facts *f, enum color us, int square,
                   int victim, int kind, Bitboard way)
{
    way &= (f->attacks[us][kind] >> square & 1) - UINT64_C(1);
    add_turn_if(e, T_NEXT_THREAT + ((kind - KNIGHT) * SIZE_MAJORS + victim - ROOK) * SIZE_TURNS,
                way != 0);
}

/* Threats to all pieces of a set of a kind, a constant, by the kinds below `end`. */
INLINE void threats_to(struct sink *e, const struct modern_facts *f, enum color us, Bitboard set,
                       int victim, int end, const Bitboard safe[6])
{
    while (set != 0) {
        int square = bits_pop(&set);
        Bitboard diagonal = bishop_attacks(square, f->occupied);
        Bitboard straight = end > ROOK ? rook_attacks(square, f->occupied) : 0;
        threat(e, f, us, square, victim, KNIGHT, knight_attacks(square) & safe[KNIGHT]);
        threat(e, f, us, square, victim, BISHOP, diagonal & safe[BISHOP]);
        if (end > ROOK)
            threat(e, f, us, square, victim, ROOK, straight & safe[ROOK]);
        if (end > QUEEN)
            threat(e, f, us, square, victim, QUEEN, (diagonal | straight) & safe[QUEEN]);
    }
}

INLINE void side(struct sink *e, const struct modern_facts *f, enum color us)
{
    enum color them = color_other(us);
    Bitboard enemies = f->position->by_color[them], held = enemies & f->attacked[them];
    Bitboard rooks = enemies & f->position->by_kind[ROOK];
    Bitboard queens = enemies & f->position->by_kind[QUEEN];
    Bitboard safe[6];
    find_safe(f, us, safe);
    threats_to(e, f, us, held & queens, QUEEN, QUEEN, safe);
    threats_to(e, f, us, held & rooks, ROOK, ROOK, safe);
    threats_to(e, f, us, queens & ~held, QUEEN, SIZE_ALL_KINDS, safe);
    threats_to(e, f, us, rooks & ~held, ROOK, SIZE_ALL_KINDS, safe);
}

MODERN_GROUP(next, side)
