/* Direct generation of legal moves:
 *
 *   1. survey   finds checkers and pinned pieces, and so the squares where a piece may move at all
 *   2. king     moves to squares that are safe once the king has left its square; castling
 *   3. pieces   attack sets restricted to the allowed squares; a pinned piece stays on its line
 *   4. pawns    all at once by shifting sets; pinned pawns one at a time
 *   5. en passant, where two pawns leave a line together, is verified on the board
 *
 * The side to move and the kind of moves wanted are constant arguments of inlined functions, so the
 * compiler generates specialised code for each combination. */
#include "movegen.h"

#include "attacks.h"
#include "sets.h"

#include <stddef.h>

/* The kind of moves wanted. */
enum want {
    WANT_ALL,
    WANT_CAPTURES, /* and promotions to a queen */
    WANT_QUIETS,   /* all others */
    WANT_CHECKS,   /* quiet moves that may give check */
    WANT_COUNT,
    WANT_ANY, /* a count that may stop once it is nonzero */
};

/* The output: moves are stored, or only counted. */
struct sink {
    Move *next;
    int count;
    Bitboard others; /* targets of quiet moves that cannot give check, if checks are wanted */
};

/* The result of the survey; `us` is the side to move. */
struct scene {
    const struct position *p;
    Bitboard own, enemy, occupied;
    Bitboard movers;   /* own pieces whose moves are wanted */
    Bitboard aims;     /* wanted target squares */
    Bitboard wanted;   /* those without own pieces */
    Bitboard checkers; /* enemy pieces that give check */
    Bitboard pinned;   /* own pieces that may only move on a line with their king */
    Bitboard allowed;  /* targets of pieces but the king, which must end a check */
    int king;
    const struct check_squares *checks; /* of the enemy king, if checks are wanted */
};

INLINE bool quiets_alone(enum want want)
{
    return want == WANT_QUIETS || want == WANT_CHECKS;
}

/* ---- the sink ---- */

INLINE bool lists(enum want want)
{
    return want != WANT_COUNT && want != WANT_ANY;
}

INLINE void emit(struct sink *out, enum want want, int from, int to, int flag)
{
    if (lists(want))
        *out->next++ = move_make(from, to, flag);
    else
        out->count++;
}

INLINE void emit_piece(const struct scene *s, struct sink *out, enum want want, int from,
                       Bitboard targets)
{
    if (!lists(want)) {
        out->count += bits_count(targets);
        return;
    }
    Bitboard captures = quiets_alone(want) ? 0 : targets & s->enemy;
    Bitboard quiets = want == WANT_CAPTURES ? 0 : targets & ~s->enemy;
    while (captures != 0)
        emit(out, want, from, bits_pop(&captures), CAPTURE);
    while (quiets != 0)
        emit(out, want, from, bits_pop(&quiets), QUIET);
}

/* Emits a pawn move to each target, from `step` squares before it. */
INLINE void emit_pawns(struct sink *out, enum want want, Bitboard targets, int step, int flag)
{
    if (!lists(want)) {
        out->count += bits_count(targets);
        return;
    }
    while (targets != 0) {
        int to = bits_pop(&targets);
        emit(out, want, to - step, to, flag);
    }
}

/* Emits promotions on each target: to all pieces, only to a queen, or the underpromotions. */
INLINE void emit_promotions(struct sink *out, enum want want, Bitboard targets, int step, int flag)
{
    while (targets != 0) {
        int to = bits_pop(&targets);
        if (!quiets_alone(want))
            emit(out, want, to - step, to, flag | PROMOTION | (QUEEN - KNIGHT));
        if (want == WANT_CAPTURES && flag != CAPTURE)
            continue;
        for (int piece = ROOK - KNIGHT; piece >= 0; piece--)
            emit(out, want, to - step, to, flag | PROMOTION | piece);
    }
}

/* ---- 1. survey ---- */

/* Finds checking sliders and pinned pieces. On each line from the king through own pieces, an enemy
 * slider gives check (no piece between), pins (one piece), or is blocked (several). */
INLINE void survey_sliders(struct scene *s)
{
    Bitboard snipers = sliders_attacking(s->p, s->king, s->enemy) & s->enemy;
    while (snipers != 0) {
        int sniper = bits_pop(&snipers);
        Bitboard blockers = between_table[s->king][sniper] & s->own;
        if (blockers == 0)
            s->checkers |= bit(sniper);
        else if (!bits_many(blockers))
            s->pinned |= blockers;
    }
}

