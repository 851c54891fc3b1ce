/* What an evaluation that is linear in its weights counts in one position. Of N weights,
 *
 *     score = bias + sum over i of weight[i] * count[i] / scale
 *
 * where `scale` belongs to the evaluation. Most counts of a position are 0, so only the others are listed. */
#ifndef GRAYLING_LEAF_COUNTS_H
#define GRAYLING_LEAF_COUNTS_H

#include <stdint.h>

enum { EVALUATOR_WEIGHTS_MAX = 4096 };

/* A count that is not 0. */
struct weight_count {
    uint16_t weight; /* index */
    int16_t count;
};

/* The counts of one position, by rising index. */
struct leaf_counts {
    int32_t bias;                     /* unscaled */
    int count;                        /* of entries */
    const struct weight_count *items; /* owned by the evaluator until its next call */
};

#endif
