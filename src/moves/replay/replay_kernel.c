/* The replay, written once and compiled for each kernel: REPLAY_AVX512, REPLAY_AVX2, or neither for the
 * portable one, whose vectors of 128 bits every machine of interest has or imitates.
 *
 *     LANES            organisms in a vector
 *     vec              LANES 32-bit integers, a GCC vector
 *     vec_max(a, b)    the larger in each lane
 *     dot_pair(sum, weights, counts)    adds to `sum` the products of two 16-bit counts, given in one
 *                                       integer, with the pairs of LANES weights at `weights`,
 *                                       modulo 2^32
 *
 * Up to VECTORS vectors are folded together: most of a leaf's time goes to branches that no processor
 * foresees. Their number `n` is a constant wherever it is used, so that sums stay in registers. */
#include "replay.h"

#include <string.h>

#if defined REPLAY_AVX512
#include <immintrin.h>
#define KERNEL      replay_avx512
#define KERNEL_NAME "avx512vnni"
#define SUPPORTED   (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vnni"))
enum { LANES = 16 };
#elif defined REPLAY_AVX2
#include <immintrin.h>
#define KERNEL      replay_avx2
#define KERNEL_NAME "avx2"
#define SUPPORTED   __builtin_cpu_supports("avx2")
enum { LANES = 8 };
#else
#define KERNEL      replay_portable
#define KERNEL_NAME "portable"
#define SUPPORTED   true
enum { LANES = 4 };
#endif

enum { VECTORS = 8 };

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
    return (vec)_mm512_dpwssd_epi32((__m512i)sum, _mm512_set1_epi32(counts),
                                    _mm512_load_si512(weights));
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
static inline void raise(struct values *at, const struct values *value, int n)
{
    for (int v = 0; v < n; v++)
        at->v[v] = vec_max(at->v[v], value->v[v]);
}

static inline void lowest(struct values *at, int n)
{
    for (int v = 0; v < n; v++)
        at->v[v] = vec_all(REPLAY_LOWEST);
}

/* Folds the value of one leaf upward: opens nodes, takes the maximum at the current one, whose values `at`
 * stay in registers, and closes nodes; each passes its negated values to its parent (negamax). The others wait on the
 * stack. Returns the new depth. */
static inline int fold(struct values *stack, struct values *at, int depth, int opens, int closes,
                       const struct values *value, int n)
{
    for (int i = 0; i < opens; i++, depth++)
        for (int v = 0; v < n; v++) {
            stack[depth].v[v] = at->v[v];
            at->v[v] = vec_all(REPLAY_LOWEST);
        }
    raise(at, value, n);
    for (int i = 0; i < closes; i++) {
        depth--;
        for (int v = 0; v < n; v++)
            at->v[v] = vec_max(stack[depth].v[v], -at->v[v]);
    }
    return depth;
}

static inline void add_term(struct values *sum, const struct replay_term *term,
                            const struct replay_weights *w, int first, bool wide, int n)
{
    int32_t counts;
    memcpy(&counts, term->count, sizeof counts);
    for (int v = 0; v < n && !wide; v++) {
        const int lane = term->column * w->lanes + first + v * LANES;
        sum->v[v] = dot_pair(sum->v[v], w->narrow + 2 * lane, counts);
    }
    for (int i = 0; i < 2 * n && wide; i++) {
        const int half = i / n, v = i % n, row = 2 * term->column + half;
        uvec weights;
        memcpy(&weights, w->wide + row * w->lanes + first + v * LANES, sizeof weights);
        sum->v[v] = (vec)((uvec)sum->v[v] + weights * (uint32_t)term->count[half]);
    }
}

/* Computes the sum of a leaf from a kept one and its terms, keeps it, and writes the leaf's value. */
static inline void take_leaf(const struct replay_leaf *row, const struct replay_term *term,
                             const struct replay_weights *w, int first, bool wide, int n,
                             struct values kept[REPLAY_SLOTS], struct values *value)
{
    struct values sum;
    const vec sign = vec_all(row->sign), bias = vec_all(row->bias - row->sign); /* -x = ~x + 1 */
    for (int v = 0; v < n; v++)
        sum.v[v] = kept[row->from].v[v];
    for (int i = 0; i < row->terms; i++)
        add_term(&sum, &term[i], w, first, wide, n);
    for (int v = 0; v < n; v++) {
        kept[row->to].v[v] = sum.v[v];
        value->v[v] = (sum.v[v] ^ sign) + bias;
    }
}

/* Runs the 1-ply search of the n * LANES organisms from lane `first` on. */
static inline void choose_lanes(const struct replay_tree *tree, const struct replay_weights *w,
                                int first, bool wide, int n, struct replayed *played)
{
    struct values stack[REPLAY_DEPTH], kept[REPLAY_SLOTS], best, chosen = {{{0}}}, at, value;
    const struct replay_leaf *row = tree->rows;
    const struct replay_term *term = tree->terms;
    for (int v = 0; v < n; v++)
        kept[0].v[v] = vec_all(0);
    lowest(&best, n);
    for (int m = 0; m < tree->moves; m++) {
        int depth = 0;
        lowest(&at, n);
        for (const struct replay_leaf *end = row + tree->roots[m].leaves; row < end; row++) {
            take_leaf(row, term, w, first, wide, n, kept, &value);
            term += row->terms;
            depth = fold(stack, &at, depth, row->opens, row->closes, &value, n);
        }
        for (int v = 0; v < n; v++) { /* the first of equal moves wins */
            vec better = at.v[v] > best.v[v];
            chosen.v[v] = (chosen.v[v] & ~better) | (better & m);
        }
        raise(&best, &at, n);
    }
    memcpy(played->choice + first, &chosen, (size_t)n * sizeof(vec));
    memcpy(played->value + first, &best, (size_t)n * sizeof(vec));
}

static void choose(const struct replay_tree *tree, const struct replay_weights *w,
                   struct replayed *played)
{
    for (int first = 0, n; first < w->lanes; first += n * LANES) {
        const int left = (w->lanes - first) / LANES; /* even, because of REPLAY_STEP */
        n = w->narrow == NULL ? 2 : left < VECTORS ? left : VECTORS;
        if (w->narrow == NULL)
            choose_lanes(tree, w, first, true, 2, played);
        else if (n == 2)
            choose_lanes(tree, w, first, false, 2, played);
        else if (n == 4)
            choose_lanes(tree, w, first, false, 4, played);
        else if (n == 6)
            choose_lanes(tree, w, first, false, 6, played);
        else
            choose_lanes(tree, w, first, false, VECTORS, played);
    }
}

static bool supported(void)
{
    return SUPPORTED;
}

extern const struct replay KERNEL;
const struct replay KERNEL = {KERNEL_NAME, supported, choose};
