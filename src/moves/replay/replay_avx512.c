/* The replay with VPDPBUSD: four byte products added into each of sixteen 32-bit lanes. */
#include "replay.h"

#include <immintrin.h>

enum { LANES = 16, VECTORS = 2 };
typedef int32_t vec __attribute__((vector_size(4 * LANES)));

static inline vec vec_max(vec a, vec b)
{
    return (vec)_mm512_max_epi32((__m512i)a, (__m512i)b);
}

/* Four counts of a leaf, in every lane. */
static inline __m512i quad(const int8_t *counts)
{
    int32_t four;
    __builtin_memcpy(&four, counts, sizeof four);
    return _mm512_set1_epi32(four);
}

struct lanes {
    __m512i low[LOW_QUADS], high[HIGH_QUADS];
};

static inline struct lanes lanes_load(const struct lane_weights *w, int first)
{
    struct lanes lanes;
    for (int k = 0; k < LOW_QUADS; k++)
        lanes.low[k] = _mm512_load_si512(w->low[k][first]);
    for (int k = 0; k < HIGH_QUADS; k++)
        lanes.high[k] = _mm512_load_si512(w->high[k][first]);
    return lanes;
}

static inline vec leaf_value(const struct leaf_row *row, const struct lanes *lanes)
{
    __m512i low = _mm512_set1_epi32(row->bias), high = _mm512_setzero_si512();
    for (int k = 0; k < LOW_QUADS; k++)
        low = _mm512_dpbusd_epi32(low, lanes->low[k], quad(row->low + 4 * k));
    for (int k = 0; k < HIGH_QUADS; k++)
        high = _mm512_dpbusd_epi32(high, lanes->high[k], quad(row->high + 4 * k));
    return (vec)_mm512_add_epi32(low, _mm512_slli_epi32(high, 7));
}

/* The products of 16-bit pairs, added in each 32-bit lane. */
static inline vec dot_pair(vec sum, const int16_t *weights, int32_t counts)
{
    return (vec)_mm512_dpwssd_epi32((__m512i)sum, _mm512_load_si512(weights),
                                    _mm512_set1_epi32(counts));
}

#include "replay_kernel.h"

static bool supported(void)
{
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vnni");
}

const struct replay replay_avx512 = {"avx512vnni", supported, choose, choose_sparse};
