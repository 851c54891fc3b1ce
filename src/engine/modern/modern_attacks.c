/* Threats: what attacks what, how it is defended, and whose turn it is. A piece is en prise if it is attacked and has
 * no defender, or is attacked by something cheaper. Worth 100, 14 % of the time (modern_sink.h). */
#include "modern_sink.h"

/* Each kind of attacker on each kind of victim. The guard of a square, a value of GUARDS, is put
 * together from two sets, a bit each. */
INLINE void attacks_on(struct sink *e, const struct modern_facts *f, Bitboard victims)
{
    Bitboard pawn_guards = f->attacks[ENEMY][PAWN], outnumbered = f->twice[OWN] & ~f->twice[ENEMY];
    Bitboard high = f->attacked[ENEMY] & ~pawn_guards;
    Bitboard low = f->attacked[ENEMY] & (pawn_guards | outnumbered);
    for (Bitboard set = f->attacked[OWN] & victims; set != 0;) {
        int square = bits_pop(&set);
        int guard = (int)((high >> square & 1) << 1 | (low >> square & 1));
        int term = T_THREAT + (f->position->board[square] * SIZE_GUARDS + guard) * SIZE_TURNS;
        for (int kind = PAWN; kind <= KING; kind++)
            add_turn_if(e, term + kind * (SIZE_KINDS * SIZE_GUARDS * SIZE_TURNS),
                        f->attacks[OWN][kind] >> square & 1);
    }
}

