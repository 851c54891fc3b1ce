/* Pawns among pawns: the part of the evaluation that a pawn cache can keep. It reads no other
 * piece, and costs nothing while the pawns stay. Worth 20 (modern_sink.h). */
#include "modern_sink.h"

INLINE void by_rank(struct sink *e, int term, Bitboard set)
{
    while (set != 0)
        add(e, term + square_rank(bits_pop(&set)), 1);
}

INLINE void by_square(struct sink *e, int term, Bitboard set)
{
    while (set != 0)
        add(e, term + square_wing(bits_pop(&set)), 1);
}

/* Isolated, doubled and backward pawns. A pawn is open if no enemy pawn is ahead of it on its file. */
INLINE void weak_terms(struct sink *e, const struct modern_pawns *pawns)
{
    Bitboard own = pawns->pawns[OWN], enemy = pawns->pawns[ENEMY];
    Bitboard closed = ahead(ENEMY, fill_ahead(ENEMY, enemy));
    Bitboard doubled = own & ahead(ENEMY, fill_ahead(ENEMY, own));
    Bitboard isolated = own & ~files_squares(files_beside(pawns->files[OWN]));
    Bitboard unsafe = ahead(OWN, own) & ~pawns->spans[OWN] & pawns_attacks(ENEMY, enemy);
    Bitboard backward = own & ahead(ENEMY, unsafe) & ~isolated;
    for (Bitboard set = isolated; set != 0;) {
        int square = bits_pop(&set), open = (closed >> square & 1) == 0;
        add(e, T_ISOLATED + 2 * file_from_edge(square_file(square)) + open, 1);
    }
    add(e, T_DOUBLED, bits_count(doubled & ~isolated));
    add(e, T_DOUBLED + 1, bits_count(doubled & isolated));
    add(e, T_BACKWARD, bits_count(backward & closed));
    add(e, T_BACKWARD + 1, bits_count(backward & ~closed));
}

INLINE void pawns_side(struct sink *e, const struct modern_facts *f)
{
    const struct modern_pawns *pawns = f->pawns;
    Bitboard own = pawns->pawns[OWN], enemy = pawns->pawns[ENEMY], passed = pawns->passed & own;
    Bitboard half_open = own & ~fill_ahead(ENEMY, enemy) & ~ahead(ENEMY, fill_ahead(ENEMY, own));
    unsigned files = pawns->files[OWN];
    by_square(e, T_SQUARE, own);
    weak_terms(e, pawns);
    by_square(e, T_PHALANX, own & beside(own));
    by_square(e, T_SUPPORTED, own & pawns_attacks(OWN, own));
    by_rank(e, T_LEVER, own & pawns_attacks(ENEMY, enemy));
    by_rank(e, T_PASSED, passed);
    by_rank(e, T_CANDIDATE, half_open & ~passed);
    add(e, T_ISLANDS, bits_count(files & ~(files << 1)));
}

MODERN_GROUP(pawns, pawns_side)

static void find_side(struct modern_pawns *pawns, const struct position *p, enum color us)
{
    Bitboard own = position_pieces(p, us, PAWN);
    pawns->pawns[us] = own;
    pawns->spans[us] = pawns_attacks(us, fill_ahead(us, own));
    pawns->files[us] = (uint8_t)files_of(own);
}

/* The passed pawns of a side: no enemy pawn is ahead or can attack the way, and no own pawn is ahead. */
static Bitboard find_passed(const struct modern_pawns *pawns, enum color us)
{
    enum color them = color_other(us);
    Bitboard own = pawns->pawns[us];
    Bitboard stopped = fill_ahead(them, pawns->pawns[them]) | pawns->spans[them];
    return own & ~stopped & ~ahead(them, fill_ahead(them, own));
}

struct modern_pawns modern_pawns_turned(const struct modern_pawns *pawns)
{
    return (struct modern_pawns){
        .pawns = {turned(pawns->pawns[BLACK]), turned(pawns->pawns[WHITE])},
        .spans = {turned(pawns->spans[BLACK]), turned(pawns->spans[WHITE])},
        .passed = turned(pawns->passed),
        .files = {pawns->files[BLACK], pawns->files[WHITE]},
    };
}

