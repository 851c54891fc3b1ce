/* Threats of the next move: a piece can go where it is safe and attacks a rook or a queen that it
 * gains from. Found from the targets: the squares from which each kind attacks them. Worth 18, 10
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
INLINE void threat(struct sink *e, const struct modern_facts *f, enum color us,
                   const struct modern_piece *victim, int kind, Bitboard way)
{
    int attacks = kind - KNIGHT, victims = victim->kind - ROOK;
    way &= (f->attacks[us][kind] >> victim->square & 1) - UINT64_C(1);
    add_turn_if(e, T_NEXT_THREAT + (attacks * SIZE_MAJORS + victims) * SIZE_TURNS, way != 0);
}

/* Threats to a rook or a queen from its diagonals, its lines and afar: by cheaper pieces, and by the
 * others if nothing defends it. */
INLINE void threats_to(struct sink *e, const struct modern_facts *f, enum color us,
                       const struct modern_piece *victim, Bitboard diagonal, Bitboard straight,
                       const Bitboard safe[6])
{
    bool loose = (f->attacked[color_other(us)] >> victim->square & 1) == 0;
    threat(e, f, us, victim, KNIGHT, knight_attacks(victim->square) & safe[KNIGHT]);
    threat(e, f, us, victim, BISHOP, diagonal & safe[BISHOP]);
    if (loose || victim->kind == QUEEN)
        threat(e, f, us, victim, ROOK, straight & safe[ROOK]);
    if (loose)
        threat(e, f, us, victim, QUEEN, (diagonal | straight) & safe[QUEEN]);
}

INLINE void side(struct sink *e, const struct modern_facts *f, enum color us)
{
    enum color them = color_other(us);
    const struct modern_piece *victim = modern_first(f, them, ROOK);
    Bitboard safe[6];
    find_safe(f, us, safe);
    for (; victim->kind == ROOK; victim++)
        threats_to(e, f, us, victim, bishop_attacks(victim->square, f->occupied), victim->attacks,
                   safe);
    for (; victim->kind == QUEEN; victim++)
        threats_to(e, f, us, victim, victim->attacks & modern_diagonals[victim->square],
                   victim->attacks & modern_straights[victim->square], safe);
}

MODERN_GROUP(next, side)
