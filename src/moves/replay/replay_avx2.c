/* The replay with VPMADDWD: pairs of products into eight 32-bit lanes. */
#include "replay.h"

#include <immintrin.h>

enum { LANES = 8, VECTORS = 4, CHAINS = 1 };
typedef int32_t vec __attribute__((vector_size(4 * LANES)));

static inline vec vec_max(vec a, vec b)
{
    return (vec)_mm256_max_epi32((__m256i)a, (__m256i)b);
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

const struct replay replay_avx2 = {"avx2", supported, choose};
