/* The replay, written once and compiled for each kernel: REPLAY_AVX512, REPLAY_AVX2, or neither for the
 * portable one, whose vectors of 128 bits every machine of interest has or imitates.
 *
 *     LANES            organisms in a vector
 *     VECTORS          vectors folded together, which share the cost of folding
 *     CHAINS           sums of a leaf's terms side by side, where one alone would wait for each result
 *     vec              LANES 32-bit integers, a GCC vector
 *     vec_max(a, b)    the larger in each lane
 *     dot_pair(sum, weights, counts)    adds to `sum` the products of two 16-bit counts, given in one
 *                                       integer, with the pairs of LANES weights at `weights`,
 *                                       modulo 2^32 */
#include "replay.h"

#include <string.h>

#if defined REPLAY_AVX512
#include <immintrin.h>
#define KERNEL      replay_avx512
#define KERNEL_NAME "avx512vnni"
#define SUPPORTED   (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vnni"))
enum { LANES = 16, VECTORS = 2, CHAINS = 4 };
#elif defined REPLAY_AVX2
#include <immintrin.h>
#define KERNEL      replay_avx2
#define KERNEL_NAME "avx2"
#define SUPPORTED   __builtin_cpu_supports("avx2")
enum { LANES = 8, VECTORS = 4, CHAINS = 1 };
#else
#define KERNEL      replay_portable
#define KERNEL_NAME "portable"
#define SUPPORTED   true
enum { LANES = 4, VECTORS = 4, CHAINS = 1 };
#endif

enum { MANY_TERMS = 16 }; /* of a leaf, which pay for chains */

typedef int32_t vec __attribute__((vector_size(4 * LANES)));
typedef uint32_t uvec __attribute__((vector_size(4 * LANES))); /* wraps around */

static inline vec vec_max(vec a, vec b)
{
#if defined REPLAY_AVX512
    return (vec)_mm512_max_epi32((__m512i)a, (__m512i)b);
#elif defined REPLAY_AVX2
    return (vec)_mm256_max_epi32((__m256i)a, (__m256i)b);
#else
    const vec larger = a > b;
    return (a & larger) | (b & ~larger);
#endif
}

static inline vec dot_pair(vec sum, const int16_t *weights, int32_t counts)
{
#if defined REPLAY_AVX512
    return (vec)_mm512_dpwssd_epi32((__m512i)sum, _mm512_load_si512(weights),
                                    _mm512_set1_epi32(counts));
#elif defined REPLAY_AVX2
    __m256i pairs = _mm256_load_si256((const __m256i *)(const void *)weights);
    __m256i products = _mm256_madd_epi16(pairs, _mm256_set1_epi32(counts));
    return (vec)_mm256_add_epi32((__m256i)sum, products);
#else
    int16_t count[2];
    memcpy(count, &counts, sizeof count);
    for (int lane = 0; lane < LANES; lane++)
        sum[lane] = (int32_t)((uint32_t)sum[lane] + (uint32_t)(weights[2 * lane] * count[0]) +
                              (uint32_t)(weights[2 * lane + 1] * count[1]));
    return sum;
#endif
}

static inline vec vec_all(int32_t x)
{
    return x - (vec){0};
}

/* The values of one node for all organisms folded together. */
struct values {
    vec v[VECTORS];
};

/* Raises `at` to the larger of the two, lane by lane. */
static inline void raise(struct values *at, const struct values *value)
{
    for (int i = 0; i < VECTORS; i++)
        at->v[i] = vec_max(at->v[i], value->v[i]);
}

static inline void lowest(struct values *at)
{
    for (int i = 0; i < VECTORS; i++)
        at->v[i] = vec_all(REPLAY_LOWEST);
}

/* Folds the values of one leaf upward: opens nodes, takes the maximum at the current node, and
 * closes nodes; each passes its negated values to its parent (negamax). Returns the new depth. */
