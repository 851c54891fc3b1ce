/* Exchanges: known ones, and all of random positions against a plain recursive search. */
#include "see.h"

#include "attacks.h"
#include "notation.h"
#include "position_of.h"
#include "random_chess.h"

#include <criterion/criterion.h>
#include <string.h>

/* Finds the exchange value of a move by asking for thresholds. */
static int see_value(const struct position *p, Move m)
{
    int low = -30000, high = 30000;
    while (low < high) {
        int middle = low + (high - low + 1) / 2;
        if (see_at_least(p, m, middle))
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

static const struct {
    const char *fen, *move;
    int value;
} known[] = {
    /* Plain captures. */
    {"4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "exd5", 100},
    {"4k3/8/4p3/3p4/4P3/8/8/4K3 w - - 0 1", "exd5", 0},
    {"4k3/8/4p3/3p4/8/8/3R4/4K3 w - - 0 1", "Rxd5", -400},
    {"4k3/8/4p3/3q4/8/8/3R4/4K3 w - - 0 1", "Rxd5", 400},
    {"1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1", "Rxe5", 100},
    {"1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1", "Nxe5", -200},
    /* Rook behind rook. */
    {"3rk3/8/8/3p4/8/8/3R4/3RK3 w - - 0 1", "Rxd5", 100},
    {"3rk3/3r4/8/3p4/8/8/3R4/3RK3 w - - 0 1", "Rxd5", -400},
    /* Bishop behind pawn, queen behind bishop. */
    {"4k3/8/4p3/3p4/2P5/1B6/Q7/4K3 w - - 0 1", "cxd5", 100},
    {"4k3/5b2/4p3/3p4/2P5/1B6/8/4K3 w - - 0 1", "cxd5", 0},
    /* A king takes only what is left unguarded. */
    {"8/8/3k4/3p4/8/8/3R4/4K3 w - - 0 1", "Rxd5+", -400},
    {"8/8/3k4/3p4/8/8/3R4/3RK3 w - - 0 1", "Rxd5+", 100},
    {"8/8/3k4/3p4/3K4/8/8/7R b - - 0 1", "Kc6", 0},
    /* Quiet moves may lose the piece. */
    {"4k3/8/4p3/8/8/8/3R4/4K3 w - - 0 1", "Rd5", -500},
    {"4k3/8/4p3/8/8/8/3R4/3RK3 w - - 0 1", "Rd5", -400},
    {"4k3/8/8/8/8/8/3R4/4K3 w - - 0 1", "Rd5", 0},
    {"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "O-O", 0},
    /* En passant takes a pawn and opens its lines. */
    {"4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "exd6", 100},
    {"4k3/2p5/8/3pP3/8/8/8/4K3 w - d6 0 1", "exd6", 0},
    /* The rook on d1 sees d6 once the pawn on d5 is gone. */
    {"4k3/2p5/8/3pP3/8/8/8/3RK3 w - d6 0 1", "exd6", 100},
    /* Promotions gain the difference. */
    {"8/P3k3/8/8/8/8/8/4K3 w - - 0 1", "a8=Q", 800},
    {"8/P3k3/8/8/8/8/8/4K3 w - - 0 1", "a8=N", 200},
    {"1n6/P3k3/8/8/8/8/8/4K3 w - - 0 1", "axb8=Q", 1100},
    {"1n6/P1k5/8/8/8/8/8/4K3 w - - 0 1", "axb8=Q+", 200},
    {"r7/1P2k3/8/8/8/8/8/4K3 w - - 0 1", "b8=Q", -100},
    /* So do those of a pawn that takes back. */
    {"2r1k3/P7/8/8/8/8/8/4K3 b - - 0 1", "Rb8", -1300},
    {"r1b1k3/1P6/8/8/8/8/8/2R1K3 w - - 0 1", "Rxc8+", 300},
};

Test(see, knows_exchanges)
{
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        const struct position p = position_of(known[i].fen);
        const char *text = known[i].move;
        struct error err;
        Move m;
        cr_assert(move_from_text(&p, text, (int)strlen(text), &m, &err), "%s", err.text);
        cr_expect_eq(see_value(&p, m), known[i].value, "%s in %s: %d", text, known[i].fen,
                     see_value(&p, m));
    }
}

/* ---- the slow way ---- */

enum { QUEENING = 800 };

/* The board of an exchange: who stands where, with nothing cached. */
struct slow {
    struct position p;
    int square;
};

/* What `side` wins at best by capturing on the square, cheapest piece first, or by leaving it. */
static int slow_gain(const struct slow *s, enum color side)
{
    Bitboard occupied = position_occupied(&s->p);
    Bitboard mine = position_attackers(&s->p, s->square, occupied) & s->p.by_color[side];
    int kind = PAWN;
    if (mine == 0)
        return 0;
    while ((mine & s->p.by_kind[kind]) == 0)
        kind++;
    int from = bits_first(mine & s->p.by_kind[kind]), standing = s->p.board[s->square];
    int last = side == WHITE ? 7 : 0;
    struct slow next = *s;
    for (int k = PAWN; k <= KING; k++)
        next.p.by_kind[k] &= ~bit(from) & ~bit(s->square);
    next.p.by_color[side] = (next.p.by_color[side] & ~bit(from)) | bit(s->square);
    next.p.by_color[side ^ 1] &= ~bit(s->square);
    next.p.board[from] = NO_KIND;
    bool queens = kind == PAWN && square_rank(s->square) == last;
    next.p.board[s->square] = queens ? QUEEN : (uint8_t)kind;
    next.p.by_kind[next.p.board[s->square]] |= bit(s->square);
    int gain = see_values[standing] + (queens ? QUEENING : 0) - slow_gain(&next, side ^ 1);
    return gain > 0 ? gain : 0;
}

/* Makes the move and lets the other side answer. */
static int slow_value(const struct position *p, Move m)
{
    struct slow s = {*p, move_to(m)};
    struct undo undo;
    position_make(&s.p, m, &undo);
    if (move_is_castling(m))
        return 0;
    int gain = undo.captured == NO_KIND ? 0 : see_values[undo.captured];
    if (move_is_promotion(m))
        gain += see_values[move_promotion(m)] - see_values[PAWN];
    return gain - slow_gain(&s, p->side ^ 1);
}

Test(see, agrees_with_a_plain_search_of_the_exchange)
{
    struct stream s = seeded(8);
    int exchanges = 0;
    for (int i = 0; i < 3000; i++) {
        struct position p = random_position(&s, i % 200);
        struct move_list list;
        movegen_legal(&p, &list);
        for (int j = 0; j < list.count; j++) {
            char fen[FEN_MAX], uci[UCI_MAX];
            int value = slow_value(&p, list.moves[j]);
            position_to_fen(&p, fen);
            move_to_uci(&p, list.moves[j], uci);
            cr_assert(see_at_least(&p, list.moves[j], value), "%s in %s: %d", uci, fen, value);
            cr_assert_not(see_at_least(&p, list.moves[j], value + 1), "%s in %s: %d", uci, fen,
                          value);
            exchanges += value != 0;
        }
    }
    cr_assert_gt(exchanges, 10000);
}
