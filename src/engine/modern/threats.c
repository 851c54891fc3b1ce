/* Threats: what attacks what, how it is defended, and whose turn it is. A piece is en prise if it
 * is attacked and has no defender, or is attacked by something cheaper. Worth 100, 14 % of the
 * time (modern_sink.h). */
#include "modern_sink.h"

/* Each kind of attacker on each kind of victim. The guard of a square, a value of GUARDS, is put
 * together from two sets, a bit each. */
INLINE void attacks_on(struct sink *e, const struct modern_facts *f, enum color us,
                       Bitboard victims)
{
    enum color them = color_other(us);
    Bitboard pawn_guards = f->attacks[them][PAWN], outnumbered = f->twice[us] & ~f->twice[them];
    Bitboard high = f->attacked[them] & ~pawn_guards;
    Bitboard low = f->attacked[them] & (pawn_guards | outnumbered);
    for (Bitboard set = f->attacked[us] & victims; set != 0;) {
        int square = bits_pop(&set);
        int guard = (int)((high >> square & 1) << 1 | (low >> square & 1));
        int term = T_THREAT + (f->position->board[square] * SIZE_GUARDS + guard) * SIZE_TURNS;
        for (int kind = PAWN; kind <= KING; kind++)
            add_turn_if(e, term + kind * (SIZE_KINDS * SIZE_GUARDS * SIZE_TURNS),
                        f->attacks[us][kind] >> square & 1);
    }
}

/* The enemy pieces that can be won. */
INLINE Bitboard en_prise(const struct modern_facts *f, enum color us, Bitboard victims)
{
    const struct position *p = f->position;
    const Bitboard *a = f->attacks[us];
    Bitboard minor_attacks = a[PAWN] | a[KNIGHT] | a[BISHOP];
    Bitboard minors = p->by_kind[KNIGHT] | p->by_kind[BISHOP];
    return victims &
           ((f->attacked[us] & ~f->attacked[color_other(us)]) | (minors & a[PAWN]) |
            (p->by_kind[ROOK] & minor_attacks) | (p->by_kind[QUEEN] & (minor_attacks | a[ROOK])));
}

/* The kind of the dearest piece of a set: a pawn's, plus one for each dearer kind that it reaches. */
INLINE int dearest(const struct position *p, Bitboard set)
{
    Bitboard heavy = p->by_kind[ROOK] | p->by_kind[QUEEN], from_bishop = heavy | p->by_kind[BISHOP];
    return ((set & (from_bishop | p->by_kind[KNIGHT])) != 0) + ((set & from_bishop) != 0) +
           ((set & heavy) != 0) + ((set & p->by_kind[QUEEN]) != 0);
}

/* How many there are, and the two best of them. */
INLINE void en_prise_terms(struct sink *e, const struct modern_facts *f, Bitboard set)
{
    const struct position *p = f->position;
    int count = bits_count(set);
    add_turn_if(e, T_EN_PRISE + 2 * (count < SIZE_FEW ? count : SIZE_FEW - 1), true);
    if (set == 0)
        return;
    int best = dearest(p, set);
    Bitboard best_pieces = set & p->by_kind[best], rest = set & ~(best_pieces & -best_pieces);
    add_turn_if(e, T_EN_PRISE_BEST + 2 * best, true);
    add_turn_if(e, T_EN_PRISE_SECOND + 2 * dearest(p, rest), rest != 0);
}

/* Attacks by pawns that cannot simply be taken, now and after one step. */
INLINE void pawn_threats(struct sink *e, const struct modern_facts *f, enum color us,
                         Bitboard pieces)
{
    enum color them = color_other(us);
    Bitboard pawns = f->pawns->pawns[us], free = ~f->occupied;
    Bitboard safe = ~f->attacks[them][PAWN] & (f->attacked[us] | ~f->attacked[them]);
    Bitboard steps = ahead(us, pawns) & free;
    steps |= ahead(us, steps & rank_relative(us, 2)) & free;
    add_by_kind(e, f, T_SAFE_PAWN_THREAT,
                pawns_attacks(us, pawns & (f->attacked[us] | ~f->attacked[them])) & pieces);
    add_by_kind(e, f, T_PUSH_THREAT,
                pawns_attacks(us, steps & safe) & pieces & ~f->attacks[us][PAWN]);
}

INLINE void side(struct sink *e, const struct modern_facts *f, enum color us)
{
    enum color them = color_other(us);
    Bitboard victims = f->position->by_color[them] & ~bit(f->king[them]);
    Bitboard pieces = victims & ~f->pawns->pawns[them];
    attacks_on(e, f, us, victims);
    en_prise_terms(e, f, en_prise(f, us, victims));
    pawn_threats(e, f, us, pieces);
}

MODERN_GROUP(threats, side)