INLINE struct scene survey(const struct position *p, Bitboard from, Bitboard to,
                           const struct check_squares *checks, const enum color us)
{
    const enum color them = color_other(us);
    struct scene s = {.p = p, .own = p->by_color[us], .enemy = p->by_color[them], .checks = checks};
    s.occupied = s.own | s.enemy;
    s.movers = s.own & from;
    s.aims = to;
    s.wanted = to & ~s.own;
    s.king = position_king(p, us);
    s.checkers = (pawn_attacks(us, s.king) & position_pieces(p, them, PAWN)) |
                 (knight_attacks(s.king) & position_pieces(p, them, KNIGHT));
    survey_sliders(&s);
    s.allowed = s.wanted;
    if (s.checkers != 0)
        s.allowed &= between_table[s.king][bits_first(s.checkers)] | s.checkers;
    return s;
}

/* The targets from which a piece may give check, directly or by leaving a line to the king. */
INLINE Bitboard checking_targets(const struct scene *s, int from, enum kind kind)
{
    return (s->checks->discoverers & bit(from)) != 0 ? ~(Bitboard)0 : s->checks->by_kind[kind];
}

/* ---- 2. king ---- */

/* The king's target squares that no enemy piece attacks once the king has left its own. */
INLINE Bitboard safe_squares(const struct scene *s, Bitboard targets, const enum color us)
{
    const enum color them = color_other(us);
    const struct position *p = s->p;
    targets &= ~pawns_attacks(them, position_pieces(p, them, PAWN));
    targets &= ~king_attacks(position_king(p, them));
    Bitboard safe = 0;
    while (targets != 0) {
        const int to = bits_pop(&targets);
        if ((knight_attacks(to) & position_pieces(p, them, KNIGHT)) == 0 &&
            (sliders_attacking(p, to, s->occupied ^ bit(s->king)) & s->enemy) == 0)
            safe |= bit(to);
    }
    return safe;
}

/* Castling with a rook needs `path` empty, and `walk`, the king's squares, not attacked. */
struct castling_way {
    int to;
    Bitboard path, walk;
};

INLINE struct castling_way castling_way(int king, int rook, int flag)
{
    const int to = square_at(flag == CASTLE_SHORT ? 6 : 2, square_rank(king));
    const int rook_to = flag == CASTLE_SHORT ? to - 1 : to + 1;
    const Bitboard walk = between_table[king][to] | bit(to);
    const Bitboard all = walk | between_table[rook][rook_to] | bit(rook_to);
    return (struct castling_way){to, all & ~bit(king) & ~bit(rook), walk};
}

/* Generates castling to one side; the king is not in check. In Chess960 the rook may be pinned: the king
 * ends on its line. */
INLINE void generate_castling(const struct scene *s, struct sink *out, enum want want,
                              const enum color us, int flag)
{
    Bitboard rook = position_castling_rook(s->p, us, s->king, flag);
    if (rook == 0 || (between_table[s->king][bits_first(rook)] & s->occupied) != 0)
        return;
    const struct castling_way way = castling_way(s->king, bits_first(rook), flag);
    if ((s->occupied & way.path) != 0 || (s->aims & bit(way.to)) == 0 || (s->pinned & rook) != 0)
        return;
    if (safe_squares(s, way.walk, us) == way.walk)
        emit(out, want, s->king, way.to, flag);
}

INLINE void generate_king(const struct scene *s, struct sink *out, enum want want,
                          const enum color us)
{
    if ((s->movers & bit(s->king)) == 0)
        return;
    Bitboard targets = king_attacks(s->king) & s->wanted;
    if (want == WANT_CAPTURES)
        targets &= s->enemy;
    else if (quiets_alone(want))
        targets &= ~s->enemy;
    if (want == WANT_CHECKS)
        targets &= checking_targets(s, s->king, KING);
    emit_piece(s, out, want, s->king, safe_squares(s, targets, us));
    if (want == WANT_CAPTURES || s->checkers != 0)
        return;
    generate_castling(s, out, want, us, CASTLE_SHORT);
    generate_castling(s, out, want, us, CASTLE_LONG);
}

/* ---- 3. pieces ---- */

/* Generates moves of knights, bishops, rooks or queens. A pinned knight has none. */
INLINE void generate_pieces(const struct scene *s, struct sink *out, enum want want,
                            const enum kind kind)
{
    Bitboard pieces = s->p->by_kind[kind] & s->movers;
    if (kind == KNIGHT)
        pieces &= ~s->pinned;
    while (pieces != 0) {
        int from = bits_pop(&pieces);
        Bitboard targets = piece_attacks(kind, from, s->occupied) & s->allowed;
        if (kind != KNIGHT && (s->pinned & bit(from)) != 0)
            targets &= line_table[s->king][from];
        if (want == WANT_CHECKS) {
            Bitboard checking = checking_targets(s, from, kind);
            out->others |= targets & ~checking & ~s->enemy;
            targets &= checking;
        }
        emit_piece(s, out, want, from, targets);
    }
}

