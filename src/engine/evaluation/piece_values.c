#include "piece_values.h"

/* Middlegames and endgames, each with the same pieces on both sides. */
static const char *const boards[] = {
    "r1bq1rk1/pp2bppp/2n1pn2/3p4/3P4/2N1PN2/PP2BPPP/R1BQ1RK1 w - - 0 1",
    "r4rk1/1pp1qppp/p1np1n2/2b1p3/2B1P3/P1NP1N2/1PP1QPPP/R4RK1 b - - 0 1",
    "2r2rk1/1b2qppp/p3pn2/1p6/1P6/P3PN2/1B2QPPP/2R2RK1 w - - 0 1",
    "3r2k1/1b3ppp/p1n1p3/1p6/1P6/P1N1P3/1B3PPP/3R2K1 b - - 0 1",
    "6k1/1q3ppp/p3p3/1p6/1P6/P3P3/1Q3PPP/6K1 w - - 0 1",
};

/* What pieces of a kind are worth in all, and their number. */
struct worth {
    int64_t sum;
    int count;
};

/* The exact score from White's side. */
static int64_t white_score(const struct evaluation *e, const struct position *p)
{
    int64_t score = evaluation_exact(e, p);
    return p->side == WHITE ? score : -score;
}

/* Takes each piece off the board in turn. */
static void add_board(const struct evaluation *e, const char *fen, struct worth worth[KING])
{
    struct position p;
    position_from_fen(&p, fen, NULL, NULL);
    const int64_t all = white_score(e, &p);
    for (Bitboard set = position_occupied(&p) & ~p.by_kind[KING]; set != 0;) {
        struct position less = p;
        int square = bits_pop(&set);
        enum kind kind = (enum kind)p.board[square];
        enum color side = (p.by_color[WHITE] >> square & 1) != 0 ? WHITE : BLACK;
        less.by_kind[kind] &= ~bit(square);
        less.by_color[side] &= ~bit(square);
        less.board[square] = NO_KIND;
        int64_t loss = all - white_score(e, &less);
        worth[kind].sum += side == WHITE ? loss : -loss;
        worth[kind].count++;
    }
}

/* A value in centipawns, within what a search can add to a score. */
static int32_t mean(const struct worth *w, int32_t scale)
{
    int64_t value = w->sum / w->count / scale;
    return value < 0 ? 0 : value > EVAL_LIMIT ? EVAL_LIMIT : (int32_t)value;
}

struct piece_values piece_values_find(const struct evaluation *e)
{
    struct piece_values values = {{0}};
    struct worth worth[KING] = {{0, 0}};
    if (e->kind == EVALUATION_PAPER) {
        for (int kind = PAWN; kind < KING; kind++)
            values.of[kind] = e->paper.value[PAWN_VALUE + kind];
        return values;
    }
    for (size_t i = 0; i < sizeof boards / sizeof boards[0]; i++)
        add_board(e, boards[i], worth);
    for (int kind = PAWN; kind < KING; kind++)
        values.of[kind] = mean(&worth[kind], evaluation_scale(e->kind));
    return values;
}
