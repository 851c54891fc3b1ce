/* Attacks on kings: who attacks the zone around the enemy king, how much of it, what checks there are,
 * and where the king can go. About a sixth of the evaluation's time. */
#include "modern_sink.h"

/* What an attack on a square of the zone, and a safe check, add to the danger. */
static const int zone_units[] = {[KNIGHT] = 2, [BISHOP] = 2, [ROOK] = 3, [QUEEN] = 4};
static const int check_units[] = {[KNIGHT] = 6, [BISHOP] = 5, [ROOK] = 8, [QUEEN] = 7};

enum { DANGER_MAX = 80, DANGER_PART = 8 };

/* The squares from which each kind gives check. */
INLINE void find_checks(const struct modern_facts *f, enum color us, Bitboard checks[6])
{
    int king = f->king[color_other(us)];
    Bitboard diagonal = bishop_attacks(king, f->occupied),
             straight = rook_attacks(king, f->occupied);
    checks[KNIGHT] = knight_attacks(king);
    checks[BISHOP] = diagonal;
    checks[ROOK] = straight;
    checks[QUEEN] = diagonal | straight;
    for (int kind = KNIGHT; kind <= QUEEN; kind++)
        checks[kind] &= f->attacks[us][kind] & ~f->position->by_color[us];
}

/* Checks of each kind; returns what they add to the danger. */
INLINE int check_terms(struct sink *e, const struct modern_facts *f, enum color us, Bitboard weak)
{
    enum color them = color_other(us);
    Bitboard checks[6], safe = ~f->attacked[them] | (weak & f->twice[us]);
    int danger = 0;
    find_checks(f, us, checks);
    for (int kind = KNIGHT; kind <= QUEEN; kind++) {
        int term = 2 * (kind - KNIGHT) + f->turn[us];
        bool is_safe = (checks[kind] & safe) != 0;
        add(e, T_ANY_CHECK + term, checks[kind] != 0);
        add(e, T_SAFE_CHECK + term, is_safe);
        danger += is_safe ? check_units[kind] : 0;
    }
    return danger;
}

INLINE int at_most(int number, int most)
{
    return number < most ? number : most;
}

/* Attacks on the zone, and cover of the own one; returns what attacks add to the danger. */
INLINE int zone_terms(struct sink *e, const struct modern_facts *f, enum color us)
{
    enum color them = color_other(us);
    Bitboard zone = f->zone[them], own_zone = f->zone[us];
    int attackers = 0, defenders = 0, danger = 0, queen = f->queen[us];
    const struct modern_piece *end = f->piece[us] + f->pieces[us];
    for (const struct modern_piece *piece = f->piece[us]; piece < end; piece++) {
        int squares = bits_count(piece->attacks & zone);
        attackers += squares != 0;
        defenders += (piece->attacks & own_zone) != 0;
        danger += zone_units[piece->kind] * squares;
        add(e, T_KING_ATTACK + 2 * (piece->kind - KNIGHT) + queen, squares);
    }
    add(e, T_KING_ATTACKERS + 2 * at_most(attackers, SIZE_COUNTS - 1) + queen, 1);
    add(e, T_ZONE_DEFENDERS + 2 * at_most(defenders, SIZE_COUNTS - 1) + f->queen[them], 1);
    return danger;
}

INLINE void own_king_terms(struct sink *e, const struct modern_facts *f, enum color us)
{
    enum color them = color_other(us);
    unsigned rights = f->position->castling >> (us == WHITE ? 0 : 2) & 3;
    Bitboard flights = f->attacks[us][KING] & ~f->position->by_color[us] & ~f->attacked[them];
    add(e, T_FLIGHTS + bits_count(flights), 1);
    add(e, T_CASTLING + (int)rights, 1);
}

INLINE void side(struct sink *e, const struct modern_facts *f, enum color us)
{
    enum color them = color_other(us);
    Bitboard guards = f->attacks[them][KING] | f->attacks[them][QUEEN];
    Bitboard weak = f->attacked[us] & guards & ~f->twice[them];
    int open = bits_count(f->zone[them] & weak), queen = f->queen[us];
    int danger = zone_terms(e, f, us) + check_terms(e, f, us, weak) + open;
    danger = at_most(danger, DANGER_MAX);
    add(e, T_WEAK_ZONE, open);
    add(e, T_KING_DANGER + queen, danger);
    add(e, T_KING_DANGER_SQUARED + queen, danger * danger / DANGER_PART);
    own_king_terms(e, f, us);
}

MODERN_GROUP(king, side)