/* ---- 4. pawns ---- */

/* Generates captures of pawns towards one side (`west` or east), onto the allowed squares. */
INLINE void generate_pawn_captures(const struct scene *s, struct sink *out, enum want want,
                                   Bitboard pawns, Bitboard allowed, const enum color us,
                                   const bool west)
{
    const Bitboard last = rank_relative(us, 7);
    const int step = (us == WHITE ? 8 : -8) + (west ? -1 : 1);
    Bitboard inside = pawns & ~file_bits(west ? 0 : 7);
    Bitboard targets = step > 0 ? inside << (step & 63) : inside >> (-step & 63);
    targets &= allowed & s->enemy;
    emit_promotions(out, want, targets & last, step, CAPTURE);
    emit_pawns(out, want, targets & ~last, step, CAPTURE);
}

/* Generates pushes of a set of pawns onto the allowed squares. */
INLINE void generate_pushes(const struct scene *s, struct sink *out, enum want want, Bitboard pawns,
                            Bitboard allowed, const enum color us)
{
    const Bitboard last = rank_relative(us, 7), third = rank_relative(us, 2);
    const int step = us == WHITE ? 8 : -8;
    Bitboard single = ahead(us, pawns) & ~s->occupied;
    emit_promotions(out, want, single & allowed & last, step, QUIET);
    if (want == WANT_CAPTURES)
        return;
    Bitboard twice = ahead(us, single & third) & ~s->occupied;
    if (want == WANT_CHECKS) {
        Bitboard discovering = ahead(us, pawns & s->checks->discoverers);
        out->others |= single & ~s->checks->by_kind[PAWN] & ~discovering & allowed & ~last;
        single &= s->checks->by_kind[PAWN] | discovering;
        twice &= s->checks->by_kind[PAWN] | ahead(us, discovering);
    }
    emit_pawns(out, want, single & allowed & ~last, step, QUIET);
    emit_pawns(out, want, twice & allowed, 2 * step, DOUBLE_PUSH);
}

/* Generates all moves of a set of pawns except en passant. */
INLINE void generate_pawn_set(const struct scene *s, struct sink *out, enum want want,
                              Bitboard pawns, Bitboard allowed, const enum color us)
{
    if (!quiets_alone(want)) {
        generate_pawn_captures(s, out, want, pawns, allowed, us, true);
        generate_pawn_captures(s, out, want, pawns, allowed, us, false);
    }
    generate_pushes(s, out, want, pawns, allowed, us);
}

/* ---- 5. en passant ---- */

/* Verifies each en passant capture: with both pawns off their squares, is the king attacked? */
static void generate_en_passant(const struct scene *s, struct sink *out, enum want want,
                                enum color us)
{
    const struct position *p = s->p;
    int captured = square_ahead(color_other(us), p->ep);
    Bitboard enemy = s->enemy ^ bit(captured);
    Bitboard takers = pawn_attacks(color_other(us), p->ep) & p->by_kind[PAWN] & s->movers;
    while (takers != 0) {
        int from = bits_pop(&takers);
        Bitboard after = s->occupied ^ bit(from) ^ bit(captured) ^ bit(p->ep);
        if ((position_attackers(p, s->king, after) & enemy) == 0)
            emit(out, want, from, p->ep, EN_PASSANT);
    }
}

INLINE void generate_pawns(const struct scene *s, struct sink *out, enum want want,
                           const enum color us)
{
    Bitboard pawns = s->p->by_kind[PAWN] & s->movers, pinned = pawns & s->pinned;
    generate_pawn_set(s, out, want, pawns ^ pinned, s->allowed, us);
    while (pinned != 0) {
        int from = bits_pop(&pinned);
        generate_pawn_set(s, out, want, bit(from), s->allowed & line_table[s->king][from], us);
    }
    if (!quiets_alone(want) && s->p->ep != NO_SQUARE && (s->wanted & bit(s->p->ep)) != 0)
        generate_en_passant(s, out, want, us);
}

/* Whether an unpinned pawn can step forward: the cheapest test for a legal move. */
INLINE bool pawn_steps(const struct scene *s, const enum color us)
{
    Bitboard pawns = s->p->by_kind[PAWN] & s->movers & ~s->pinned;
    return (ahead(us, pawns) & ~s->occupied & s->allowed) != 0;
}

