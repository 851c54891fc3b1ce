#include "modern_sink.h"

#include "modern.h"
#include "sets.h"

#include <string.h>

_Static_assert((int)MODERN_WEIGHTS <= (int)EVALUATOR_WEIGHTS_MAX,
               "a trace has room for all weights");

const uint16_t modern_group_begin[] = {
#define GROUP(name, meaning) T_OF_##name,
#include "modern_terms.def"
    MODERN_TERMS};

/* The first index of each term and sum, and MODERN_TERMS. */
static const uint16_t term_begin[] = {
#define TERM(name, a, b, c, d, meaning)    T_##name,
#define SUM(name, of, a, b, c, d, meaning) T_##name,
#include "modern_terms.def"
    MODERN_TERMS};

void modern_term_weights(int weight, int *first, int *end)
{
    int next = 1;
    while (term_begin[next] <= weight / 2)
        next++;
    *first = 2 * term_begin[next - 1];
    *end = 2 * term_begin[next];
}

static int64_t packed(const int32_t *values, int term)
{
    return values[2 * term + 1] * (INT64_C(1) << 32) + values[2 * term];
}

/* The groups that have a pair other than 0. */
static unsigned groups_used(const int64_t *pair)
{
    unsigned used = 0;
    for (int group = 0; group < GROUP_sums; group++)
        for (int t = modern_group_begin[group]; t < modern_group_begin[group + 1]; t++)
            used |= (unsigned)(pair[t] != 0) << group;
    return used;
}

void modern_pack(const int32_t *values, struct modern_weights *w)
{
    for (int i = 0; i < MODERN_WEIGHTS; i++)
        w->values[i] = (int16_t)values[i];
    for (int t = 0; t < MODERN_COUNTED; t++) {
        w->pair[t] = packed(values, t);
        for (const uint16_t *sum = modern_sums[t]; *sum != MODERN_TERMS; sum++)
            w->pair[t] += packed(values, *sum);
    }
    w->groups = groups_used(w->pair);
}

/* ---- facts ---- */

static inline void add_attacks(struct modern_facts *f, enum color us, enum kind kind,
                               Bitboard attacks)
{
    f->twice[us] |= f->attacked[us] & attacks;
    f->attacked[us] |= attacks;
    f->attacks[us][kind] |= attacks;
}

/* Lists the pieces of a kind, a constant. */
INLINE void list_pieces(struct modern_facts *f, enum color us, enum kind kind)
{
    int count = 0;
    for (Bitboard set = position_pieces(f->position, us, kind); set != 0; count++) {
        int square = bits_pop(&set);
        Bitboard attacks = piece_attacks(kind, square, f->occupied);
        f->piece[us][f->pieces[us]++] =
            (struct modern_piece){attacks, (uint8_t)kind, (uint8_t)square};
        add_attacks(f, us, kind, attacks);
    }
    f->count[us][kind] = count;
}

static void find_checks(struct modern_facts *f, enum color us)
{
    int king = position_king(f->position, color_other(us));
    f->checks[us][KNIGHT] = knight_attacks(king);
    f->checks[us][BISHOP] = bishop_attacks(king, f->occupied);
    f->checks[us][ROOK] = rook_attacks(king, f->occupied);
    f->checks[us][QUEEN] = f->checks[us][BISHOP] | f->checks[us][ROOK];
}

__attribute__((noinline)) static void find_side(struct modern_facts *f, enum color us)
{
    const struct position *p = f->position;
    Bitboard pawns = position_pieces(p, us, PAWN);
    Bitboard west = us == WHITE ? (pawns & ~file_bits(0)) << 7 : (pawns & ~file_bits(0)) >> 9;
    Bitboard east = us == WHITE ? (pawns & ~file_bits(7)) << 9 : (pawns & ~file_bits(7)) >> 7;
    f->pieces[us] = 0;
    f->king[us] = position_king(p, us);
    Bitboard near = king_attacks(f->king[us]);
    f->attacks[us][PAWN] = west | east;
    f->attacks[us][KING] = near;
    f->attacked[us] = west | east | near;
    f->twice[us] = (west & east) | ((west | east) & near);
    f->zone[us] = near | bit(f->king[us]) | ahead(us, near);
    f->count[us][PAWN] = bits_count(pawns);
    find_checks(f, us);
    for (enum kind kind = KNIGHT; kind <= QUEEN; kind++)
        f->attacks[us][kind] = 0;
    list_pieces(f, us, KNIGHT);
    list_pieces(f, us, BISHOP);
    list_pieces(f, us, ROOK);
    list_pieces(f, us, QUEEN);
    f->piece[us][f->pieces[us]].kind = KING;
    f->queen[us] = f->count[us][QUEEN] > 0;
    for (enum kind kind = PAWN; kind <= QUEEN; kind++)
        f->counts = f->counts << 4 | (unsigned)f->count[us][kind];
}

