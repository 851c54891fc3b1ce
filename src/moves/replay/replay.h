/* Replays leaves: multiplies weights and counts and folds the products by minimax, for a group of
 * organisms at once, one organism per lane. For any linear evaluation.
 *
 * Most leaves differ from a leaf before them by one move, so a leaf is kept as a difference. The sum of a
 * leaf, from White's side, is
 *
 *     kept[to] = kept[from] + sum(weight * count) over the leaf's terms
 *     value = bias + kept[to] if White chooses there, else bias - kept[to]
 *
 * where kept[0] is always 0. Sums are computed modulo 2^32. The final ones fit (REPLAY_LIMIT), so
 * all kernels give the same integers.
 *
 * Kernels: "avx512vnni" (VPDPWSSD on 512 bits), "avx2" (VPMADDWD) and "portable" C. */
#ifndef GRAYLING_REPLAY_H
#define GRAYLING_REPLAY_H

#include <stdbool.h>
#include <stdint.h>

enum {
    REPLAY_LANES = 128, /* organisms in a group, at most */
    REPLAY_STEP = 32,   /* the lanes of a group are a multiple of it */
    REPLAY_DEPTH = 48,  /* open nodes; a quiescence line is shorter, because each ply captures */
    REPLAY_SLOTS = 8,   /* sums that are kept, slot 0 included */
    REPLAY_LIMIT = 1000000000,  /* largest |value| of a static leaf, for all weights in range */
    REPLAY_MATE = 2000000000,   /* REPLAY_MATE - n is mate in n plies */
    REPLAY_LOWEST = -INT32_MAX, /* below every value */
};

/* A leaf. `opens` nodes open before it and `closes` nodes close after it. A constant leaf has its value as
 * bias, no terms, and slots 0. */
struct replay_leaf {
    int32_t bias;
    uint16_t terms; /* number of terms */
    uint8_t opens, closes;
    uint8_t from, to; /* slots */
    int8_t sign;      /* 0 if White chooses there, -1 if Black */
};

/* The counts of the two weights of a column. Many evaluations list the middlegame and the endgame weight of
 * a term one after the other: such counts share a term (compiled_set.h). */
struct replay_term {
    uint16_t column;
    int16_t count[2];
};

/* A root move, and the number of its leaves. */
struct replay_root {
    uint32_t leaves;
    uint16_t move;
    bool right; /* it is a bm */
};

/* The leaves under one position, root by root, with their terms one after another. */
struct replay_tree {
    const struct replay_leaf *rows;
    const struct replay_term *terms;
    const struct replay_root *roots;
    int moves;
};

/* The weights of a group by column, aligned to 64 bytes. One of the two is set: `narrow` if all
 * weights fit 16 bits, whatever their values within their ranges. */
struct replay_weights {
    int lanes;
    const int16_t *narrow; /* [column][lane][2] */
    const int32_t *wide;   /* [column][2][lane] */
};

/* What each lane's organism plays: the root move's index, and its value for the mover. */
struct replayed {
    int32_t choice[REPLAY_LANES], value[REPLAY_LANES];
};

/* A kernel. */
struct replay {
    const char *name;
    bool (*supported)(void);
    void (*choose)(const struct replay_tree *tree, const struct replay_weights *w,
                   struct replayed *played);
};

/* All kernels that are compiled in, best first; NULL-terminated. */
extern const struct replay *const replay_kernels[];

/* The best kernel that this machine supports. */
const struct replay *replay_best(void);

#endif