void modern_pawns_find_alone(const struct position *p, const struct modern_weights *w,
                             struct modern_pawns *pawns)
{
    find_side(pawns, p, WHITE);
    find_side(pawns, p, BLACK);
    pawns->passed = find_passed(pawns, WHITE) | find_passed(pawns, BLACK);
    pawns->score = 0;
    pawns->king_at[WHITE] = pawns->king_at[BLACK] = 0;
    if (w == NULL)
        return;
    const struct modern_pawns other = modern_pawns_turned(pawns);
    const struct modern_facts f = {.pawns = pawns}, g = {.pawns = &other};
    struct sink white = {.pair = w->pair}, black = white;
    modern_pawns(&f, &white);
    modern_pawns(&g, &black);
    pawns->score = white.score - black.score;
}

void modern_pawns_find(const struct position *p, const struct modern_weights *w,
                       struct modern_pawns *pawns)
{
    modern_pawns_find_alone(p, w, pawns);
    for (enum color us = WHITE; us <= BLACK; us++) {
        int king = position_king(p, us);
        pawns->king_at[us] = (uint8_t)(king + 1);
        pawns->kings[us] = w == NULL ? 0 : modern_king_score(pawns, us, king, w);
    }
}

/* Shelter: on the king's file and those beside it, how far the nearest own and enemy pawns are.
 * Rank 1 of a term stands for a file without such a pawn. All that depends on pawns and one king
 * is here, so that a cache can keep it: the king's square and its distance from passed pawns too.
 * Costs nothing while pawns and kings stay. Worth 56 (modern_sink.h). */

/* The rank of the pawn of a set that is nearest to the own first rank; 0: none. */
INLINE int nearest(Bitboard pawns)
{
    return pawns == 0 ? 0 : square_rank(bits_first(pawns));
}

INLINE void file_terms(struct sink *e, const struct modern_facts *f, int file, Bitboard front,
                       int near)
{
    Bitboard squares = file_bits(file) & front;
    Bitboard enemies = f->pawns->pawns[ENEMY] & squares;
    int own = nearest(f->pawns->pawns[OWN] & squares), storm = nearest(enemies);
    int edge = file_from_edge(file) * SIZE_RANKS, blocked = own > 0 && storm == own + 1;
    add(e, T_SHELTER + near * SIZE_FILES * SIZE_RANKS + edge + own, 1);
    add(e, T_STORM + blocked * SIZE_FILES * SIZE_RANKS + edge + storm, 1);
}

/* The distances of the king from the squares before passed pawns, its own and the enemy's. */
INLINE void passed_by_king(struct sink *e, const struct modern_facts *f)
{
    const struct modern_pawns *pawns = f->pawns;
    int king = f->king[OWN];
    for (Bitboard set = pawns->passed & pawns->pawns[OWN]; set != 0;) {
        int square = bits_pop(&set), rank = square_rank(square);
        add(e, T_PASSED_OWN_KING + distance(square_ahead(OWN, square), king), rank);
    }
    for (Bitboard set = pawns->passed & pawns->pawns[ENEMY]; set != 0;) {
        int square = bits_pop(&set), rank = 7 - square_rank(square);
        add(e, T_PASSED_ENEMY_KING + distance(square_ahead(ENEMY, square), king), -rank);
    }
}

/* All pawns by their wing, the king's and the enemy king's, and by how far they are. */
INLINE void pawns_by_king(struct sink *e, const struct modern_facts *f)
{
    const Bitboard *pawns = f->pawns->pawns;
    int king = f->king[OWN], wing = square_file(king) < 4 ? 0 : 7;
    for (Bitboard set = pawns[OWN]; set != 0;) {
        int square = bits_pop(&set);
        add(e, T_PAWN_BY_KING + SIZE_ALL_FILES * square_rank(square) + (square_file(square) ^ wing),
            1);
        add(e, T_KING_TO_PAWN + distance(square, king), 1);
    }
    for (Bitboard set = pawns[ENEMY]; set != 0;) {
        int square = bits_pop(&set), row = SIZE_RANKS + 7 - square_rank(square);
        add(e, T_PAWN_BY_KING + SIZE_ALL_FILES * row + (square_file(square) ^ wing), -1);
        add(e, T_KING_TO_PAWN + SIZE_DISTANCES + distance(square, king), 1);
    }
}