/* The enemy pieces that can be won. */
INLINE Bitboard en_prise(const struct modern_facts *f, Bitboard victims)
{
    const struct position *p = f->position;
    const Bitboard *a = f->attacks[OWN];
    Bitboard minor_attacks = a[PAWN] | a[KNIGHT] | a[BISHOP];
    Bitboard minors = p->by_kind[KNIGHT] | p->by_kind[BISHOP];
    return victims &
           ((f->attacked[OWN] & ~f->attacked[ENEMY]) | (minors & a[PAWN]) |
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
INLINE void pawn_threats(struct sink *e, const struct modern_facts *f, Bitboard pieces)
{
    Bitboard pawns = f->pawns->pawns[OWN], free = ~f->occupied;
    Bitboard safe = ~f->attacks[ENEMY][PAWN] & (f->attacked[OWN] | ~f->attacked[ENEMY]);
    Bitboard steps = ahead(OWN, pawns) & free;
    steps |= ahead(OWN, steps & rank_relative(OWN, 2)) & free;
    add_by_kind(e, f, T_SAFE_PAWN_THREAT,
                pawns_attacks(OWN, pawns & (f->attacked[OWN] | ~f->attacked[ENEMY])) & pieces);
    add_by_kind(e, f, T_PUSH_THREAT,
                pawns_attacks(OWN, steps & safe) & pieces & ~f->attacks[OWN][PAWN]);
}

INLINE void threats_side(struct sink *e, const struct modern_facts *f)
{
    Bitboard victims = f->position->by_color[ENEMY] & ~bit(f->king[ENEMY]);
    Bitboard pieces = victims & ~f->pawns->pawns[ENEMY];
    attacks_on(e, f, victims);
    en_prise_terms(e, f, en_prise(f, victims));
    pawn_threats(e, f, pieces);
}

MODERN_GROUP(threats, threats_side)

/* Threats of the next move: a piece can go where it is safe and attacks a rook or a queen that it gains from. Found
 * from the targets: the squares from which each kind attacks them. Worth 18, 10 % of the time (modern_sink.h). */

/* The squares to which each kind can go without being lost. */
INLINE void find_safe(const struct modern_facts *f, Bitboard safe[6])
{
    const Bitboard *enemy = f->attacks[ENEMY];
    Bitboard held = ~f->position->by_color[OWN] & (~f->attacked[ENEMY] | f->twice[OWN]);
    safe[KNIGHT] = f->attacks[OWN][KNIGHT] & held & ~enemy[PAWN];
    safe[BISHOP] = f->attacks[OWN][BISHOP] & held & ~enemy[PAWN];
    held &= ~(enemy[PAWN] | enemy[KNIGHT] | enemy[BISHOP]);
    safe[ROOK] = f->attacks[OWN][ROOK] & held;
    safe[QUEEN] = f->attacks[OWN][QUEEN] & held & ~enemy[ROOK];
}

/* A kind's way to attack a target that it does not attack yet. */
INLINE void threat(struct sink *e, const struct modern_facts *f, const struct modern_piece *victim,
                   int kind, Bitboard way)
{
    int attacks = kind - KNIGHT, victims = victim->kind - ROOK;
    way &= (f->attacks[OWN][kind] >> victim->square & 1) - UINT64_C(1);
    add_turn_if(e, T_NEXT_THREAT + (attacks * SIZE_MAJORS + victims) * SIZE_TURNS, way != 0);
}

/* Threats to a rook or a queen from its diagonals, its lines and afar: by cheaper pieces, and by the
 * others if nothing defends it. */
INLINE void threats_to(struct sink *e, const struct modern_facts *f,
                       const struct modern_piece *victim, Bitboard diagonal, Bitboard straight,
                       const Bitboard safe[6])
{
    bool loose = (f->attacked[ENEMY] >> victim->square & 1) == 0;
    threat(e, f, victim, KNIGHT, knight_attacks(victim->square) & safe[KNIGHT]);
    threat(e, f, victim, BISHOP, diagonal & safe[BISHOP]);
    if (loose || victim->kind == QUEEN)
        threat(e, f, victim, ROOK, straight & safe[ROOK]);
    if (loose)
        threat(e, f, victim, QUEEN, (diagonal | straight) & safe[QUEEN]);
}

INLINE void next_side(struct sink *e, const struct modern_facts *f)
{
    const struct modern_piece *victim = modern_first(f, ENEMY, ROOK);
    Bitboard safe[6];
    find_safe(f, safe);
    for (; victim->kind == ROOK; victim++)
        threats_to(e, f, victim, bishop_attacks(victim->square, f->occupied), victim->attacks,
                   safe);
    for (; victim->kind == QUEEN; victim++)
        threats_to(e, f, victim, victim->attacks & bishop_attacks(victim->square, 0),
                   victim->attacks & rook_attacks(victim->square, 0), safe);
}

MODERN_GROUP(next, next_side)

/* Guards: what defends what, what nothing does, what is attacked twice. Worth 26, 7 % of the time (modern_sink.h). */

/* Each kind of defender of each own kind. */
INLINE void protections(struct sink *e, const struct modern_facts *f)
{
    for (int own = PAWN; own <= QUEEN; own++) {
        Bitboard pieces = position_pieces(f->position, OWN, own);
        if (pieces == 0)
            continue;
        for (int kind = PAWN; kind <= KING; kind++)
            add(e, T_PROTECTED + kind * SIZE_KINDS + own,
                bits_count(f->attacks[OWN][kind] & pieces));
    }
}

/* Counts pieces by kind: mostly several, so that there is no branch to predict. */
INLINE void count_by_kind(struct sink *e, const struct modern_facts *f, int term, Bitboard set)
{
    for (int kind = PAWN; kind <= QUEEN; kind++)
        add_turn(e, term + 2 * kind, bits_count(set & f->position->by_kind[kind]));
}

INLINE void guards_side(struct sink *e, const struct modern_facts *f)
{
    Bitboard victims = f->position->by_color[ENEMY] & ~bit(f->king[ENEMY]);
    protections(e, f);
    count_by_kind(e, f, T_LOOSE, victims & ~f->attacked[ENEMY]);
    count_by_kind(e, f, T_TWICE, victims & f->twice[OWN]);
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
INLINE int fewest_flights(const struct modern_facts *f, int kind, Bitboard from)
{
    Bitboard occupied = f->occupied ^ bit(f->king[ENEMY]);
    Bitboard flights = f->attacks[ENEMY][KING] & ~f->position->by_color[ENEMY] & ~f->attacked[OWN];
    int fewest = at_most(bits_count(flights), SIZE_FEW - 1);
    while (from != 0 && fewest > 0) {
        Bitboard covered = piece_attacks(kind, bits_pop(&from), occupied);
        fewest = at_most(bits_count(flights & ~covered), fewest);
    }
    return fewest;
}

/* Checks of each kind; returns what they add to the danger. */
INLINE int check_terms(struct sink *e, const struct modern_facts *f, Bitboard weak)
{
    Bitboard safe = ~f->attacked[ENEMY] | (weak & f->twice[OWN]);
    int danger = 0;
    for (int kind = KNIGHT; kind <= QUEEN; kind++) {
        Bitboard checks = f->checks[kind] & f->attacks[OWN][kind] & ~f->position->by_color[OWN];
        int row = kind - KNIGHT;
        add_turn_if(e, T_ANY_CHECK + SIZE_TURNS * row, checks != 0);
        if ((checks & safe) == 0)
            continue;
        int flights = fewest_flights(f, kind, checks & safe);
        add_turn_if(e, T_SAFE_CHECK + (SIZE_FEW * row + flights) * SIZE_TURNS, true);
        danger += check_units[kind];
    }
    return danger;
}

/* Attacks on the zone, and cover of the own one; returns what attacks add to the danger. */
INLINE int zone_terms(struct sink *e, const struct modern_facts *f)
{
    Bitboard zone = f->zone[ENEMY], own_zone = f->zone[OWN];
    int attackers = 0, defenders = 0, danger = 0, queen = f->queen[OWN];
    for (const struct modern_piece *piece = f->piece[OWN]; piece->kind != KING; piece++) {
        int squares = bits_count(piece->attacks & zone);
        attackers += squares != 0;
        defenders += (piece->attacks & own_zone) != 0;
        danger += zone_units[piece->kind] * squares;
        add(e, T_KING_ATTACK + 2 * (piece->kind - KNIGHT) + queen, squares);
    }
    add(e, T_KING_ATTACKERS + 2 * at_most(attackers, SIZE_COUNTS - 1) + queen, 1);
    add(e, T_ZONE_DEFENDERS + 2 * at_most(defenders, SIZE_COUNTS - 1) + f->queen[ENEMY], 1);
    return danger;
}

INLINE void contact_term(struct sink *e, const struct modern_facts *f)
{
    Bitboard beside = f->attacks[OWN][QUEEN] & f->attacks[ENEMY][KING];
    beside &= f->twice[OWN] & ~f->twice[ENEMY] & ~f->position->by_color[OWN];
    add_turn_if(e, T_CONTACT_CHECK, beside != 0);
}

INLINE void own_king_terms(struct sink *e, const struct modern_facts *f)
{
    bool can_short = position_castling_rook(f->position, OWN, f->king[OWN], CASTLE_SHORT) != 0;
    bool can_long = position_castling_rook(f->position, OWN, f->king[OWN], CASTLE_LONG) != 0;
    Bitboard flights = f->attacks[OWN][KING] & ~f->position->by_color[OWN] & ~f->attacked[ENEMY];
    add(e, T_FLIGHTS + bits_count(flights), 1);
    add(e, T_CASTLING + can_short + 2 * can_long, 1);
}

INLINE void king_side(struct sink *e, const struct modern_facts *f)
{
    Bitboard guards = f->attacks[ENEMY][KING] | f->attacks[ENEMY][QUEEN];
    Bitboard weak = f->attacked[OWN] & guards & ~f->twice[ENEMY];
    int open = bits_count(f->zone[ENEMY] & weak), queen = f->queen[OWN];
    int danger = zone_terms(e, f) + check_terms(e, f, weak) + open;
    danger = at_most(danger, DANGER_MAX);
    add(e, T_WEAK_ZONE, open);
    add(e, T_KING_DANGER + queen, danger);
    add(e, T_KING_DANGER_SQUARED + queen, danger * danger / DANGER_PART);
    contact_term(e, f);
    own_king_terms(e, f);
}

MODERN_GROUP(king, king_side)
