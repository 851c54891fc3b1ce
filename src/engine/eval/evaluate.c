/* This file uses only integers and bitboards. When GCC runs out of general registers, it spills to
 * vector registers when tuning for some processors, which makes the evaluation a quarter slower. */
#if defined __x86_64__ && defined __GNUC__ && !defined __clang__
#pragma GCC target("general-regs-only")
#endif

#include "evaluate.h"

#include "attacks.h"
#include "see.h"
#include "sets.h"

#include <stddef.h>
#include <string.h>

/* ---- tables ---- */

/* The fixed integer tables of the evaluation, which the *_MULT and PAWN_ADVANCE_* weights multiply. They never evolve.
 *
 * Squares are seen from the own side, a1 first. Tables are symmetrical from left to right, so rows list the files a to
 * d only. The tables for knight, king, advance, rook file and pressure were fitted by softmax regression (one weight
 * for each entry) to moves of games up to 2018, then rounded by hand to about ten centipawns a unit
 * (docs/evaluation.md). Outposts and attacker weights are chosen by hand. */

/* clang-format off */

/* KNIGHT_SQ_MULT: low on the rim and the first rank. */
static const int8_t knight_table_value[32] = {
    -10, -10, -5, -6,
     -7,  -6, -3,  1,
    -10,   1,  5,  5,
     -5,   4,  6,  5,
      0,   2,  7,  6,
      1,   3,  7,  7,
     -4,  -2,  4,  3,
     -9,  -4, -2, -3,
};

/* KNIGHT_OUTPOST_MULT. */
static const int8_t outpost_table_value[32] = {
    0, 0, 0, 0,
    0, 0, 0, 0,
    0, 0, 0, 0,
    0, 1, 2, 3,
    0, 2, 4, 5,
    0, 2, 4, 5,
    0, 0, 1, 1,
    0, 0, 0, 0,
};

/* PAWN_ADVANCE_A, while the enemy has a queen: centre pawns advance, wing pawns stay. */
static const int8_t advance_a_value[32] = {
     0,  0,  0,  0,
     8,  7,  0,  0,
     5,  6,  3,  8,
     2,  6,  9, 15,
     8, 10,  8, 13,
    14, 16, 16, 14,
    16, 16, 16, 16,
     0,  0,  0,  0,
};

/* PAWN_ADVANCE_B, without an enemy queen: every step counts, the last ones most. */
static const int8_t advance_b_value[32] = {
     0,  0,  0,  0,
     6,  6,  3,  3,
     6,  6,  4,  4,
     5,  8,  6,  7,
    10, 12, 11,  9,
    19, 21, 19, 18,
    20, 20, 20, 20,
     0,  0,  0,  0,
};

/* KING_PRESSURE_MULT without an enemy queen: the king advances and centralises. */
static const int8_t king_table_value[32] = {
    -10, -8, -8, -8,
     -9, -4, -4, -3,
     -7, -1,  0,  1,
     -4,  2,  3,  4,
      1,  6,  8,  9,
      4,  9, 11, 11,
      2,  8, 10, 10,
     -4,  0,  1,  2,
};

/* PASSED_PAWN_MULT, by rank from the own side. */
static const int8_t passed_value[8] = {0, 0, 0, 1, 3, 6, 14, 0};

/* ROOK_COLUMN_MULT, by file. */
static const int8_t column_value[8] = {1, 0, 4, 5, 5, 4, 0, 1};

/* KING_PRESSURE_MULT with an own queen: by the total weight of the pieces that attack the enemy
 * king's square or an adjacent one. */
static const int8_t pressure_value[16] = {0, 0, 0, 1, 3, 4, 7, 8, 10, 12, 14, 15, 16, 17, 18, 18};

/* The weight of an attacker, by enum kind. */
static const uint8_t attacker_weight[6] = {0, 1, 1, 2, 3, 0};

/* clang-format on */

/* ---- parameters ---- */

