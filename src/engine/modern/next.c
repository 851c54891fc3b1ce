/* Threats of the next move: a piece can go where it is safe and attacks a dearer piece, or a piece
 * without a defender, or two targets at once, the king among them. Found from the targets: the squares
 * from which each kind attacks them. About a sixth of the evaluation's time. */
#include "modern_sink.h"

/* The squares from which a kind attacks one target or more, and two or more. */
struct aims {
    Bitboard once[6], twice[6];
};

INLINE void aim(struct aims *a, int kind, Bitboard from)
{
    a->twice[kind] |= a->once[kind] & from;
    a->once[kind] |= from;
}

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
                   int victim, int kind, Bitboard way, struct aims *a)
{
    way &= (f->attacks[us][kind] >> square & 1) - UINT64_C(1);
    aim(a, kind, way);
    add(e, T_NEXT_THREAT + ((kind - KNIGHT) * SIZE_KINDS + victim) * SIZE_TURNS + f->turn[us],
        way != 0);
}

/* Threats to all pieces of a set of a kind, a constant, by the kinds below `end`. */
INLINE void threats_to(struct sink *e, const struct modern_facts *f, enum color us, Bitboard set,
                       int victim, int end, const Bitboard safe[6], struct aims *a)
{
    while (set != 0) {
        int square = bits_pop(&set);
        Bitboard diagonal = bishop_attacks(square, f->occupied);
        Bitboard straight = end > ROOK ? rook_attacks(square, f->occupied) : 0;
        threat(e, f, us, square, victim, KNIGHT, knight_attacks(square) & safe[KNIGHT], a);
        threat(e, f, us, square, victim, BISHOP, diagonal & safe[BISHOP], a);
        if (end > ROOK)
            threat(e, f, us, square, victim, ROOK, straight & safe[ROOK], a);
        if (end > QUEEN)
            threat(e, f, us, square, victim, QUEEN, (diagonal | straight) & safe[QUEEN], a);
    }
}

INLINE void side(struct sink *e, const struct modern_facts *f, enum color us)
{
    enum color them = color_other(us);
    const Bitboard *kinds = f->position->by_kind;
    Bitboard enemies = f->position->by_color[them], held = enemies & f->attacked[them];
    struct aims a = {0};
    Bitboard safe[6];
    find_safe(f, us, safe);
    for (int kind = KNIGHT; kind <= QUEEN; kind++)
        aim(&a, kind, f->checks[us][kind] & safe[kind]);
    threats_to(e, f, us, held & kinds[QUEEN], QUEEN, QUEEN, safe, &a);
    threats_to(e, f, us, held & kinds[ROOK], ROOK, ROOK, safe, &a);
    for (int kind = KNIGHT; kind <= QUEEN; kind++)
        threats_to(e, f, us, enemies & ~held & kinds[kind], kind, SIZE_ALL_KINDS, safe, &a);
    for (int kind = KNIGHT; kind <= QUEEN; kind++)
        add(e, T_FORK + (kind - KNIGHT) * SIZE_TURNS + f->turn[us], a.twice[kind] != 0);
}

MODERN_GROUP(next, side)