/* ---- all of it ---- */

/* Generates the moves of one side. In double check only the king moves. */
INLINE void generate(const struct position *p, Bitboard from, Bitboard to,
                     const struct check_squares *checks, struct sink *out, const enum want want,
                     const enum color us)
{
    struct scene s = survey(p, from, to, checks, us);
    if (!bits_many(s.checkers)) {
        if (want == WANT_ANY && pawn_steps(&s, us)) {
            out->count = 1;
            return;
        }
        generate_pawns(&s, out, want, us);
        generate_pieces(&s, out, want, KNIGHT);
        if (want == WANT_ANY && out->count != 0)
            return;
        generate_pieces(&s, out, want, BISHOP);
        generate_pieces(&s, out, want, ROOK);
        generate_pieces(&s, out, want, QUEEN);
        if (want == WANT_ANY && out->count != 0)
            return;
    }
    generate_king(&s, out, want, us);
}

/* Lists the wanted moves of the side to move. Returns the sink's `others`. */
INLINE Bitboard list_moves(const struct position *p, Bitboard from, Bitboard to,
                           const struct check_squares *checks, struct move_list *list,
                           const enum want want)
{
    struct sink out = {.next = list->moves};
    if (p->side == WHITE)
        generate(p, from, to, checks, &out, want, WHITE);
    else
        generate(p, from, to, checks, &out, want, BLACK);
    list->count = (int)(out.next - list->moves);
    return out.others;
}

INLINE int count_moves(const struct position *p, const enum want want)
{
    const Bitboard all = ~(Bitboard)0;
    struct sink out = {0};
    if (p->side == WHITE)
        generate(p, all, all, NULL, &out, want, WHITE);
    else
        generate(p, all, all, NULL, &out, want, BLACK);
    return out.count;
}

void movegen_legal(const struct position *p, struct move_list *list)
{
    movegen_between(p, ~(Bitboard)0, ~(Bitboard)0, list);
}

void movegen_captures(const struct position *p, struct move_list *list)
{
    list_moves(p, ~(Bitboard)0, ~(Bitboard)0, NULL, list, WANT_CAPTURES);
}

void movegen_quiets(const struct position *p, struct move_list *list)
{
    list_moves(p, ~(Bitboard)0, ~(Bitboard)0, NULL, list, WANT_QUIETS);
}

bool movegen_quiet_checks(const struct position *p, const struct check_squares *checks,
                          struct move_list *list)
{
    int kept = 0;
    Bitboard others = list_moves(p, ~(Bitboard)0, ~(Bitboard)0, checks, list, WANT_CHECKS);
    for (int i = 0; i < list->count; i++)
        if (move_gives_check(p, checks, list->moves[i]))
            list->moves[kept++] = list->moves[i];
    list->count = kept;
    return others != 0;
}

void movegen_between(const struct position *p, Bitboard from, Bitboard to, struct move_list *list)
{
    list_moves(p, from, to, NULL, list, WANT_ALL);
}

int movegen_count(const struct position *p)
{
    return count_moves(p, WANT_COUNT);
}

bool movegen_any(const struct position *p)
{
    return count_moves(p, WANT_ANY) != 0;
}

/* A piece can only be pinned on a line with its king. */
bool movegen_pawn_steps(const struct position *p)
{
    const enum color us = p->side;
    Bitboard pawns = position_pieces(p, us, PAWN) & ~queen_attacks(position_king(p, us), 0);
    return (ahead(us, pawns) & ~position_occupied(p)) != 0;
}

/* ---- one move ---- */

bool movegen_is_legal(const struct position *p, Move m)
{
    struct move_list list;
    const Bitboard own = p->by_color[p->side], from = bit(move_from(m)), to = bit(move_to(m));
    if ((own & from) == 0 || ((own & to) != 0 && !move_is_castling(m)))
        return false;
    movegen_between(p, from, to, &list);
    for (int i = 0; i < list.count; i++)
        if (list.moves[i] == m)
            return true;
    return false;
}

/* Insertion sort: lists are short and partly sorted. */
void movegen_sort(struct move_list *list)
{
    for (int i = 1; i < list->count; i++) {
        Move m = list->moves[i];
        int j = i;
        for (; j > 0 && move_order(list->moves[j - 1]) > move_order(m); j--)
            list->moves[j] = list->moves[j - 1];
        list->moves[j] = m;
    }
}

