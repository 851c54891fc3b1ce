/* The replay in plain C, for machines without a kernel of their own. */
#include "replay.h"

enum { LANES = 4 }; /* 128 bits, which every machine of interest has or imitates */
typedef int32_t vec __attribute__((vector_size(4 * LANES)));

static inline vec vec_max(vec a, vec b)
{
    vec larger = a > b;
    return (a & larger) | (b & ~larger);
}

static inline vec leaf_value(const struct leaf_row *row, const struct lane_weights *w, int first)
{
    vec value = row->bias - (vec){0};
    for (int t = 0; t < EVAL_TERMS; t++) {
        vec weights = {0};
        for (int lane = 0; lane < LANES; lane++)
            weights[lane] = w->whole[t][first + lane];
        value += weights * row->low[t];
    }
    return value;
}

#include "replay_kernel.h"

static bool supported(void)
{
    return true;
}

static uint64_t peak(uint64_t rounds)
{
    enum { CHAINS = 4 };
    vec sum[CHAINS] = {{0}}, a = {1, 2, 3, 4};
    for (uint64_t r = 0; r < rounds; r++) {
        __asm__ volatile("" : "+m"(a));
        for (int c = 0; c < CHAINS; c++)
            sum[c] += a * (int32_t)(r + (uint64_t)c);
    }
    __asm__ volatile("" ::"m"(sum));
    return rounds * CHAINS * LANES;
}

const struct replay replay_portable = {"portable", supported, choose, peak};
