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

/* Lists the own pieces of a kind, a constant. */
INLINE void list_pieces(struct modern_facts *f, enum kind kind)
{
    int count = 0;
    f->attacks[OWN][kind] = 0;
    for (Bitboard set = position_pieces(f->position, OWN, kind); set != 0; count++) {
        int square = bits_pop(&set);
        Bitboard attacks = piece_attacks(kind, square, f->occupied);
        f->piece[OWN][f->pieces[OWN]++] =
            (struct modern_piece){attacks, (uint8_t)kind, (uint8_t)square};
        f->twice[OWN] |= f->attacked[OWN] & attacks;
        f->attacked[OWN] |= attacks;
        f->attacks[OWN][kind] |= attacks;
    }
    f->count[OWN][kind] = count;
}

/* Finds what the own side does on a position, and where it could check. */
__attribute__((noinline)) static void find_own(struct modern_facts *f, const struct position *p,
                                               const struct modern_pawns *pawns)
{
    const Bitboard own = position_pieces(p, OWN, PAWN);
    const Bitboard west = (own & ~file_bits(0)) << 7, east = (own & ~file_bits(7)) << 9;
    const int king = position_king(p, OWN), enemy = position_king(p, ENEMY);
    const Bitboard near = king_attacks(king);
    f->position = p;
    f->pawns = pawns;
    f->occupied = position_occupied(p);
    f->pieces[OWN] = 0;
    f->king[OWN] = king;
    f->attacks[OWN][PAWN] = west | east;
    f->attacks[OWN][KING] = near;
    f->attacked[OWN] = west | east | near;
    f->twice[OWN] = (west & east) | ((west | east) & near);
    f->zone[OWN] = near | bit(king) | ahead(OWN, near);
    f->count[OWN][PAWN] = bits_count(own);
    f->checks[KNIGHT] = knight_attacks(enemy);
    f->checks[BISHOP] = bishop_attacks(enemy, f->occupied);
    f->checks[ROOK] = rook_attacks(enemy, f->occupied);
    f->checks[QUEEN] = f->checks[BISHOP] | f->checks[ROOK];
    list_pieces(f, KNIGHT);
    list_pieces(f, BISHOP);
    list_pieces(f, ROOK);
    list_pieces(f, QUEEN);
    f->piece[OWN][f->pieces[OWN]].kind = KING;
    f->queen[OWN] = f->count[OWN][QUEEN] > 0;
}

/* Fills in what the enemy does: what the own side does as that one sees it. */
static void turn_own(const struct modern_facts *of, struct modern_facts *f)
{
    for (enum kind kind = PAWN; kind <= KING; kind++)
        f->attacks[ENEMY][kind] = turned(of->attacks[OWN][kind]);
    for (enum kind kind = PAWN; kind <= QUEEN; kind++)
        f->count[ENEMY][kind] = of->count[OWN][kind];
    f->attacked[ENEMY] = turned(of->attacked[OWN]);
    f->twice[ENEMY] = turned(of->twice[OWN]);
    f->zone[ENEMY] = turned(of->zone[OWN]);
    f->king[ENEMY] = of->king[OWN] ^ 56;
    f->queen[ENEMY] = of->queen[OWN];
    f->pieces[ENEMY] = of->pieces[OWN];
    f->piece[ENEMY][of->pieces[OWN]].kind = KING;
    for (int i = 0; i < of->pieces[OWN]; i++) {
        const struct modern_piece *piece = &of->piece[OWN][i];
        f->piece[ENEMY][i] = (struct modern_piece){turned(piece->attacks), piece->kind,
                                                   (uint8_t)(piece->square ^ 56)};
    }
}

/* The facts as White sees them, and as Black does: what is Black's is the own side's, and its first rank the first. */
struct both {
    struct modern_facts of[2];
    struct position turned; /* what groups read of it */
    struct modern_pawns turned_pawns;
    uint64_t counts; /* of pieces of all kinds but kings, 4 bits each */
};

/* Turns a position, but for what groups do not read. */
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