INLINE void shelter_side(struct sink *e, const struct modern_facts *f)
{
    int king = f->king[OWN], middle = square_file(king);
    Bitboard rank = rank_bits(square_rank(king)), front = fill_ahead(OWN, rank);
    middle = middle < 1 ? 1 : middle > 6 ? 6 : middle;
    for (int file = middle - 1; file <= middle + 1; file++)
        file_terms(e, f, file, front, file == square_file(king));
    add(e, T_SQUARE + KING * SIZE_SQUARES + square_wing(king), 1);
    passed_by_king(e, f);
    pawns_by_king(e, f);
}

MODERN_GROUP(shelter, shelter_side)

int64_t modern_king_score(const struct modern_pawns *pawns, enum color us, int king,
                          const struct modern_weights *w)
{
    const struct modern_pawns other = modern_pawns_turned(pawns);
    const struct modern_facts f = {.pawns = us == WHITE ? pawns : &other,
                                   .king = {us == WHITE ? king : king ^ 56}};
    struct sink e = {.pair = w->pair};
    modern_shelter(&f, &e);
    return us == WHITE ? e.score : -e.score;
}

/* Passed pawns among pieces: what is before them and behind them. How near the kings are is in
 * the shelter. Worth 35, 2 % of the time (modern_sink.h). */

/* What stands before the pawn, or may go there. */
INLINE void path_terms(struct sink *e, const struct modern_facts *f, int square, int rank)
{
    Bitboard stop = ahead(OWN, bit(square)), path = fill_ahead(OWN, stop);
    Bitboard stopped = f->occupied | f->attacked[ENEMY];
    if ((f->occupied & stop) != 0)
        add(e, T_PASSED_BLOCKED + 2 * rank + ((f->position->by_color[OWN] & stop) == 0), 1);
    add(e, T_PASSED_SAFE_STOP + rank, (stop & stopped) == 0);
    add(e, T_PASSED_FREE_PATH + rank, (path & stopped) == 0);
}

/* Rooks behind the pawn, own and enemy ones. */
INLINE void rooks_behind(struct sink *e, const struct modern_facts *f, int square)
{
    Bitboard rooks = f->position->by_kind[ROOK] & fill_ahead(ENEMY, bit(square));
    if (rooks == 0)
        return;
    Bitboard behind = rook_attacks(square, f->occupied) & rooks;
    add(e, T_PASSED_ROOK_BEHIND, (behind & f->position->by_color[OWN]) != 0);
    add(e, T_PASSED_ROOK_BEHIND + 1, (behind & f->position->by_color[ENEMY]) != 0);
}

/* How many moves the king is too late for a pawn that queens against a lone king with pawns, on a free
 * way, if the pawn's side moves; at most 0 if it is in time. */
INLINE int moves_late(const struct modern_facts *f, int square, int rank)
{
    Bitboard path = fill_ahead(OWN, ahead(OWN, bit(square)));
    if (f->pieces[ENEMY] > 0 || (path & f->occupied) != 0)
        return 0;
    int moves = rank == 1 ? 5 : 7 - rank;
    int goal = OWN == WHITE ? 56 + square_file(square) : square_file(square);
    return distance(f->king[ENEMY], goal) - moves;
}

INLINE void passed_side(struct sink *e, const struct modern_facts *f)
{
    for (Bitboard set = f->pawns->passed & f->pawns->pawns[OWN]; set != 0;) {
        int square = bits_pop(&set), rank = square_rank(square);
        path_terms(e, f, square, rank);
        rooks_behind(e, f, square);
        add(e, T_PASSED_DEFENDED + rank, (f->attacked[OWN] >> square & 1) != 0);
        int late = moves_late(f, square, rank);
        add_if_turn(e, T_PASSED_RUNS, late > 1, late > 0);
    }
}

MODERN_GROUP(passed, passed_side)
