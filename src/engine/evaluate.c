#include "evaluate.h"

#include "attacks.h"
#include "eval_tables.h"

#include <stddef.h>
#include <string.h>

static const struct param eval_params[EVAL_TERMS] = {
#define PARAM(name, bits, min, max, initial, sign, meaning)                                        \
    {#name, bits, min, max, initial, sign, meaning},
#include "eval_params.def"
#undef PARAM
};

const struct param_table eval_table = {"evaluation", eval_params, EVAL_TERMS};

static const int8_t term_sign[EVAL_TERMS] = {
#define PARAM(name, bits, min, max, initial, sign, meaning) sign,
#include "eval_params.def"
#undef PARAM
};

/* ---- the sink: the only way into the score ---- */

/* Where counts go: into the score, or (with a trace) beside their terms. `view` is +1 while White's
 * terms are counted and -1 while Black's are. */
struct sink {
    const int32_t *weights;
    int32_t score;
    struct eval_trace *trace;
    int view;
};

/* The one place where the score grows. */
static inline __attribute__((always_inline)) void add(struct sink *e, enum eval_term term,
                                                      int count)
{
    int signed_count = term_sign[term] * e->view * count;
    if (e->trace != NULL)
        e->trace->count[term] = (int16_t)(e->trace->count[term] + signed_count);
    else
        e->score += e->weights[term] * signed_count;
}

/* What several terms ask of a position, found once. Indexed by colour. */
struct features {
    Bitboard occupied;
    Bitboard pawns[2];
    Bitboard pawn_attacks[2]; /* squares attacked now */
    Bitboard pawn_spans[2];   /* squares attacked now or after any advance */
    Bitboard passed[2], doubled[2], isolated[2], backward[2];
    uint8_t files[2]; /* bit f: a pawn of that colour on file f */
    int king[2];
    bool queen[2]; /* has one */
};

/* ---- sets of squares ---- */

#define INLINE static inline __attribute__((always_inline))

/* The squares one rank ahead, as `side` advances. */
INLINE Bitboard ahead(enum color side, Bitboard b)
{
    return side == WHITE ? b << 8 : b >> 8;
}

/* The squares and all those ahead of them on their files. */
INLINE Bitboard fill_ahead(enum color side, Bitboard b)
{
    if (side == WHITE) {
        b |= b << 8;
        b |= b << 16;
        return b | b << 32;
    }
    b |= b >> 8;
    b |= b >> 16;
    return b | b >> 32;
}

/* The files that a set touches, one bit each. */
INLINE unsigned files_of(Bitboard b)
{
    b |= b >> 32;
    b |= b >> 16;
    b |= b >> 8;
    return (unsigned)(b & 0xff);
}

/* The neighbours of a set of files. */
INLINE unsigned files_beside(unsigned files)
{
    return (files << 1 | files >> 1) & 0xff;
}

INLINE Bitboard files_squares(unsigned files)
{
    return files * FILE_A;
}

INLINE Bitboard rank_relative(enum color side, int rank)
{
    return rank_bits(side == WHITE ? rank : 7 - rank);
}

/* King moves between two squares. */
INLINE int distance(int a, int b)
{
    int files = square_file(a) - square_file(b), ranks = square_rank(a) - square_rank(b);
    files = files < 0 ? -files : files;
    ranks = ranks < 0 ? -ranks : ranks;
    return files > ranks ? files : ranks;
}

/* ---- features ---- */

INLINE void find_side(struct features *f, const struct position *p, enum color us)
{
    f->pawns[us] = position_pieces(p, us, PAWN);
    f->pawn_attacks[us] = pawns_attacks(us, f->pawns[us]);
    f->pawn_spans[us] = pawns_attacks(us, fill_ahead(us, f->pawns[us]));
    f->files[us] = (uint8_t)files_of(f->pawns[us]);
    f->king[us] = position_king(p, us);
    f->queen[us] = position_pieces(p, us, QUEEN) != 0;
}

INLINE void find_pawn_faults(struct features *f, enum color us)
{
    enum color them = color_other(us);
    Bitboard own = f->pawns[us];
    Bitboard enemy_front = fill_ahead(them, f->pawns[them]) | f->pawn_spans[them];
    Bitboard behind_own = ahead(them, fill_ahead(them, own));
    f->passed[us] = own & ~enemy_front & ~behind_own;
    f->isolated[us] = own & ~files_squares(files_beside(f->files[us]));
    Bitboard stops = ahead(us, own) & ~f->pawn_spans[us] & f->pawn_attacks[them];
    f->backward[us] = ahead(them, stops) & ~f->isolated[us];
    f->doubled[us] = own & behind_own;
}

INLINE struct features find_features(const struct position *p)
{
    struct features f;
    f.occupied = position_occupied(p);
    find_side(&f, p, WHITE);
    find_side(&f, p, BLACK);
    find_pawn_faults(&f, WHITE);
    find_pawn_faults(&f, BLACK);
    return f;
}

/* ---- terms ---- */

/* How far the pawns have come: one table against a queen, another without. */
INLINE void advance_terms(struct sink *e, const struct features *f, enum color us)
{
    bool against_queen = f->queen[color_other(us)];
    int a = 0, b = 0;
    for (Bitboard set = f->pawns[us]; set != 0;) {
        int index = table_index(square_relative(bits_pop(&set), us));
        if (against_queen)
            a += advance_a_value[index];
        else
            b += advance_b_value[index];
    }
    add(e, PAWN_ADVANCE_A, a);
    add(e, PAWN_ADVANCE_B, b);
}

/* How sound the pawns are, and what they leave undefended. */
INLINE void pawn_terms(struct sink *e, const struct features *f, enum color us)
{
    const Bitboard front = (rank_relative(us, 2) | rank_relative(us, 3)) & files_squares(0x3c);
    add(e, PAWN_VALUE, bits_count(f->pawns[us]));
    add(e, DOUBLED_PAWN_PENALTY, bits_count(f->doubled[us]));
    add(e, ISOLATED_PAWN_PENALTY, bits_count(f->isolated[us]));
    add(e, BACKWARD_PAWN_PENALTY, bits_count(f->backward[us]));
    add(e, WEAK_SQUARE_PENALTY, bits_count(front & ~f->pawn_spans[us]));
}

INLINE void passed_pawn_terms(struct sink *e, const struct features *f, enum color us)
{
    for (Bitboard set = f->passed[us]; set != 0;) {
        int square = bits_pop(&set);
        int stop = us == WHITE ? square + 8 : square - 8;
        add(e, PASSED_PAWN_MULT, passed_value[square_rank(square_relative(square, us))]);
        add(e, PASSED_PAWN_ENEMY_KING_DIST,
            distance(stop, f->king[color_other(us)]) - distance(stop, f->king[us]));
    }
}

/* Counts an attacker of the enemy king's surroundings. */
INLINE int king_attack(const struct features *f, enum color us, enum kind kind, Bitboard attacks)
{
    int enemy_king = f->king[color_other(us)];
    Bitboard zone = king_attacks(enemy_king) | bit(enemy_king);
    return (attacks & zone) != 0 ? attacker_weight[kind] : 0;
}

INLINE int knight_terms(struct sink *e, const struct position *p, const struct features *f,
                        enum color us)
{
    Bitboard outposts = f->pawn_attacks[us] & ~f->pawn_spans[color_other(us)];
    int attackers = 0;
    for (Bitboard set = position_pieces(p, us, KNIGHT); set != 0;) {
        int square = bits_pop(&set), index = table_index(square_relative(square, us));
        add(e, KNIGHT_VALUE, 1);
        add(e, KNIGHT_SQ_MULT, knight_table_value[index]);
        if ((outposts & bit(square)) != 0)
            add(e, KNIGHT_OUTPOST_MULT, outpost_table_value[index]);
        attackers += king_attack(f, us, KNIGHT, knight_attacks(square));
    }
    return attackers;
}

INLINE int bishop_terms(struct sink *e, const struct position *p, const struct features *f,
                        enum color us)
{
    int attackers = 0;
    Bitboard bishops = position_pieces(p, us, BISHOP);
    if (bits_many(bishops))
        add(e, BISHOP_PAIR, 1);
    for (Bitboard set = bishops; set != 0;) {
        Bitboard attacks = bishop_attacks(bits_pop(&set), f->occupied);
        add(e, BISHOP_VALUE, 1);
        add(e, BISHOP_MOBILITY, bits_count(attacks));
        attackers += king_attack(f, us, BISHOP, attacks);
    }
    return attackers;
}

/* A rook on a file without own pawns. */
INLINE void open_file_terms(struct sink *e, const struct features *f, enum color us, unsigned file)
{
    enum color them = color_other(us);
    unsigned king_file = files_of(bit(f->king[them])), beside = files_beside(king_file);
    if ((f->files[them] & file) == 0) {
        add(e, ROOK_OPEN_FILE, 1);
    } else {
        Bitboard weak = f->isolated[them] | f->backward[them];
        add(e, ROOK_SEMI_OPEN_FILE, 1);
        if ((weak & files_squares(file)) != 0)
            add(e, ROOK_ATCK_WEAK_PAWN_OPEN_COLUMN, 1);
    }
    if (file == king_file)
        add(e, ROOK_ATTACK_KING_FILE, 1);
    else if ((file & beside & 0xc3) != 0)
        add(e, ROOK_ATTACK_KING_ADJ_FILE_ABGH, 1);
    else if ((file & beside) != 0)
        add(e, ROOK_ATTACK_KING_ADJ_FILE, 1);
}

INLINE int rook_terms(struct sink *e, const struct position *p, const struct features *f,
                      enum color us)
{
    enum color them = color_other(us);
    Bitboard rooks = position_pieces(p, us, ROOK);
    Bitboard behind_passed = ahead(them, fill_ahead(them, f->passed[us]));
    bool seventh_pays = (f->pawns[them] & rank_relative(us, 6)) != 0 ||
                        (bit(f->king[them]) & rank_relative(us, 7)) != 0;
    int attackers = 0, connected = 0;
    for (Bitboard set = rooks; set != 0;) {
        int square = bits_pop(&set);
        unsigned file = 1u << square_file(square);
        Bitboard attacks = rook_attacks(square, f->occupied);
        add(e, ROOK_VALUE, 1);
        add(e, ROOK_MOBILITY, bits_count(attacks) / 2);
        add(e, ROOK_COLUMN_MULT, column_value[square_file(square)]);
        add(e, ROOK_BEHIND_PASSED_PAWN, (behind_passed & bit(square)) != 0);
        add(e, ROOK_7TH_RANK, seventh_pays && (bit(square) & rank_relative(us, 6)) != 0);
        if ((f->files[us] & file) == 0)
            open_file_terms(e, f, us, file);
        connected += bits_count(attacks & rooks);
        attackers += king_attack(f, us, ROOK, attacks);
    }
    add(e, ROOK_CONNECTED, connected / 2);
    return attackers;
}

INLINE int queen_terms(struct sink *e, const struct position *p, const struct features *f,
                       enum color us)
{
    int attackers = 0;
    for (Bitboard set = position_pieces(p, us, QUEEN); set != 0;) {
        Bitboard attacks = queen_attacks(bits_pop(&set), f->occupied);
        add(e, QUEEN_VALUE, 1);
        add(e, QUEEN_MOBILITY, bits_count(attacks) / 4);
        attackers += king_attack(f, us, QUEEN, attacks);
    }
    return attackers;
}

/* The king in the middlegame: its shelter, pawns of both sides on its file and those beside it. */
INLINE void shelter_terms(struct sink *e, const struct features *f, enum color us)
{
    enum color them = color_other(us);
    unsigned file = 1u << square_file(f->king[us]), beside = files_beside(file);
    Bitboard third = f->pawns[us] & rank_relative(us, 2);
    unsigned sheltered = files_of((f->pawns[us] & rank_relative(us, 1)) | third);
    add(e, KING_NO_FRIENDLY_PAWN, (sheltered & file) == 0);
    add(e, KING_NO_FRIENDLY_PAWN_ADJ, bits_count(beside & ~sheltered));
    add(e, KING_FRIENDLY_PAWN_ADVANCED1, bits_count(third & files_squares(file | beside)));
    add(e, KING_NO_ENEMY_PAWN, (f->files[them] & file) == 0);
    add(e, KING_NO_ENEMY_PAWN_ADJ, bits_count(beside & ~(unsigned)f->files[them]));
}

/* The pressure on the enemy king while there is an own queen, the pressure that the own king exerts
 * once there is no enemy queen to fear; before that, its shelter. */
INLINE void king_terms(struct sink *e, const struct features *f, enum color us, int attackers)
{
    if (f->queen[us])
        add(e, KING_PRESSURE_MULT, pressure_value[attackers < 15 ? attackers : 15]);
    if (f->queen[color_other(us)])
        shelter_terms(e, f, us);
    else
        add(e, KING_PRESSURE_MULT, king_table_value[table_index(square_relative(f->king[us], us))]);
}

/* Everything that counts for one side. */
INLINE void side_terms(struct sink *e, const struct position *p, const struct features *f,
                       enum color us)
{
    e->view = us == WHITE ? 1 : -1;
    advance_terms(e, f, us);
    pawn_terms(e, f, us);
    passed_pawn_terms(e, f, us);
    int attackers = knight_terms(e, p, f, us) + bishop_terms(e, p, f, us) +
                    rook_terms(e, p, f, us) + queen_terms(e, p, f, us);
    king_terms(e, f, us, attackers);
}

INLINE void all_terms(struct sink *e, const struct position *p)
{
    const struct features f = find_features(p);
    side_terms(e, p, &f, WHITE);
    side_terms(e, p, &f, BLACK);
}

int32_t evaluate(const struct position *p, const struct eval_weights *w)
{
    struct sink e = {.weights = w->value};
    all_terms(&e, p);
    return p->side == WHITE ? e.score : -e.score;
}

void evaluate_trace(const struct position *p, struct eval_trace *trace)
{
    memset(trace, 0, sizeof *trace);
    struct sink e = {.trace = trace};
    all_terms(&e, p);
}

struct eval_weights eval_initial_weights(void)
{
    struct eval_weights w;
    for (int t = 0; t < EVAL_TERMS; t++)
        w.value[t] = eval_params[t].initial;
    return w;
}
