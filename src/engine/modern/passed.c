/* Passed pawns among pieces: what is before them and behind them. How near the kings are is in
 * shelter.c. Worth 35, 2 % of the time (modern_sink.h). */
#include "modern_sink.h"

/* What stands before the pawn, or may go there. */
INLINE void path_terms(struct sink *e, const struct modern_facts *f, enum color us, int square,
                       int rank)
{
    enum color them = color_other(us);
    Bitboard stop = ahead(us, bit(square)), path = fill_ahead(us, stop);
    Bitboard stopped = f->occupied | f->attacked[them];
    if ((f->occupied & stop) != 0)
        add(e, T_PASSED_BLOCKED + 2 * rank + ((f->position->by_color[us] & stop) == 0), 1);
    add(e, T_PASSED_SAFE_STOP + rank, (stop & stopped) == 0);
    add(e, T_PASSED_FREE_PATH + rank, (path & stopped) == 0);
}

/* Rooks behind the pawn, own and enemy ones. */
INLINE void rook_terms(struct sink *e, const struct modern_facts *f, enum color us, int square)
{
    enum color them = color_other(us);
    Bitboard rooks = f->position->by_kind[ROOK] & fill_ahead(them, bit(square));
    if (rooks == 0)
        return;
    Bitboard behind = rook_attacks(square, f->occupied) & rooks;
    add(e, T_PASSED_ROOK_BEHIND, (behind & f->position->by_color[us]) != 0);
    add(e, T_PASSED_ROOK_BEHIND + 1, (behind & f->position->by_color[them]) != 0);
}

/* How many moves the king is too late for a pawn that queens against a lone king with pawns, on a free
 * way, if the pawn's side moves; at most 0 if it is in time. */
INLINE int moves_late(const struct modern_facts *f, enum color us, int square, int rank)
{
    enum color them = color_other(us);
    Bitboard path = fill_ahead(us, ahead(us, bit(square)));
    if (f->pieces[them] > 0 || (path & f->occupied) != 0)
        return 0;
    int moves = rank == 1 ? 5 : 7 - rank;
    int goal = us == WHITE ? 56 + square_file(square) : square_file(square);
    return distance(f->king[them], goal) - moves;
}

INLINE void side(struct sink *e, const struct modern_facts *f, enum color us)
{
    for (Bitboard set = f->pawns->passed & f->pawns->pawns[us]; set != 0;) {
        int square = bits_pop(&set), rank = rank_for(us, square);
        path_terms(e, f, us, square, rank);
        rook_terms(e, f, us, square);
        add(e, T_PASSED_DEFENDED + rank, (f->attacked[us] >> square & 1) != 0);
        int late = moves_late(f, us, square, rank);
        add_if_turn(e, T_PASSED_RUNS, late > 1, late > 0);
    }
}

MODERN_GROUP(passed, side)
