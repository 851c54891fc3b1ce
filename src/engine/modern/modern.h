/* The modern evaluation: a second one beside the paper's (evaluate.h), tapered, linear in its weights.
 *
 * Its terms are lines of modern_terms.def, in groups (modern_sink.h). A term counts something for White and against
 * Black. Each has a weight for the middlegame and one for the endgame, in eighths of a centipawn, and the phase p of
 * a position, from 0 (kings and pawns) to 24 (all pieces), says how much of each counts. From White's side,
 *
 *     MODERN_SCALE * score == sum over terms of count * (p * middlegame + (24 - p) * endgame)
 *
 * in centipawns. The count of a weight is thus count * p or count * (24 - p). Some terms are sums of
 * others: they count what several terms count together, and their weights are added to those of the
 * others when weights are packed. Counts and scores come from the same code (modern_sink.h). Control
 * flow reads no weight, but a group whose weights are all 0 costs nothing. */
#ifndef GRAYLING_MODERN_H
#define GRAYLING_MODERN_H

#include "leaf_counts.h"
#include "modern_sizes.h"
#include "param.h"
#include "position.h"

/* The first index of each group (T_OF_...), term and sum; MODERN_TERMS: their number. */
enum modern_term {
#define GROUP(name, meaning) T_OF_##name, T_BEFORE_##name = T_OF_##name - 1,
#define TERM(name, a, b, c, d, meaning)                                                            \
    T_##name, T_LAST_##name = T_##name + SIZE_##a * SIZE_##b * SIZE_##c * SIZE_##d - 1,
#define SUM(name, of, a, b, c, d, meaning) TERM(name, a, b, c, d, meaning)
#include "modern_terms.def"
    MODERN_TERMS
};

/* The terms that are counted; the others are sums of them. */
enum { MODERN_COUNTED = T_OF_sums };

/* The groups. */
enum modern_group {
#define GROUP(name, meaning) GROUP_##name,
#include "modern_terms.def"
    MODERN_GROUPS
};

/* The first term of each group, and MODERN_TERMS. */
extern const uint16_t modern_group_begin[MODERN_GROUPS + 1];

enum { MODERN_PHASES = 24, MODERN_UNIT = 8, MODERN_SCALE = MODERN_PHASES * MODERN_UNIT };

/* Weight 2 t is term t's in the middlegame, 2 t + 1 in the endgame. */
enum { MODERN_WEIGHTS = 2 * MODERN_TERMS };

/* The weights, named TERM_FIRST_SECOND_MG and so on; kind "evaluation-modern". */
extern const struct param_table modern_eval_table;

/* All weights of the same term or sum, both phases: from `first` to before `end`. */
void modern_term_weights(int weight, int *first, int *end);

/* Packed weights for play: the weight of a counted term plus the weights of its sums,
 * the endgame's times 2^32 plus the middlegame's, so that one addition sums both. */
struct modern_weights {
    int64_t pair[MODERN_COUNTED];
    int16_t values[MODERN_WEIGHTS]; /* as they were given */
    unsigned groups;                /* that have a weight other than 0: one bit each */
};

/* The sums that a counted term belongs to, ended by MODERN_TERMS. */
enum { MODERN_SUMS = 4 };
extern const uint16_t modern_sums[MODERN_COUNTED][MODERN_SUMS];

/* Packs values[MODERN_WEIGHTS], which are within the table's ranges. */
void modern_pack(const int32_t *values, struct modern_weights *w);

/* What depends on pawns, and on pawns and a king: parts of the sum, packed, from White's side, and sets
 * that other groups need. Indexed by colour. */
struct modern_pawns {
    Bitboard pawns[2];
    Bitboard spans[2];  /* squares attacked now or after any advance */
    Bitboard passed;    /* passed pawns of both colours */
    int64_t score;      /* of the pawns */
    int64_t kings[2];   /* of a king among the pawns */
    uint8_t king_at[2]; /* its square, plus 1; 0: its part is not found yet */
    uint8_t files[2];   /* files with own pawns, one bit each */
};

/* Finds the part of the pawns, and none of the kings. */
void modern_pawns_find_alone(const struct position *p, const struct modern_weights *w,
                             struct modern_pawns *pawns);

/* Finds all parts. `w` is NULL for the sets alone. */
void modern_pawns_find(const struct position *p, const struct modern_weights *w,
                       struct modern_pawns *pawns);

/* The part of a king on a square, among pawns whose sets are found. */
int64_t modern_king_score(const struct modern_pawns *pawns, enum color us, int king,
                          const struct modern_weights *w);

/* The score times MODERN_SCALE, for the side to move: exactly what the weights say. */
int32_t modern_evaluate_exact(const struct position *p, const struct modern_weights *w,
                              const struct modern_pawns *pawns);

/* Writes the counts that are not 0, by rising weight, from White's side; returns their number. */
int modern_trace(const struct position *p, struct weight_count items[MODERN_WEIGHTS]);

/* ---- what is kept between positions ---- */

/* Parts of the sum for pawns, for kings among them, and for material, which neighbours in a search mostly have
 * in common. A probe compares all that an entry depends on, so a hit is never false. */

/* The part of the material, and the phase. */
struct modern_material {
    uint64_t counts; /* pieces of each kind, 4 bits each */
    int64_t score;   /* packed, from White's side */
    int32_t phase;   /* 0 to MODERN_PHASES */
};

/* The part of a king among pawns. */
struct modern_king {
    Bitboard pawns[2];
    int64_t score;
    uint64_t where; /* the king's square and colour, plus 1; 0: no entry */
};

enum { MODERN_PAWN_BITS = 12, MODERN_KING_BITS = 12, MODERN_MATERIAL_BITS = 10 };

/* Owned by the caller. All-zero memory is an empty cache: the entry of no pawns, with the kings still to
 * be found, is right for any weights. All probes since then must pass the same weights. */
struct modern_cache {
    struct modern_pawns pawns[1 << MODERN_PAWN_BITS];
    struct modern_king kings[1 << MODERN_KING_BITS]; /* those that moved */
    struct modern_material material[1 << MODERN_MATERIAL_BITS];
};

/* The scores in centipawns for either side, if it is to move: the exact ones, rounded towards 0. The side
 * to move counts for nothing else, and so the second is that after a null move. */
void modern_evaluate(const struct position *p, const struct modern_weights *w,
                     struct modern_cache *cache, int32_t scores[2]);

#endif
