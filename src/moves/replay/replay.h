/* Replays leaves: multiplies weights and counts and folds the products by minimax, for a group of
 * organisms at once, one organism per lane. Leaves are dense or sparse.
 *
 * Dense, for our own evaluation. A weight is an unsigned 7-bit low part and, for terms whose range needs it, a 7-bit
 * high part. A count is a signed byte. Products of bytes therefore never saturate, whichever
 * instruction computes them, and all kernels give the same 32-bit integers:
 *
 *     value = bias + sum(low part * count) + 128 * sum(high part * count)
 *
 * Sparse, for any linear evaluation. Most leaves differ from a leaf before them by one move, so a
 * leaf is kept as a difference. The sum of a leaf, from White's side, is
 *
 *     kept[to] = kept[from] + sum(weight * count) over the leaf's terms
 *     value = bias + kept[to] if White chooses there, else bias - kept[to]
 *
 * where kept[0] is always 0. Sums are computed modulo 2^32. The final ones fit (SPARSE_LIMIT), so
 * these, too, are the same integers in all kernels.
 *
 * Kernels: "avx512vnni" (VPDPBUSD on 512 bits), "avx2" (VPMADDUBSW) and "portable" C. The best one
 * of the machine is selected at run time. Tests compare them all. */
#ifndef GRAYLING_REPLAY_H
#define GRAYLING_REPLAY_H

#include "evaluate.h"

/* Sizes. The table gives the number of terms that need a high part. */
enum {
    REPLAY_LANES = 32, /* organisms in a group */
    HIGH_TERMS = 0
#define PARAM(name, bits, min, max, initial, sign, meaning) +((max) > 127)
#include "eval_params.def"
#undef PARAM
    ,
    LOW_QUADS = (EVAL_TERMS + 3) / 4, /* columns in fours, one instruction's operand */
    HIGH_QUADS = (HIGH_TERMS + 3) / 4,
    REPLAY_DEPTH = 48, /* open nodes; a quiescence line is shorter, because each ply captures */
    REPLAY_LOWEST = -INT32_MAX, /* below every value */
};

/* A leaf, seen from the side that chooses there. `opens` nodes open before it and `closes` nodes
 * close after it. A constant leaf has its value as bias and no counts. */
struct leaf_row {
    int32_t bias;
    int8_t low[4 * LOW_QUADS];   /* one count per term */
    int8_t high[4 * HIGH_QUADS]; /* the counts of terms with a high part */
    uint8_t opens, closes;
    uint8_t padding[2];
};

/* The leaves under one position: `leaves[m]` consecutive rows for root move m. */
struct leaf_tree {
    const struct leaf_row *rows;
    const uint32_t *leaves;
    int moves;
};

/* The weights of a group, packed for all kernels. */
struct lane_weights {
    _Alignas(64) uint8_t low[LOW_QUADS][REPLAY_LANES][4];
    _Alignas(64) uint8_t high[HIGH_QUADS][REPLAY_LANES][4];
    _Alignas(64) int16_t whole[EVAL_TERMS][REPLAY_LANES];
};

/* Sizes and values of sparse leaves. */
enum {
    SPARSE_SLOTS = 8,          /* sums that are kept, slot 0 included */
    SPARSE_LIMIT = 1000000000, /* largest |value| of a static leaf, for all weights in range */
    SPARSE_MATE = 2000000000,  /* SPARSE_MATE - n is mate in n plies */
};

/* A sparse leaf. A constant leaf has its value as bias, no terms, and slots 0. */
struct sparse_leaf {
    int32_t bias;
    uint16_t terms; /* number of terms */
    uint8_t opens, closes;
    uint8_t from, to; /* slots */
    int8_t sign;      /* 0 if White chooses there, -1 if Black */
    uint8_t padding;
};

/* The counts of the two weights of a column. Many evaluations list the middlegame and the endgame weight of
 * a term one after the other: such counts share a term (weight_places.h). */
struct sparse_term {
    uint16_t column;
    int16_t count[2];
};

/* The sparse leaves under one position, as leaf_tree, with their terms one after another. */
struct sparse_tree {
    const struct sparse_leaf *rows;
    const struct sparse_term *terms;
    const uint32_t *leaves;
    int moves;
};

/* The weights of a group by column, aligned to 64 bytes. One of the two is set: `narrow` if all
 * weights fit 16 bits, whatever their values within their ranges. */
struct sparse_weights {
    const int16_t (*narrow)[REPLAY_LANES][2];
    const int32_t (*wide)[2][REPLAY_LANES];
};

/* What the organism of each lane plays: the index of the root move, and its value for the mover, in
 * the unit of the leaves. */
struct replayed {
    int32_t choice[REPLAY_LANES], value[REPLAY_LANES];
};

/* A kernel. */
struct replay {
    const char *name;
    bool (*supported)(void);
    void (*choose)(const struct leaf_tree *tree, const struct lane_weights *w,
                   struct replayed *played);
    void (*choose_sparse)(const struct sparse_tree *tree, const struct sparse_weights *w,
                          struct replayed *played);
};

/* All kernels that are compiled in, best first; NULL-terminated. */
extern const struct replay *const replay_kernels[];

/* The best kernel that this machine supports. */
const struct replay *replay_best(void);

/* Packs `count` organisms (1 to REPLAY_LANES), rows of EVAL_TERMS weights within the table's ranges;
 * unused lanes get zero weights. */
void replay_pack(const int32_t *weights, int count, struct lane_weights *packed);

#endif
