#include "stream.h"

#include <limits.h>

/* One step of SplitMix64 (Steele, Lea and Flood 2014). */
static uint64_t split_mix(uint64_t *state)
{
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static uint64_t rotate_left(uint64_t x, int k)
{
    return (x << k) | (x >> (64 - k));
}

/* One step of xoshiro256**. */
static uint64_t next_bits(uint64_t s[4])
{
    uint64_t result = rotate_left(s[1] * 5, 7) * 9;
    uint64_t t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotate_left(s[3], 45);
    return result;
}

static void fill_state(uint64_t state[4], uint64_t seed)
{
    for (int i = 0; i < 4; i++)
        state[i] = split_mix(&seed);
}

/* GSL's integers have 32 or 64 bits. Its own distributions of reals do not ask for them. */
static void seed_state(void *state, unsigned long seed)
{
    fill_state(state, seed);
}

static unsigned long get_bits(void *state)
{
    return (unsigned long)(next_bits(state) >> (64 - CHAR_BIT * sizeof(unsigned long)));
}

static double get_unit(void *state)
{
    return (double)(next_bits(state) >> 11) * 0x1p-53;
}

static const gsl_rng_type xoshiro_type = {
    .name = "xoshiro256**",
    .max = ULONG_MAX,
    .min = 0,
    .size = 4 * sizeof(uint64_t),
    .set = seed_state,
    .get = get_bits,
    .get_double = get_unit,
};

void stream_init(struct stream *s, uint64_t seed, enum stream_purpose purpose, uint64_t generation,
                 uint64_t index)
{
    const uint64_t name[] = {seed, (uint64_t)purpose, generation, index};
    uint64_t mix = 0;
    for (int i = 0; i < 4; i++) {
        mix ^= name[i];
        mix = split_mix(&mix);
    }
    s->rng = (gsl_rng){.type = &xoshiro_type, .state = s->state};
    fill_state(s->state, mix);
}

uint64_t stream_bits(struct stream *s)
{
    return next_bits(s->state);
}

/* The same numbers as GSL's gsl_rng_uniform_int, which has 64 bits on some machines only. */
uint64_t stream_below(struct stream *s, uint64_t n)
{
    const uint64_t scale = UINT64_MAX / n;
    uint64_t k;
    do
        k = next_bits(s->state) / scale;
    while (k >= n);
    return k;
}

void stream_permutation(struct stream *s, size_t count, uint32_t *order)
{
    for (size_t i = 0; i < count; i++)
        order[i] = (uint32_t)i;
    for (size_t i = 0; i + 1 < count; i++) {
        size_t j = i + stream_below(s, count - i);
        uint32_t swapped = order[i];
        order[i] = order[j];
        order[j] = swapped;
    }
}

/* Reads the binary digits of p from the lowest. With a fresh random word r, `mask | r` maps the
 * probability q of each bit to (1 + q) / 2, and `mask & r` maps it to q / 2. */
uint64_t stream_mask(struct stream *s, uint64_t p32)
{
    if (p32 >= (uint64_t)1 << 32)
        return UINT64_MAX;
    uint64_t mask = 0;
    for (int digit = p32 == 0 ? 32 : __builtin_ctzll(p32); digit < 32; digit++) {
        uint64_t r = next_bits(s->state);
        mask = (p32 >> digit & 1) != 0 ? mask | r : mask & r;
    }
    return mask;
}

uint64_t probability_fixed(double p)
{
    if (!(p > 0))
        return 0;
    if (p >= 1)
        return (uint64_t)1 << 32;
    return (uint64_t)(p * 0x1p32 + 0.5);
}
