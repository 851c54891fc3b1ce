#include "checks.h"

#include "attacks.h"

/* The own sliders that attack the enemy king under this occupancy. */
static Bitboard sliders_in_line(const struct position *p, int king, Bitboard occupied)
{
    Bitboard diagonal = p->by_kind[BISHOP] | p->by_kind[QUEEN];
    Bitboard straight = p->by_kind[ROOK] | p->by_kind[QUEEN];
    return ((bishop_attacks(king, occupied) & diagonal) |
            (rook_attacks(king, occupied) & straight)) &
           p->by_color[p->side];
}

/* Finds discoverers: pieces of the side to move that alone stand between the enemy king and an own
 * slider. */
static Bitboard find_discoverers(const struct position *p, int king)
{
    Bitboard own = p->by_color[p->side], found = 0;
    Bitboard snipers = sliders_in_line(p, king, p->by_color[p->side ^ 1]);
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
    int to = move_to(m), captured = p->side == WHITE ? to - 8 : to + 8;
    Bitboard after = position_occupied(p) ^ bit(move_from(m)) ^ bit(captured) ^ bit(to);
    return sliders_in_line(p, c->king, after) != 0;
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