static void find_facts(struct modern_facts *f, const struct position *p,
                       const struct modern_pawns *pawns)
{
    f->position = p;
    f->pawns = pawns;
    f->occupied = position_occupied(p);
    f->counts = 0;
    f->mover = p->side == WHITE ? 1 : -1;
    for (enum color us = WHITE; us <= BLACK; us++)
        find_side(f, us);
}

/* ---- material ---- */

/* Material: pieces, the pair of bishops, and the products of their numbers, which say how the worth of a piece
 * depends on the others. Costs nothing while material stays, which a cache keeps. Worth 434 (modern_sink.h). */

INLINE void own_products(struct sink *e, const int own[6])
{
    int index = T_OWN_PRODUCT;
    for (int a = PAWN; a <= QUEEN; a++)
        for (int b = PAWN; b <= a; b++)
            add(e, index++, own[a] * own[b]);
}

INLINE void enemy_products(struct sink *e, const int own[6], const int enemy[6])
{
    int index = T_ENEMY_PRODUCT;
    for (int a = KNIGHT; a <= QUEEN; a++)
        for (int b = PAWN; b < a; b++)
            add(e, index++, own[a] * enemy[b]);
}

INLINE void material_side(struct sink *e, const struct modern_facts *f, enum color us)
{
    const int *own = f->count[us], *enemy = f->count[color_other(us)];
    for (int kind = PAWN; kind <= QUEEN; kind++)
        add(e, T_MATERIAL + kind, own[kind]);
    add(e, T_BISHOP_PAIR, own[BISHOP] >= 2);
    own_products(e, own);
    enemy_products(e, own, enemy);
}

MODERN_KEPT_GROUP(material, material_side)

/* The phase of a position: minor pieces count 1, rooks 2, queens 4. */
static int phase_of(const struct modern_facts *f)
{
    int sum = 0;
    for (int us = WHITE; us <= BLACK; us++)
        sum += f->count[us][KNIGHT] + f->count[us][BISHOP] + 2 * f->count[us][ROOK] +
               4 * f->count[us][QUEEN];
    return sum < MODERN_PHASES ? sum : MODERN_PHASES;
}

/* Fills in what depends on material alone. */
static void find_material(const struct modern_facts *f, const struct modern_weights *w,
                          struct modern_material *material)
{
    material->counts = f->counts;
    material->score = w == NULL ? 0 : modern_material(f, w);
    material->phase = phase_of(f);
}

/* ---- the other side ---- */

/* Facts turned round: what is White's becomes Black's, and the first rank the last. */
struct turned_facts {
    struct modern_facts facts;
    struct position position; /* what groups read of it */
    struct modern_pawns pawns;
};

static Bitboard turned(Bitboard set)
{
    return __builtin_bswap64(set);
}

static void turn_position(const struct position *p, struct position *to)
{
    for (enum kind kind = PAWN; kind <= KING; kind++)
        to->by_kind[kind] = turned(p->by_kind[kind]);
    to->by_color[WHITE] = turned(p->by_color[BLACK]);
    to->by_color[BLACK] = turned(p->by_color[WHITE]);
    to->castling = turned(p->castling);
    for (int rank = 0; rank < 8; rank++)
        memcpy(to->board + 8 * rank, p->board + 8 * (7 - rank), 8);
}

static void turn_side(const struct modern_facts *f, struct turned_facts *t, enum color us)
{
    const enum color them = color_other(us);
    struct modern_facts *to = &t->facts;
    for (enum kind kind = PAWN; kind <= KING; kind++)
        to->attacks[us][kind] = turned(f->attacks[them][kind]);
    for (enum kind kind = KNIGHT; kind <= QUEEN; kind++)
        to->checks[us][kind] = turned(f->checks[them][kind]);
    for (enum kind kind = PAWN; kind <= QUEEN; kind++)
        to->count[us][kind] = f->count[them][kind];
    to->attacked[us] = turned(f->attacked[them]);
    to->twice[us] = turned(f->twice[them]);
    to->zone[us] = turned(f->zone[them]);
    to->king[us] = f->king[them] ^ 56;
    to->queen[us] = f->queen[them];
    to->pieces[us] = f->pieces[them];
    to->piece[us][f->pieces[them]].kind = KING;
    for (int i = 0; i < f->pieces[them]; i++) {
        const struct modern_piece *piece = &f->piece[them][i];
        to->piece[us][i] = (struct modern_piece){turned(piece->attacks), piece->kind,
                                                 (uint8_t)(piece->square ^ 56)};
    }
    t->pawns.pawns[us] = turned(f->pawns->pawns[them]);
    t->pawns.spans[us] = turned(f->pawns->spans[them]);
    t->pawns.files[us] = f->pawns->files[them];
}

