/* Pawns among pawns: the part of the evaluation that a pawn cache can keep. It reads no other
 * piece, and costs nothing while the pawns stay. Worth 20 (modern_sink.h). */
#include "modern_sink.h"

/* Sets that the terms of a side share. */
struct pawn_sets {
    Bitboard own, enemy;
    Bitboard attacks, enemy_attacks;
    Bitboard spans, enemy_spans; /* squares attacked now or after any advance */
    Bitboard isolated, backward, passed, candidates;
};

INLINE void find_sets(struct pawn_sets *s, const struct modern_pawns *pawns, enum color us)
{
    enum color them = color_other(us);
    s->own = pawns->pawns[us];
    s->enemy = pawns->pawns[them];
    s->attacks = pawns_attacks(us, s->own);
    s->enemy_attacks = pawns_attacks(them, s->enemy);
    s->spans = pawns->spans[us];
    s->enemy_spans = pawns->spans[them];
    Bitboard front = fill_ahead(them, s->enemy), behind = ahead(them, fill_ahead(them, s->own));
    s->isolated = s->own & ~files_squares(files_beside(pawns->files[us]));
    s->backward =
        s->own & ahead(them, ahead(us, s->own) & ~s->spans & s->enemy_attacks) & ~s->isolated;
    s->passed = pawns->passed & s->own;
    s->candidates = s->own & ~front & ~behind & ~s->passed;
}

/* Counts the pawns of a set by rank. */
INLINE void by_rank(struct sink *e, enum color us, int term, Bitboard set)
{
    while (set != 0)
        add(e, term + rank_for(us, bits_pop(&set)), 1);
}

/* Counts them by square. */
INLINE void by_square(struct sink *e, enum color us, int term, Bitboard set)
{
    while (set != 0)
        add(e, term + wing_square(us, bits_pop(&set)), 1);
}

/* Isolated, doubled and backward pawns. A pawn is open if no enemy pawn is ahead of it on its file. */
INLINE void weak_terms(struct sink *e, const struct pawn_sets *s, enum color us)
{
    enum color them = color_other(us);
    Bitboard closed = ahead(them, fill_ahead(them, s->enemy));
    Bitboard doubled = s->own & ahead(them, fill_ahead(them, s->own));
    for (Bitboard set = s->isolated; set != 0;) {
        int square = bits_pop(&set), open = (closed >> square & 1) == 0;
        add(e, T_ISOLATED + 2 * file_from_edge(square_file(square)) + open, 1);
    }
    add(e, T_DOUBLED, bits_count(doubled & ~s->isolated));
    add(e, T_DOUBLED + 1, bits_count(doubled & s->isolated));
    add(e, T_BACKWARD, bits_count(s->backward & closed));
    add(e, T_BACKWARD + 1, bits_count(s->backward & ~closed));
}

INLINE void pawn_side(struct sink *e, const struct modern_pawns *pawns, enum color us)
{
    struct pawn_sets s;
    unsigned files = pawns->files[us];
    find_sets(&s, pawns, us);
    by_square(e, us, T_SQUARE, s.own);
    weak_terms(e, &s, us);
    by_square(e, us, T_PHALANX, s.own & beside(s.own));
    by_square(e, us, T_SUPPORTED, s.own & s.attacks);
    by_rank(e, us, T_LEVER, s.own & pawns_attacks(color_other(us), s.enemy));
    by_rank(e, us, T_PASSED, s.passed);
    by_rank(e, us, T_CANDIDATE, s.candidates);
    add(e, T_ISLANDS, bits_count(files & ~(files << 1)));
}

INLINE void side(struct sink *e, const struct modern_facts *f, enum color us)
{
    pawn_side(e, f->pawns, us);
}

MODERN_GROUP(pawns, side)

/* Fills in the sets of a side. */
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

void modern_pawns_find_alone(const struct position *p, const struct modern_weights *w,
                             struct modern_pawns *pawns)
{
    const struct modern_facts f = {.pawns = pawns};
    int64_t sums[2] = {0, 0};
    find_side(pawns, p, WHITE);
    find_side(pawns, p, BLACK);
    pawns->passed = find_passed(pawns, WHITE) | find_passed(pawns, BLACK);
    if (w != NULL)
        modern_pawns(&f, w, sums);
    pawns->score = sums[WHITE];
    pawns->king_at[WHITE] = pawns->king_at[BLACK] = 0;
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
