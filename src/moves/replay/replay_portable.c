/* The replay in plain C, for machines without a kernel of their own. */
#include "replay.h"

#include <stddef.h>
#include <string.h>

/* 128 bits, which every machine of interest has or imitates. */
enum { LANES = 4, VECTORS = 4, CHAINS = 1 };
typedef int32_t vec __attribute__((vector_size(4 * LANES)));

static inline vec vec_max(vec a, vec b)
{
    vec larger = a > b;
    return (a & larger) | (b & ~larger);
}

/* The products of 16-bit pairs, added in each lane. */
static inline vec dot_pair(vec sum, const int16_t *weights, int32_t counts)
{
    int16_t count[2];
    memcpy(count, &counts, sizeof count);
    for (int lane = 0; lane < LANES; lane++)
        sum[lane] = (int32_t)((uint32_t)sum[lane] + (uint32_t)(weights[2 * lane] * count[0]) +
                              (uint32_t)(weights[2 * lane + 1] * count[1]));
    return sum;
}

#include "replay_kernel.h"

static bool supported(void)
{
    return true;
}

const struct replay replay_portable = {"portable", supported, choose};
