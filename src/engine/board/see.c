#include "see.h"

#include "attacks.h"

const int see_values[7] = {
    [PAWN] = 100,  [KNIGHT] = 300, [BISHOP] = 300, [ROOK] = 500,
    [QUEEN] = 900, [KING] = 20000, [NO_KIND] = 0,
};

/* The material gain of promoting to a queen. */
enum { QUEENING = 800 };

/* The state of an exchange. */
struct exchange {
    const struct position *p;
    int square;
    Bitboard occupied;  /* occupied squares, without the exchange square */
    Bitboard attackers; /* unused attackers of the square, both colours */
    enum kind standing; /* the piece that captured last */
};

/* Whether the next capture of `side` is a pawn promoting to a queen. */
static bool queens_next(const struct exchange *e, enum color side)
{
    Bitboard last = rank_bits(side == WHITE ? 7 : 0);
    return (bit(e->square) & last) != 0 && (e->attackers & position_pieces(e->p, side, PAWN)) != 0;
}

/* What `side` would gain by capturing next. */
static int stake(const struct exchange *e, enum color side)
{
    return see_values[e->standing] + (queens_next(e, side) ? QUEENING : 0);
}

/* The most that either side could gain by capturing next, with any attacker. */
static int most_at_stake(const struct exchange *e)
{
    bool edge = (bit(e->square) & (rank_bits(0) | rank_bits(7))) != 0;
    return see_values[e->standing] + (edge ? QUEENING : 0);
}

/* The cheapest attacker of `side`, which has one. */
static enum kind cheapest(const struct exchange *e, enum color side)
{
    enum kind kind = PAWN;
    while ((e->attackers & position_pieces(e->p, side, kind)) == 0)
        kind++;
    return kind;
}

/* Captures with an attacker of this kind, and adds sliders behind it (X-rays). */
static void capture_with(struct exchange *e, enum color side, enum kind kind)
{
    const struct position *p = e->p;
    int from = bits_first(e->attackers & position_pieces(p, side, kind));
    e->standing = queens_next(e, side) ? QUEEN : kind;
    e->occupied ^= bit(from);
    Bitboard diagonal = p->by_kind[BISHOP] | p->by_kind[QUEEN];
    Bitboard straight = p->by_kind[ROOK] | p->by_kind[QUEEN];
    if (kind == PAWN || kind == BISHOP || kind == QUEEN || kind == KING)
        e->attackers |= bishop_attacks(e->square, e->occupied) & diagonal;
    if (kind == ROOK || kind == QUEEN || kind == KING)
        e->attackers |= rook_attacks(e->square, e->occupied) & straight;
    e->attackers &= e->occupied;
}

/* Makes the initial move and sets up the exchange. Returns its gain. */
static int begin(struct exchange *e, const struct position *p, Move m)
{
    int from = move_from(m), to = move_to(m), gain = 0;
    *e = (struct exchange){.p = p, .square = to, .standing = p->board[from]};
    e->occupied = position_occupied(p) & ~bit(from) & ~bit(to);
    if (move_flag(m) == EN_PASSANT) {
        gain = see_values[PAWN];
        e->occupied ^= bit(square_ahead(color_other(p->side), to));
    } else {
        gain = see_values[position_captured(p, m)];
    }
    if (move_is_promotion(m)) {
        e->standing = move_promotion(m);
        gain += see_values[e->standing] - see_values[PAWN];
    }
    return gain;
}

/* `balance` is the margin above the threshold of the side that captured last, if it now loses its
 * piece. The exchange is decided if that is not negative, or if there is no recapture. */
bool see_at_least(const struct position *p, Move m, int threshold)
{
    struct exchange e;
    enum color side = p->side; /* the side that captured last */
    int balance = begin(&e, p, m) - threshold;
    if (balance < 0)
        return false;
    if (move_is_castling(m))
        return true;
    if (balance >= most_at_stake(&e))
        return true;
    e.attackers = position_attackers(p, e.square, e.occupied) & e.occupied;
    balance -= stake(&e, color_other(side));
    while (balance < 0 && (e.attackers & p->by_color[side ^ 1]) != 0) {
        side = color_other(side);
        capture_with(&e, side, cheapest(&e, side));
        balance = -balance - 1 - stake(&e, color_other(side));
    }
    return side == p->side;
}
