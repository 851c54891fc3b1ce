/* Threats: what attacks what, how it is defended, and whose turn it is. A piece is en prise if it is attacked and has
 * no defender, or is attacked by something cheaper. Worth 100, 14 % of the time (modern_sink.h). */
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

INLINE void threats_side(struct sink *e, const struct modern_facts *f, enum color us)
{
    enum color them = color_other(us);
    Bitboard victims = f->position->by_color[them] & ~bit(f->king[them]);
    Bitboard pieces = victims & ~f->pawns->pawns[them];
    attacks_on(e, f, us, victims);
    en_prise_terms(e, f, en_prise(f, us, victims));
    pawn_threats(e, f, us, pieces);
}

MODERN_GROUP(threats, threats_side)

/* Threats of the next move: a piece can go where it is safe and attacks a rook or a queen that it gains from. Found
 * from the targets: the squares from which each kind attacks them. Worth 18, 10 % of the time (modern_sink.h). */

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

INLINE void next_side(struct sink *e, const struct modern_facts *f, enum color us)
{
    enum color them = color_other(us);
    const struct modern_piece *victim = modern_first(f, them, ROOK);
    Bitboard safe[6];
    find_safe(f, us, safe);
    for (; victim->kind == ROOK; victim++)
        threats_to(e, f, us, victim, bishop_attacks(victim->square, f->occupied), victim->attacks,
                   safe);
    for (; victim->kind == QUEEN; victim++)
        threats_to(e, f, us, victim, victim->attacks & bishop_attacks(victim->square, 0),
                   victim->attacks & rook_attacks(victim->square, 0), safe);
}

MODERN_GROUP(next, next_side)

/* Guards: what defends what, what nothing defends, and what is attacked twice. Worth 26, 7 % of
 * the time (modern_sink.h). */

/* Each kind of defender of each own kind. */
INLINE void protections(struct sink *e, const struct modern_facts *f, enum color us)
{
    for (int own = PAWN; own <= QUEEN; own++) {
        Bitboard pieces = position_pieces(f->position, us, own);
        if (pieces == 0)
            continue;
        for (int kind = PAWN; kind <= KING; kind++)
            add(e, T_PROTECTED + kind * SIZE_KINDS + own,
                bits_count(f->attacks[us][kind] & pieces));
    }
}

/* Counts pieces by kind: mostly several, so that there is no branch to predict. */
INLINE void count_by_kind(struct sink *e, const struct modern_facts *f, int term, Bitboard set)
{
    for (int kind = PAWN; kind <= QUEEN; kind++)
        add_turn(e, term + 2 * kind, bits_count(set & f->position->by_kind[kind]));
}

INLINE void guards_side(struct sink *e, const struct modern_facts *f, enum color us)
{
    enum color them = color_other(us);
    Bitboard victims = f->position->by_color[them] & ~bit(f->king[them]);
    protections(e, f, us);
    count_by_kind(e, f, T_LOOSE, victims & ~f->attacked[them]);
    count_by_kind(e, f, T_TWICE, victims & f->twice[us]);
}

MODERN_GROUP(guards, guards_side)

/* Attacks on kings: who attacks the zone around the enemy king, how much of it, what checks there are, how near they
 * are to mate, and where the king can go. Worth 64, 13 % of the time (modern_sink.h). */

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
        Bitboard covered = piece_attacks(kind, bits_pop(&from), occupied);
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

INLINE void king_side(struct sink *e, const struct modern_facts *f, enum color us)
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

MODERN_GROUP(king, king_side)
