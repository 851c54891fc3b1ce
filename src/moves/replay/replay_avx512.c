/* The replay with VPDPWSSD: pairs of products added into each of sixteen 32-bit lanes. */
#include "replay.h"

#include <immintrin.h>

enum { LANES = 16, VECTORS = 2, CHAINS = 4 };
typedef int32_t vec __attribute__((vector_size(4 * LANES)));

static inline vec vec_max(vec a, vec b)
{
    return (vec)_mm512_max_epi32((__m512i)a, (__m512i)b);
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

const struct replay replay_avx512 = {"avx512vnni", supported, choose};
