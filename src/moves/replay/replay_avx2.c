/* The replay with VPMADDUBSW and VPMADDWD: sixteen byte products into eight 32-bit lanes, twice per
 * group. */
#include "replay.h"

#include <immintrin.h>

enum { LANES = 8, VECTORS = 4 };
typedef int32_t vec __attribute__((vector_size(4 * LANES)));

static inline vec vec_max(vec a, vec b)
{
    return (vec)_mm256_max_epi32((__m256i)a, (__m256i)b);
}

struct lanes {
    __m256i low[LOW_QUADS], high[HIGH_QUADS];
};

static inline __m256i load(const uint8_t *weights)
{
    return _mm256_load_si256((const __m256i *)(const void *)weights);
}

static inline struct lanes lanes_load(const struct lane_weights *w, int first)
{
    struct lanes lanes;
    for (int k = 0; k < LOW_QUADS; k++)
        lanes.low[k] = load(w->low[k][first]);
    for (int k = 0; k < HIGH_QUADS; k++)
        lanes.high[k] = load(w->high[k][first]);
    return lanes;
}

/* Four byte products summed in each 32-bit lane. Pairs stay within 16 bits: 2 * 127 * 128. */
static inline __m256i dot_quad(__m256i weights, const int8_t *counts)
{
    int32_t four;
    __builtin_memcpy(&four, counts, sizeof four);
    __m256i pairs = _mm256_maddubs_epi16(weights, _mm256_set1_epi32(four));
    return _mm256_madd_epi16(pairs, _mm256_set1_epi16(1));
}

static inline vec leaf_value(const struct leaf_row *row, const struct lanes *lanes)
{
    __m256i low = _mm256_set1_epi32(row->bias), high = _mm256_setzero_si256();
    for (int k = 0; k < LOW_QUADS; k++)
        low = _mm256_add_epi32(low, dot_quad(lanes->low[k], row->low + 4 * k));
    for (int k = 0; k < HIGH_QUADS; k++)
        high = _mm256_add_epi32(high, dot_quad(lanes->high[k], row->high + 4 * k));
    return (vec)_mm256_add_epi32(low, _mm256_slli_epi32(high, 7));
}

/* The products of 16-bit pairs, added in each 32-bit lane. */
static inline vec dot_pair(vec sum, const int16_t *weights, int32_t counts)
{
    __m256i pairs = _mm256_load_si256((const __m256i *)(const void *)weights);
    __m256i products = _mm256_madd_epi16(pairs, _mm256_set1_epi32(counts));
    return (vec)_mm256_add_epi32((__m256i)sum, products);
}

#include "replay_kernel.h"

static bool supported(void)
{
    return __builtin_cpu_supports("avx2");
}

const struct replay replay_avx2 = {"avx2", supported, choose, choose_sparse};
