/* Attacks on kings: who attacks the zone around the enemy king, how much of it, what checks there
 * are, how near they are to mate, and where the king can go. Worth 64, 13 % of the time
 * (modern_sink.h). */
#include "modern_sink.h"

/* What an attack on a square of the zone, and a safe check, add to the danger. */
static const int zone_units[] = {[KNIGHT] = 2, [BISHOP] = 2, [ROOK] = 3, [QUEEN] = 4};
static const int check_units[] = {[KNIGHT] = 6, [BISHOP] = 5, [ROOK] = 8, [QUEEN] = 7};

enum { DANGER_MAX = 80, DANGER_PART = 8 };

INLINE int at_most(int number, int most)
{
    return number < most ? number : most;
}

/* The fewest squares, at most 3, that are left to the king after a check from one of a set. */
INLINE int fewest_flights(const struct modern_facts *f, enum color us, int kind, Bitboard from)
{
    enum color them = color_other(us);
    Bitboard occupied = f->occupied ^ bit(f->king[them]);
    Bitboard flights = f->attacks[them][KING] & ~f->position->by_color[them] & ~f->attacked[us];
    int fewest = at_most(bits_count(flights), SIZE_FEW - 1);
    while (from != 0 && fewest > 0) {
        Bitboard covered = modern_attacks_of(kind, bits_pop(&from), occupied);
        fewest = at_most(bits_count(flights & ~covered), fewest);
    }
    return fewest;
}

/* Checks of each kind; returns what they add to the danger. */
INLINE int check_terms(struct sink *e, const struct modern_facts *f, enum color us, Bitboard weak)
{
    enum color them = color_other(us);
    Bitboard safe = ~f->attacked[them] | (weak & f->twice[us]);
    int danger = 0;
    for (int kind = KNIGHT; kind <= QUEEN; kind++) {
        Bitboard checks = f->checks[us][kind] & f->attacks[us][kind] & ~f->position->by_color[us];
        int row = kind - KNIGHT;
        add_turn_if(e, T_ANY_CHECK + SIZE_TURNS * row, checks != 0);
        if ((checks & safe) == 0)
            continue;
        int flights = fewest_flights(f, us, kind, checks & safe);
        add_turn_if(e, T_SAFE_CHECK + (SIZE_FEW * row + flights) * SIZE_TURNS, true);
        danger += check_units[kind];
    }
    return danger;
}

/* Attacks on the zone, and cover of the own one; returns what attacks add to the danger. */
INLINE int zone_terms(struct sink *e, const struct modern_facts *f, enum color us)
{
    enum color them = color_other(us);
    Bitboard zone = f->zone[them], own_zone = f->zone[us];
    int attackers = 0, defenders = 0, danger = 0, queen = f->queen[us];
    for (const struct modern_piece *piece = f->piece[us]; piece->kind != KING; piece++) {
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

INLINE void contact_term(struct sink *e, const struct modern_facts *f, enum color us)
{
    enum color them = color_other(us);
    Bitboard beside = f->attacks[us][QUEEN] & f->attacks[them][KING];
    beside &= f->twice[us] & ~f->twice[them] & ~f->position->by_color[us];
    add_turn_if(e, T_CONTACT_CHECK, beside != 0);
}

INLINE void own_king_terms(struct sink *e, const struct modern_facts *f, enum color us)
{
    enum color them = color_other(us);
    bool can_short = position_castling_rook(f->position, us, f->king[us], CASTLE_SHORT) != 0;
    bool can_long = position_castling_rook(f->position, us, f->king[us], CASTLE_LONG) != 0;
    Bitboard flights = f->attacks[us][KING] & ~f->position->by_color[us] & ~f->attacked[them];
    add(e, T_FLIGHTS + bits_count(flights), 1);
    add(e, T_CASTLING + can_short + 2 * can_long, 1);
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
    contact_term(e, f, us);
    own_king_terms(e, f, us);
}

MODERN_GROUP(king, side)