static inline int fold(struct values *stack, int depth, int opens, int closes,
                       const struct values *value)
{
    for (int i = 0; i < opens; i++)
        lowest(&stack[++depth]);
    raise(&stack[depth], value);
    for (int i = 0; i < closes; i++, depth--)
        for (int v = 0; v < VECTORS; v++)
            stack[depth - 1].v[v] = vec_max(stack[depth - 1].v[v], -stack[depth].v[v]);
    return depth;
}

static inline void add_term(struct values *sum, const struct replay_term *term,
                            const struct replay_weights *w, int first, bool wide)
{
    int32_t counts;
    memcpy(&counts, term->count, sizeof counts);
    for (int v = 0; v < VECTORS && !wide; v++)
        sum->v[v] = dot_pair(sum->v[v], w->narrow[term->column][first + v * LANES], counts);
    for (int i = 0; i < 2 * VECTORS && wide; i++) {
        const int half = i / VECTORS, v = i % VECTORS;
        uvec weights;
        memcpy(&weights, w->wide[term->column][half] + first + v * LANES, sizeof weights);
        sum->v[v] = (vec)((uvec)sum->v[v] + weights * (uint32_t)term->count[half]);
    }
}

/* Computes the sum of a leaf from a kept one and its terms, keeps it, and returns the leaf's value. */
static inline struct values value_of(const struct replay_leaf *row, const struct replay_term *term,
                                     const struct replay_weights *w, int first, bool wide,
                                     struct values kept[REPLAY_SLOTS])
{
    struct values sum = kept[row->from], value;
    const vec sign = vec_all(row->sign);
    int i = 0;
    if (CHAINS > 1 && row->terms >= MANY_TERMS) {
        struct values chain[CHAINS] = {{{{0}}}};
        for (; i + CHAINS <= row->terms; i += CHAINS)
            for (int c = 0; c < CHAINS; c++)
                add_term(&chain[c], &term[i + c], w, first, wide);
        for (int c = 0; c < CHAINS; c++)
            for (int v = 0; v < VECTORS; v++)
                sum.v[v] = (vec)((uvec)sum.v[v] + (uvec)chain[c].v[v]);
    }
    for (; i < row->terms; i++)
        add_term(&sum, &term[i], w, first, wide);
    for (int v = 0; v < VECTORS; v++)
        value.v[v] = ((sum.v[v] ^ sign) - sign) + row->bias;
    kept[row->to] = sum;
    return value;
}

/* Runs the 1-ply search of LANES * VECTORS organisms. */
static inline void choose_lanes(const struct replay_tree *tree, const struct replay_weights *w,
                                int first, bool wide, struct replayed *played)
{
    struct values stack[REPLAY_DEPTH], kept[REPLAY_SLOTS] = {{{{0}}}};
    struct values best, chosen = {{{0}}};
    const struct replay_leaf *row = tree->rows;
    const struct replay_term *term = tree->terms;
    lowest(&best);
    for (int m = 0; m < tree->moves; m++) {
        lowest(&stack[0]);
        int depth = 0;
        for (const struct replay_leaf *end = row + tree->roots[m].leaves; row < end; row++) {
            const struct values value = value_of(row, term, w, first, wide, kept);
            term += row->terms;
            depth = fold(stack, depth, row->opens, row->closes, &value);
        }
        for (int v = 0; v < VECTORS; v++) { /* the first of equal moves wins */
            vec better = stack[0].v[v] > best.v[v];
            chosen.v[v] = (chosen.v[v] & ~better) | (better & m);
        }
        raise(&best, &stack[0]);
    }
    memcpy(played->choice + first, &chosen, sizeof chosen);
    memcpy(played->value + first, &best, sizeof best);
}

static void choose(const struct replay_tree *tree, const struct replay_weights *w,
                   struct replayed *played)
{
    for (int first = 0; first < REPLAY_LANES; first += LANES * VECTORS)
        if (w->narrow != NULL)
            choose_lanes(tree, w, first, false, played);
        else
            choose_lanes(tree, w, first, true, played);
}

static bool supported(void)
{
    return SUPPORTED;
}

extern const struct replay KERNEL;
const struct replay KERNEL = {KERNEL_NAME, supported, choose};