static const struct param eval_params[EVAL_TERMS] = {
#define PARAM(name, bits, min, max, initial, sign, meaning)                                        \
    {#name, bits, min, max, initial, sign, NULL, meaning},
#include "eval_params.def"
};

const struct param_table eval_table = {"evaluation", eval_params, EVAL_TERMS};

/* ---- the sink: the only access to the score ---- */

/* The destination of counts: the score or a trace. `view` is +1 while White's terms are
 * counted and -1 while Black's are. */
struct sink {
    const int32_t *weights;
    int32_t score;
    struct eval_trace *trace;
    int view;
};

/* The only function that changes the score. */
INLINE void add(struct sink *e, enum eval_term term, int count)
{
    int signed_count = eval_params[term].sign * e->view * count;
    if (e->trace != NULL)
        e->trace->count[term] = (int16_t)(e->trace->count[term] + signed_count);
    else
        e->score += e->weights[term] * signed_count;
}

/* ---- pawns alone ---- */

/* The squares that pawns attack now or after any advance. */
INLINE Bitboard spans(enum color us, Bitboard pawns)
{
    return pawns_attacks(us, fill_ahead(us, pawns));
}

/* Sums both pawn advance tables. The queens on the board decide which one counts. */
INLINE void find_advance(struct pawn_structure *s, enum color us)
{
    int a = 0, b = 0;
    for (Bitboard set = s->pawns[us]; set != 0;) {
        int index = square_wing(square_relative(bits_pop(&set), us));
        a += advance_a_value[index];
        b += advance_b_value[index];
    }
    s->advance_a[us] = (int16_t)a;
    s->advance_b[us] = (int16_t)b;
}

/* Doubled, isolated and backward pawns, and weak squares. */
INLINE void soundness_terms(struct sink *e, struct pawn_structure *s, enum color us)
{
    const Bitboard front = (rank_relative(us, 2) | rank_relative(us, 3)) & files_squares(0x3c);
    enum color them = color_other(us);
    Bitboard own = s->pawns[us], attacks = pawns_attacks(them, s->pawns[them]);
    Bitboard doubled = own & ahead(them, fill_ahead(them, own));
    Bitboard isolated = own & ~files_squares(files_beside(s->files[us]));
    Bitboard stops = ahead(us, own) & ~spans(us, own) & attacks;
    Bitboard backward = ahead(them, stops) & ~isolated;
    add(e, PAWN_VALUE, bits_count(own));
    add(e, DOUBLED_PAWN_PENALTY, bits_count(doubled));
    add(e, ISOLATED_PAWN_PENALTY, bits_count(isolated));
    add(e, BACKWARD_PAWN_PENALTY, bits_count(backward));
    add(e, WEAK_SQUARE_PENALTY, bits_count(front & ~spans(us, own)));
    s->weak_files[us] = (uint8_t)files_of(isolated | backward);
}

INLINE void passed_terms(struct sink *e, struct pawn_structure *s, enum color us)
{
    enum color them = color_other(us);
    Bitboard own = s->pawns[us], enemy = s->pawns[them];
    Bitboard enemy_front = fill_ahead(them, enemy) | spans(them, enemy);
    Bitboard passed = own & ~enemy_front & ~ahead(them, fill_ahead(them, own));
    int value = 0;
    s->passed |= passed;
    while (passed != 0)
        value += passed_value[square_rank(square_relative(bits_pop(&passed), us))];
    add(e, PASSED_PAWN_MULT, value);
}

/* All pawn terms of one side that do not depend on other pieces. */
INLINE void pawn_side(struct sink *e, struct pawn_structure *s, enum color us)
{
    enum color them = color_other(us);
    Bitboard own = s->pawns[us];
    e->view = us == WHITE ? 1 : -1;
    s->outposts[us] = pawns_attacks(us, own) & ~spans(them, s->pawns[them]);
    s->files[us] = (uint8_t)files_of(own);
    s->second[us] = (uint8_t)files_of(own & rank_relative(us, 1));
    s->third[us] = (uint8_t)files_of(own & rank_relative(us, 2));
    find_advance(s, us);
    soundness_terms(e, s, us);
    passed_terms(e, s, us);
}

INLINE void pawns_alone(struct sink *e, const struct position *p, struct pawn_structure *s)
{
    s->pawns[WHITE] = position_pieces(p, WHITE, PAWN);
    s->pawns[BLACK] = position_pieces(p, BLACK, PAWN);
    s->passed = 0;
    pawn_side(e, s, WHITE);
    pawn_side(e, s, BLACK);
}

/* ---- features ---- */

/* Facts shared by several terms, computed once. Indexed by colour. */
struct features {
    const struct pawn_structure *pawns;
    Bitboard occupied;
    int king[2];
    Bitboard zone[2]; /* the king's square and adjacent squares */
    bool queen[2];    /* the side has a queen */
};

INLINE void find_side(struct features *f, const struct position *p, enum color us)
{
    f->king[us] = position_king(p, us);
    f->zone[us] = king_attacks(f->king[us]) | bit(f->king[us]);
    f->queen[us] = position_pieces(p, us, QUEEN) != 0;
}

/* ---- pawns and other pieces ---- */

/* Pawn advance: one table against a queen, another without. */
INLINE void advance_terms(struct sink *e, const struct features *f, enum color us)
{
    bool against_queen = f->queen[color_other(us)];
    add(e, PAWN_ADVANCE_A, against_queen ? f->pawns->advance_a[us] : 0);
    add(e, PAWN_ADVANCE_B, against_queen ? 0 : f->pawns->advance_b[us]);
}

/* Which king is nearer to the stop squares of passed pawns. */
INLINE void king_race_terms(struct sink *e, const struct features *f, enum color us)
{
    int nearer = 0;
    for (Bitboard set = f->pawns->passed & f->pawns->pawns[us]; set != 0;) {
        int square = bits_pop(&set), stop = square_ahead(us, square);
        nearer +=
            square_distance(stop, f->king[color_other(us)]) - square_distance(stop, f->king[us]);
    }
    add(e, PASSED_PAWN_ENEMY_KING_DIST, nearer);
}

/* ---- pieces ---- */

/* The weight of an attack on the enemy king's zone. */
INLINE int king_attack(const struct features *f, enum color us, enum kind kind, Bitboard attacks)
{
    return (attacks & f->zone[color_other(us)]) != 0 ? attacker_weight[kind] : 0;
}

INLINE int knight_terms(struct sink *e, const struct position *p, const struct features *f,
                        enum color us)
{
    int attackers = 0, squares = 0, outposts = 0;
    for (Bitboard set = position_pieces(p, us, KNIGHT); set != 0;) {
        int square = bits_pop(&set), index = square_wing(square_relative(square, us));
        squares += knight_table_value[index];
        if ((f->pawns->outposts[us] & bit(square)) != 0)
            outposts += outpost_table_value[index];
        attackers += king_attack(f, us, KNIGHT, knight_attacks(square));
    }
    add(e, KNIGHT_SQ_MULT, squares);
    add(e, KNIGHT_OUTPOST_MULT, outposts);
    return attackers;
}

INLINE int bishop_terms(struct sink *e, const struct position *p, const struct features *f,
                        enum color us)
{
    int attackers = 0, mobility = 0;
    for (Bitboard set = position_pieces(p, us, BISHOP); set != 0;) {
        Bitboard attacks = bishop_attacks(bits_pop(&set), f->occupied);
        mobility += bits_count(attacks);
        attackers += king_attack(f, us, BISHOP, attacks);
    }
    add(e, BISHOP_MOBILITY, mobility);
    return attackers;
}

/* Rooks on files without own pawns. */
INLINE void open_file_terms(struct sink *e, const struct features *f, enum color us, Bitboard rooks)
{
    enum color them = color_other(us);
    unsigned king_file = 1u << square_file(f->king[them]), beside = files_beside(king_file);
    Bitboard open = rooks & ~files_squares(f->pawns->files[us]);
    Bitboard semi_open = open & files_squares(f->pawns->files[them]);
    if (open == 0)
        return;
    add(e, ROOK_OPEN_FILE, bits_count(open ^ semi_open));
    add(e, ROOK_SEMI_OPEN_FILE, bits_count(semi_open));
    add(e, ROOK_ATCK_WEAK_PAWN_OPEN_COLUMN,
        bits_count(open & files_squares(f->pawns->weak_files[them])));
    add(e, ROOK_ATTACK_KING_FILE, bits_count(open & files_squares(king_file)));
    add(e, ROOK_ATTACK_KING_ADJ_FILE_ABGH, bits_count(open & files_squares(beside & 0xc3)));
    add(e, ROOK_ATTACK_KING_ADJ_FILE, bits_count(open & files_squares(beside & 0x3c)));
}

/* Rooks on the 7th rank, if there are enemy pawns on it or the enemy king is on the 8th. */
INLINE void seventh_rank_terms(struct sink *e, const struct features *f, enum color us,
                               Bitboard rooks)
{
    enum color them = color_other(us);
    bool pays = f->pawns->second[them] != 0 || (bit(f->king[them]) & rank_relative(us, 7)) != 0;
    add(e, ROOK_7TH_RANK, pays ? bits_count(rooks & rank_relative(us, 6)) : 0);
}

INLINE int rook_terms(struct sink *e, const struct position *p, const struct features *f,
                      enum color us)
{
    enum color them = color_other(us);
    Bitboard rooks = position_pieces(p, us, ROOK);
    Bitboard passed = f->pawns->passed & f->pawns->pawns[us];
    int attackers = 0, connected = 0, mobility = 0, columns = 0;
    for (Bitboard set = rooks; set != 0;) {
        int square = bits_pop(&set);
        Bitboard attacks = rook_attacks(square, f->occupied);
        mobility += bits_count(attacks) / 2;
        columns += column_value[square_file(square)];
        connected += bits_count(attacks & rooks);
        attackers += king_attack(f, us, ROOK, attacks);
    }
    add(e, ROOK_MOBILITY, mobility);
    add(e, ROOK_COLUMN_MULT, columns);
    add(e, ROOK_BEHIND_PASSED_PAWN, bits_count(ahead(them, fill_ahead(them, passed)) & rooks));
    add(e, ROOK_CONNECTED, connected / 2);
    open_file_terms(e, f, us, rooks);
    seventh_rank_terms(e, f, us, rooks);
    return attackers;
}

INLINE int queen_terms(struct sink *e, const struct position *p, const struct features *f,
                       enum color us)
{
    int attackers = 0, mobility = 0;
    for (Bitboard set = position_pieces(p, us, QUEEN); set != 0;) {
        Bitboard attacks = queen_attacks(bits_pop(&set), f->occupied);
        mobility += bits_count(attacks) / 4;
        attackers += king_attack(f, us, QUEEN, attacks);
    }
    add(e, QUEEN_MOBILITY, mobility);
    return attackers;
}

/* ---- kings ---- */

/* King shelter against a queen: pawns of both sides on the king's file and the adjacent files. */
INLINE void shelter_terms(struct sink *e, const struct features *f, enum color us)
{
    unsigned file = 1u << square_file(f->king[us]), beside = files_beside(file);
    unsigned third = f->pawns->third[us], sheltered = f->pawns->second[us] | third;
    unsigned enemy = f->pawns->files[color_other(us)];
    add(e, KING_NO_FRIENDLY_PAWN, (sheltered & file) == 0);
    add(e, KING_NO_FRIENDLY_PAWN_ADJ, bits_count(beside & ~sheltered));
    add(e, KING_FRIENDLY_PAWN_ADVANCED1, bits_count(third & (file | beside)));
    add(e, KING_NO_ENEMY_PAWN, (enemy & file) == 0);
    add(e, KING_NO_ENEMY_PAWN_ADJ, bits_count(beside & ~enemy));
}

/* King pressure. With an own queen: attacks on the enemy king's zone. Against no queen: the
 * activity of the own king; otherwise its shelter. */
INLINE void king_terms(struct sink *e, const struct features *f, enum color us, int attackers)
{
    if (f->queen[us])
        add(e, KING_PRESSURE_MULT, pressure_value[attackers < 15 ? attackers : 15]);
    if (f->queen[color_other(us)])
        shelter_terms(e, f, us);
    else
        add(e, KING_PRESSURE_MULT, king_table_value[square_wing(square_relative(f->king[us], us))]);
}

/* ---- the whole evaluation ---- */

/* How many more pieces of a kind White has than Black. */
INLINE int surplus(const struct position *p, enum kind kind)
{
    return bits_count(position_pieces(p, WHITE, kind)) -
           bits_count(position_pieces(p, BLACK, kind));
}

INLINE void material_terms(struct sink *e, const struct position *p)
{
    bool white_pair = bits_many(position_pieces(p, WHITE, BISHOP));
    bool black_pair = bits_many(position_pieces(p, BLACK, BISHOP));
    e->view = 1;
    add(e, KNIGHT_VALUE, surplus(p, KNIGHT));
    add(e, BISHOP_VALUE, surplus(p, BISHOP));
    add(e, ROOK_VALUE, surplus(p, ROOK));
    add(e, QUEEN_VALUE, surplus(p, QUEEN));
    add(e, BISHOP_PAIR, white_pair - black_pair);
}

/* All other terms of one side, except those of pawns alone. */
INLINE void side_terms(struct sink *e, const struct position *p, const struct features *f,
                       enum color us)
{
    e->view = us == WHITE ? 1 : -1;
    advance_terms(e, f, us);
    king_race_terms(e, f, us);
    int attackers = knight_terms(e, p, f, us) + bishop_terms(e, p, f, us) +
                    rook_terms(e, p, f, us) + queen_terms(e, p, f, us);
    king_terms(e, f, us, attackers);
}

INLINE void pieces_and_kings(struct sink *e, const struct position *p,
                             const struct pawn_structure *s)
{
    struct features f = {.pawns = s, .occupied = position_occupied(p)};
    find_side(&f, p, WHITE);
    find_side(&f, p, BLACK);
    material_terms(e, p);
    side_terms(e, p, &f, WHITE);
    side_terms(e, p, &f, BLACK);
}

static void pawn_structure_find(const struct position *p, const struct eval_weights *w,
                                struct pawn_structure *s)
{
    struct sink e = {.weights = w->value};
    pawns_alone(&e, p, s);
    s->score = e.score;
}

INLINE int32_t score_with_pawns(const struct position *p, const struct eval_weights *w,
                                const struct pawn_structure *s)
{
    struct sink e = {.weights = w->value, .score = s->score};
    pieces_and_kings(&e, p, s);
    return p->side == WHITE ? e.score : -e.score;
}

#if defined __x86_64__ && !defined __POPCNT__
/* The same code once more, where bits_count is an instruction. */
__attribute__((target("popcnt"))) static int32_t score_by_popcnt(const struct position *p,
                                                                 const struct eval_weights *w,
                                                                 const struct pawn_structure *s)
{
    return score_with_pawns(p, w, s);
}
#endif

int32_t evaluate_with_pawns(const struct position *p, const struct eval_weights *w,
                            const struct pawn_structure *s)
{
#if defined __x86_64__ && !defined __POPCNT__
    if (__builtin_cpu_supports("popcnt"))
        return score_by_popcnt(p, w, s);
#endif
    return score_with_pawns(p, w, s);
}

int32_t evaluate(const struct position *p, const struct eval_weights *w)
{
    struct pawn_structure s;
    pawn_structure_find(p, w, &s);
    return evaluate_with_pawns(p, w, &s);
}

void evaluate_trace(const struct position *p, struct eval_trace *trace)
{
    struct pawn_structure s;
    memset(trace, 0, sizeof *trace);
    struct sink e = {.trace = trace};
    pawns_alone(&e, p, &s);
    pieces_and_kings(&e, p, &s);
}

struct eval_weights eval_initial_weights(void)
{
    struct eval_weights w;
    for (int t = 0; t < EVAL_TERMS; t++)
        w.value[t] = eval_params[t].initial;
    return w;
}

struct eval_weights eval_material_weights(void)
{
    struct eval_weights w = {{0}};
    for (enum kind kind = PAWN; kind <= QUEEN; kind++)
        w.value[PAWN_VALUE + kind] = see_values[kind];
    return w;
}

/* ---- the cache of pawn structures ---- */

const struct pawn_structure *pawn_cache_probe(struct pawn_cache *cache, const struct position *p,
                                              const struct eval_weights *w)
{
    Bitboard white = position_pieces(p, WHITE, PAWN), black = position_pieces(p, BLACK, PAWN);
    struct pawn_structure *s = &cache->entries[sets_hash(white, black) >> (64 - PAWN_CACHE_BITS)];
    if (s->pawns[WHITE] != white || s->pawns[BLACK] != black)
        pawn_structure_find(p, w, s);
    return s;
}
