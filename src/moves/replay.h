/* Replays leaves: multiplies weights and counts and folds the products by minimax, for a group of
 * organisms at once, one organism per lane.
 *
 * A weight is an unsigned 7-bit low part and, for terms whose range needs it, a 7-bit high part. A
 * count is a signed byte. Products of bytes therefore never saturate, whichever instruction
 * computes them, and all kernels give the same 32-bit integers:
 *
 *     value = bias + sum(low part * count) + 128 * sum(high part * count)
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

/* A kernel. choice[lane] is the index of the root move that the lane's organism plays. */
struct replay {
    const char *name;
    bool (*supported)(void);
    void (*choose)(const struct leaf_tree *tree, const struct lane_weights *w,
                   int32_t choice[REPLAY_LANES]);
    /* Measures the machine's peak for benchmarks: runs `rounds` rounds of this kernel's
     * multiply-add instructions on registers alone, on one core, and returns the number of
     * multiply-adds. NULL for portable C. */
    uint64_t (*peak)(uint64_t rounds);
};

/* All kernels that are compiled in, best first; NULL-terminated. */
extern const struct replay *const replay_kernels[];

/* The best kernel that this machine supports. */
const struct replay *replay_best(void);

/* The kernel called `name`. NULL if it does not exist or the machine cannot run it. */
const struct replay *replay_find(const char *name);

/* Packs `count` organisms (1 to REPLAY_LANES); unused lanes get zero weights. Weights must be
 * within the table's ranges. */
void replay_pack(const struct eval_weights *weights, int count, struct lane_weights *packed);

#endif