static void turn_facts(const struct modern_facts *f, struct turned_facts *t)
{
    turn_position(f->position, &t->position);
    turn_side(f, t, WHITE);
    turn_side(f, t, BLACK);
    t->pawns.passed = turned(f->pawns->passed);
    t->facts.occupied = turned(f->occupied);
    t->facts.position = &t->position;
    t->facts.pawns = &t->pawns;
}

/* ---- scores ---- */

/* A packed sum, weighed by the phase. */
static int32_t phased(int64_t sum, int32_t phase)
{
    int32_t middlegame = (int32_t)sum, endgame = (int32_t)((sum - middlegame) >> 32);
    return middlegame * phase + endgame * (MODERN_PHASES - phase);
}

/* White's score by all groups that are not kept. */
__attribute__((noinline)) static struct sink weigh_white(const struct modern_facts *f,
                                                         const struct modern_weights *w)
{
    struct sink sum = {.pair = w->pair};
#define KEPT_GROUP(name, meaning)
#define SUMS(name, meaning)
#define GROUP(name, meaning)                                                                       \
    if ((w->groups >> GROUP_##name & 1) != 0)                                                      \
        modern_##name(f, &sum);
#include "modern_terms.def"
    return sum;
}

/* The scores times MODERN_SCALE, for White if it is to move, and for Black if it is: the parts that are
 * kept, and all others. */
static void weigh(const struct modern_facts *f, const struct modern_weights *w,
                  const struct modern_material *material, int32_t scores[2])
{
    enum { WAITS, MOVES };
    struct turned_facts t;
    turn_facts(f, &t);
    const struct modern_pawns *pawns = f->pawns;
    const struct sink white = weigh_white(f, w), black = weigh_white(&t.facts, w);
    const int64_t both = material->score + pawns->score + pawns->kings[WHITE] +
                         pawns->kings[BLACK] + white.score - black.score;
    scores[WHITE] = phased(both + white.turns[MOVES] - black.turns[WAITS], material->phase);
    scores[BLACK] = -phased(both + white.turns[WAITS] - black.turns[MOVES], material->phase);
}

int32_t modern_evaluate_exact(const struct position *p, const struct modern_weights *w,
                              const struct modern_pawns *pawns)
{
    struct modern_facts f;
    struct modern_material material;
    int32_t scores[2];
    find_facts(&f, p, pawns);
    find_material(&f, w, &material);
    weigh(&f, w, &material, scores);
    return scores[p->side];
}

/* Appends a count that is not 0. */
static int append(struct weight_count *items, int found, int weight, int count)
{
    items[found] = (struct weight_count){(uint16_t)weight, (int16_t)count};
    return found + (count != 0);
}

/* Counts of all terms, with room to read STRIDE of them at once. Most are 0. */
enum { STRIDE = 4, ROOM = (MODERN_TERMS / STRIDE + 1) * STRIDE };

static bool all_zero(const int16_t counts[STRIDE])
{
    uint64_t word;
    memcpy(&word, counts, sizeof word);
    return word == 0;
}

/* Adds a term's count to the sums that it belongs to, which are later terms. */
static void add_to_sums(int16_t counts[ROOM], int term)
{
    if (term < MODERN_COUNTED)
        for (const uint16_t *sum = modern_sums[term]; *sum != MODERN_TERMS; sum++)
            counts[*sum] = (int16_t)(counts[*sum] + counts[term]);
}

/* Lists both weights of all terms that count something. */
static int list_counts(int16_t counts[ROOM], int phase, struct weight_count *items)
{
    int found = 0;
    for (int first = 0; first < ROOM; first += STRIDE) {
        if (all_zero(counts + first))
            continue;
        for (int t = first; t < first + STRIDE; t++) {
            if (counts[t] == 0)
                continue;
            add_to_sums(counts, t);
            found = append(items, found, 2 * t, counts[t] * phase);
            found = append(items, found, 2 * t + 1, counts[t] * (MODERN_PHASES - phase));
        }
    }
    return found;
}

int modern_trace(const struct position *p, struct weight_count items[MODERN_WEIGHTS])
{
    struct modern_facts f;
    struct modern_pawns pawns;
    struct modern_material material;
    int16_t counts[ROOM];
    memset(counts, 0, sizeof counts);
    modern_pawns_find(p, NULL, &pawns);
    find_facts(&f, p, &pawns);
#define SUMS(name, meaning)
#define GROUP(name, meaning) modern_##name##_counts(&f, counts);
#include "modern_terms.def"
    find_material(&f, NULL, &material);
    return list_counts(counts, material.phase, items);
}

/* The part of a king that is not where the pawns' entry has it: kept, or found. */
static void find_king(struct modern_cache *cache, struct modern_pawns *pawns, uint64_t hash,
                      enum color us, int king, const struct modern_weights *w)
{
    const uint64_t where = (uint64_t)(64 * us + king + 1);
    hash += where * UINT64_C(0x9e3779b97f4a7c15);
    struct modern_king *kept = &cache->kings[hash >> (64 - MODERN_KING_BITS)];
    if (kept->where != where || kept->pawns[WHITE] != pawns->pawns[WHITE] ||
        kept->pawns[BLACK] != pawns->pawns[BLACK])
        *kept = (struct modern_king){{pawns->pawns[WHITE], pawns->pawns[BLACK]},
                                     modern_king_score(pawns, us, king, w),
                                     where};
    pawns->kings[us] = kept->score;
    pawns->king_at[us] = (uint8_t)(king + 1);
}

/* The pawns and kings of a position, found unless they are kept. */
static const struct modern_pawns *probe_pawns(struct modern_cache *cache, const struct position *p,
                                              const struct modern_weights *w)
{
    Bitboard white = position_pieces(p, WHITE, PAWN), black = position_pieces(p, BLACK, PAWN);
    uint64_t hash = sets_hash(white, black);
    struct modern_pawns *pawns = &cache->pawns[hash >> (64 - MODERN_PAWN_BITS)];
    if (pawns->pawns[WHITE] != white || pawns->pawns[BLACK] != black)
        modern_pawns_find_alone(p, w, pawns);
    for (enum color us = WHITE; us <= BLACK; us++)
        if (pawns->king_at[us] != position_king(p, us) + 1)
            find_king(cache, pawns, hash, us, position_king(p, us), w);
    return pawns;
}

/* The material of a position, found unless it is kept. */
static const struct modern_material *probe_material(struct modern_cache *cache,
                                                    const struct modern_facts *f,
                                                    const struct modern_weights *w)
{
    uint64_t hash = sets_hash(f->counts, 0);
    struct modern_material *material = &cache->material[hash >> (64 - MODERN_MATERIAL_BITS)];
    if (material->counts != f->counts)
        find_material(f, w, material);
    return material;
}

void modern_evaluate(const struct position *p, const struct modern_weights *w,
                     struct modern_cache *cache, int32_t scores[2])
{
    struct modern_facts f;
    find_facts(&f, p, probe_pawns(cache, p, w));
    weigh(&f, w, probe_material(cache, &f, w), scores);
    scores[WHITE] /= MODERN_SCALE;
    scores[BLACK] /= MODERN_SCALE;
}

/* The whole board: the move, space, and pawns that something blocks. Worth 62, 4 % of the time (modern_sink.h). */

/* Squares of the four files in the centre, on the own ranks 2 to 4, that no pawn occupies or attacks;
 * those behind an own pawn count twice. */
INLINE int space(const struct modern_facts *f, enum color us)
{
    enum color them = color_other(us);
    Bitboard field =
        files_squares(0x3c) & (rank_relative(us, 1) | rank_relative(us, 2) | rank_relative(us, 3));
    Bitboard safe = field & ~f->pawns->pawns[us] & ~f->attacks[them][PAWN];
    Bitboard behind = ahead(them, fill_ahead(them, f->pawns->pawns[us]));
    return bits_count(safe) + bits_count(safe & behind & ~f->attacked[them]);
}

/* Pawns before which something stands. */
INLINE void blocked_terms(struct sink *e, const struct modern_facts *f, enum color us)
{
    enum color them = color_other(us);
    for (Bitboard set = f->pawns->pawns[us] & ahead(them, f->occupied); set != 0;) {
        int square = bits_pop(&set);
        int by_enemy = (f->position->by_color[them] & ahead(us, bit(square))) != 0;
        add(e, T_PAWN_BLOCKED + by_enemy * SIZE_SQUARES + wing_square(us, square), 1);
    }
}

INLINE void whole_side(struct sink *e, const struct modern_facts *f, enum color us)
{
    int room = space(f, us);
    add_if_turn(e, T_TEMPO, false, true);
    add(e, T_SPACE, room);
    add(e, T_SPACE_PIECES, room * f->pieces[us]);
    blocked_terms(e, f, us);
}

MODERN_GROUP(whole, whole_side)