/* The own pieces that alone stand between the enemy king and an own slider. */
static Bitboard find_discoverers(const struct position *p, int king)
{
    Bitboard own = p->by_color[p->side], found = 0;
    Bitboard snipers = sliders_attacking(p, king, p->by_color[p->side ^ 1]) & own;
    while (snipers != 0) {
        Bitboard blockers = between_table[king][bits_pop(&snipers)] & own;
        if (!bits_many(blockers))
            found |= blockers;
    }
    return found;
}

void check_squares_find(const struct position *p, struct check_squares *c)
{
    const enum color them = color_other(p->side);
    Bitboard occupied = position_occupied(p);
    c->king = position_king(p, them);
    c->by_kind[PAWN] = pawn_attacks(them, c->king);
    c->by_kind[KNIGHT] = knight_attacks(c->king);
    c->by_kind[BISHOP] = bishop_attacks(c->king, occupied);
    c->by_kind[ROOK] = rook_attacks(c->king, occupied);
    c->by_kind[QUEEN] = c->by_kind[BISHOP] | c->by_kind[ROOK];
    c->by_kind[KING] = 0;
    c->discoverers = find_discoverers(p, c->king);
}

/* Whether castling gives check, by its rook or by a slider on the first rank behind it. */
static bool castling_gives_check(const struct position *p, const struct check_squares *c, Move m)
{
    const Bitboard rook = position_castling_rook(p, p->side, move_from(m), move_flag(m));
    const Bitboard castled = bit(move_castled_rook(m));
    Bitboard before = rook | bit(move_from(m)), after = castled | bit(move_to(m));
    Bitboard sliders = position_pieces(p, p->side, ROOK) | position_pieces(p, p->side, QUEEN);
    return (rook_attacks(c->king, (position_occupied(p) & ~before) | after) &
            ((sliders & ~rook) | castled)) != 0;
}

/* Whether the promoted piece attacks the king, including through the pawn's old square. */
static bool promotion_gives_check(const struct position *p, const struct check_squares *c, Move m)
{
    Bitboard occupied = position_occupied(p) ^ bit(move_from(m)), attacks = 0;
    enum kind kind = move_promotion(m);
    if (kind == KNIGHT)
        attacks = knight_attacks(move_to(m));
    if (kind == BISHOP || kind == QUEEN)
        attacks |= bishop_attacks(move_to(m), occupied);
    if (kind == ROOK || kind == QUEEN)
        attacks |= rook_attacks(move_to(m), occupied);
    return (attacks & bit(c->king)) != 0;
}

/* Whether a slider attacks the king once both pawns have left their squares. */
static bool en_passant_discovers(const struct position *p, const struct check_squares *c, Move m)
{
    int to = move_to(m), captured = square_ahead(color_other(p->side), to);
    Bitboard after = position_occupied(p) ^ bit(move_from(m)) ^ bit(captured) ^ bit(to);
    return (sliders_attacking(p, c->king, after) & p->by_color[p->side]) != 0;
}

bool move_gives_check(const struct position *p, const struct check_squares *c, Move m)
{
    int from = move_from(m), to = move_to(m), flag = move_flag(m);
    if (move_is_castling(m))
        return castling_gives_check(p, c, m);
    if ((c->discoverers & bit(from)) != 0 && (line_table[c->king][from] & bit(to)) == 0)
        return true;
    if (move_is_promotion(m))
        return promotion_gives_check(p, c, m);
    if ((c->by_kind[p->board[from]] & bit(to)) != 0)
        return true;
    return flag == EN_PASSANT && en_passant_discovers(p, c, m);
}

/* ---- perft ---- */

/* Adds the leaves below `p`, which is unchanged on return. False if stopped. */
static bool count_leaves(struct position *p, int depth, perft_stop *stop, void *context,
                         uint64_t *leaves)
{
    if (depth <= 1) {
        *leaves += depth < 1 ? 1 : (uint64_t)movegen_count(p);
        return true;
    }
    if (stop != NULL && stop(context, *leaves))
        return false;
    struct move_list list;
    bool whole = true;
    movegen_legal(p, &list);
    for (int i = 0; i < list.count && whole; i++) {
        struct undo undo;
        position_make(p, list.moves[i], &undo);
        whole = count_leaves(p, depth - 1, stop, context, leaves);
        position_unmake(p, list.moves[i], &undo);
    }
    return whole;
}

bool perft_until(const struct position *p, int depth, perft_stop *stop, void *context,
                 uint64_t *leaves)
{
    struct position own = *p;
    *leaves = 0;
    return count_leaves(&own, depth, stop, context, leaves);
}

uint64_t perft(const struct position *p, int depth)
{
    uint64_t leaves;
    perft_until(p, depth, NULL, NULL, &leaves);
    return leaves;
}
