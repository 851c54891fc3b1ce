#include "mate_in_one.h"

#include "attacks.h"

/* True unless the move is castling, en passant or a promotion, which change more than one piece's
 * place. */
static bool is_plain(Move m)
{
    return move_flag(m) == CAPTURE || move_flag(m) <= DOUBLE_PUSH;
}

/* The squares that the moved piece attacks from its new square, under this occupancy. */
static Bitboard attacks_from(const struct position *p, Move m, Bitboard occupied)
{
    int to = move_to(m);
    switch ((enum kind)p->board[move_from(m)]) {
    case PAWN:
        return pawn_attacks(p->side, to);
    case KNIGHT:
        return knight_attacks(to);
    case BISHOP:
        return bishop_attacks(to, occupied);
    case ROOK:
        return rook_attacks(to, occupied);
    case QUEEN:
        return queen_attacks(to, occupied);
    default:
        return king_attacks(to);
    }
}

/* Whether the king has a safe adjacent square after a plain move. Sliders attack through the square
 * that the king leaves. */
static bool has_flight(const struct position *p, int king, Move m)
{
    int from = move_from(m), to = move_to(m);
    Bitboard occupied = (position_occupied(p) & ~bit(from) & ~bit(king)) | bit(to);
    Bitboard others = p->by_color[p->side] & ~bit(from);
    Bitboard flights = king_attacks(king) & ~p->by_color[p->side ^ 1] & ~bit(to);
    flights &= ~attacks_from(p, m, occupied);
    while (flights != 0)
        if ((position_attackers(p, bits_pop(&flights), occupied) & others) == 0)
            return true;
    return false;
}

bool may_mate(const struct position *p, const struct check_squares *c, Move m)
{
    return move_gives_check(p, c, m) && !(is_plain(m) && has_flight(p, c->king, m));
}

void mate_candidates(const struct position *p, const struct check_squares *c,
                     const struct move_list *captures, struct move_list *list)
{
    int kept = 0;
    movegen_quiet_checks(p, c, list);
    for (int i = 0; i < list->count; i++)
        if (!is_plain(list->moves[i]) || !has_flight(p, c->king, list->moves[i]))
            list->moves[kept++] = list->moves[i];
    for (int i = 0; i < captures->count; i++)
        if (may_mate(p, c, captures->moves[i]))
            list->moves[kept++] = captures->moves[i];
    list->count = kept;
}