static void find_facts(struct both *b, const struct position *p, const struct modern_pawns *pawns)
{
    struct modern_facts *white = &b->of[WHITE], *black = &b->of[BLACK];
    turn_position(p, &b->turned);
    b->turned_pawns = modern_pawns_turned(pawns);
    white->mover = black->mover = p->side == WHITE ? 1 : -1;
    find_own(white, p, pawns);
    find_own(black, &b->turned, &b->turned_pawns);
    turn_own(white, black);
    turn_own(black, white);
    b->counts = 0;
    for (enum kind kind = PAWN; kind <= QUEEN; kind++)
        b->counts = b->counts << 8 | (unsigned)(white->count[OWN][kind] << 4) |
                    (unsigned)white->count[ENEMY][kind];
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

INLINE void material_side(struct sink *e, const struct modern_facts *f)
{
    const int *own = f->count[OWN], *enemy = f->count[ENEMY];
    for (int kind = PAWN; kind <= QUEEN; kind++)
        add(e, T_MATERIAL + kind, own[kind]);
    add(e, T_BISHOP_PAIR, own[BISHOP] >= 2);
    own_products(e, own);
    enemy_products(e, own, enemy);
}

MODERN_GROUP(material, material_side)

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
static void find_material(const struct both *b, const struct modern_weights *w,
                          struct modern_material *material)
{
    struct sink white = {.pair = w->pair}, black = white;
    modern_material(&b->of[WHITE], &white);
    modern_material(&b->of[BLACK], &black);
    material->counts = b->counts;
    material->score = white.score - black.score;
    material->phase = phase_of(&b->of[WHITE]);
}

/* ---- scores ---- */

/* A packed sum, weighed by the phase. */
static int32_t phased(int64_t sum, int32_t phase)
{
    int32_t middlegame = (int32_t)sum, endgame = (int32_t)((sum - middlegame) >> 32);
    return middlegame * phase + endgame * (MODERN_PHASES - phase);
}

/* A side's score by all groups that are not kept. Their code is here once: a search needs the rest of the cache. */
__attribute__((noinline)) static struct sink weigh_side(const struct modern_facts *f,
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

/* The scores times MODERN_SCALE, for White if it is to move, and for Black if it is: kept parts, and all others. */
static void weigh(const struct both *b, const struct modern_weights *w,
                  const struct modern_material *material, int32_t scores[2])
{
    enum { WAITS, MOVES };
    const struct modern_pawns *pawns = b->of[WHITE].pawns;
    const struct sink white = weigh_side(&b->of[WHITE], w), black = weigh_side(&b->of[BLACK], w);
    const int64_t both = material->score + pawns->score + pawns->kings[WHITE] +
                         pawns->kings[BLACK] + white.score - black.score;
    scores[WHITE] = phased(both + white.turns[MOVES] - black.turns[WAITS], material->phase);
    scores[BLACK] = -phased(both + white.turns[WAITS] - black.turns[MOVES], material->phase);
}

int32_t modern_evaluate_exact(const struct position *p, const struct modern_weights *w,
                              const struct modern_pawns *pawns)
{
    struct both b;
    struct modern_material material;
    int32_t scores[2];
    find_facts(&b, p, pawns);
    find_material(&b, w, &material);
    weigh(&b, w, &material, scores);
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
    struct both b;
    struct modern_pawns pawns;
    int16_t counts[ROOM];
    memset(counts, 0, sizeof counts);
    modern_pawns_find(p, NULL, &pawns);
    find_facts(&b, p, &pawns);
#define SUMS(name, meaning)
#define GROUP(name, meaning)                                                                       \
    modern_##name##_counts(&b.of[WHITE], counts, 1);                                               \
    modern_##name##_counts(&b.of[BLACK], counts, -1);
#include "modern_terms.def"
    return list_counts(counts, phase_of(&b.of[WHITE]), items);
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
static const struct modern_material *
probe_material(struct modern_cache *cache, const struct both *b, const struct modern_weights *w)
{
    uint64_t hash = sets_hash(b->counts, 0);
    struct modern_material *material = &cache->material[hash >> (64 - MODERN_MATERIAL_BITS)];
    if (material->counts != b->counts)
        find_material(b, w, material);
    return material;
}

void modern_evaluate(const struct position *p, const struct modern_weights *w,
                     struct modern_cache *cache, int32_t scores[2])
{
    struct both b;
    find_facts(&b, p, probe_pawns(cache, p, w));
    weigh(&b, w, probe_material(cache, &b, w), scores);
    scores[WHITE] /= MODERN_SCALE;
    scores[BLACK] /= MODERN_SCALE;
}

/* The whole board: the move, space, and pawns that something blocks. Worth 62, 4 % of the time (modern_sink.h). */

/* Squares of the four files in the centre, on the own ranks 2 to 4, that no pawn occupies or attacks;
 * those behind an own pawn count twice. */
INLINE int space(const struct modern_facts *f)
{
    Bitboard field = files_squares(0x3c) &
                     (rank_relative(OWN, 1) | rank_relative(OWN, 2) | rank_relative(OWN, 3));
    Bitboard safe = field & ~f->pawns->pawns[OWN] & ~f->attacks[ENEMY][PAWN];
    Bitboard behind = ahead(ENEMY, fill_ahead(ENEMY, f->pawns->pawns[OWN]));
    return bits_count(safe) + bits_count(safe & behind & ~f->attacked[ENEMY]);
}

/* Pawns before which something stands. */
INLINE void blocked_terms(struct sink *e, const struct modern_facts *f)
{
    for (Bitboard set = f->pawns->pawns[OWN] & ahead(ENEMY, f->occupied); set != 0;) {
        int square = bits_pop(&set);
        int by_enemy = (f->position->by_color[ENEMY] & ahead(OWN, bit(square))) != 0;
        add(e, T_PAWN_BLOCKED + by_enemy * SIZE_SQUARES + square_wing(square), 1);
    }
}

INLINE void whole_side(struct sink *e, const struct modern_facts *f)
{
    int room = space(f);
    add_if_turn(e, T_TEMPO, false, true);
    add(e, T_SPACE, room);
    add(e, T_SPACE_PIECES, room * f->pieces[OWN]);
    blocked_terms(e, f);
}

MODERN_GROUP(whole, whole_side)
