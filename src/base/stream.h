/* Random streams that are named, not stored.
 *
 * A stream is a function of (seed, purpose, generation, index): whoever needs random numbers for
 * organism 17 of generation 40 names that stream and gets the same numbers on every machine, in
 * every thread, before and after a resume. No generator state is ever saved.
 *
 * The generator is xoshiro256** (Blackman and Vigna 2018), seeded by SplitMix64 over the name, and
 * is a `gsl_rng_type` so that every GSL distribution works on it. Distributions that go through
 * libm (gsl_ran_gaussian, ...) repeat for the same binary only; whatever steers a run uses the
 * integer functions below, which repeat everywhere. */
#ifndef GRAYLING_STREAM_H
#define GRAYLING_STREAM_H

#include <gsl/gsl_rng.h>
#include <stdint.h>

/* What a stream is for: different purposes never share numbers. Append only: the numbers of old
 * runs depend on the order. */
enum stream_purpose {
    STREAM_INITIAL,   /* the chromosomes of generation 0 */
    STREAM_SELECTION, /* which parents, by child */
    STREAM_CROSSOVER,
    STREAM_MUTATION,
    STREAM_SAMPLE, /* drawing positions from games */
    STREAM_TEST,
    STREAM_VERIFY,     /* which organisms are measured again */
    STREAM_MINE,       /* which games and plies are searched for test positions */
    STREAM_OPENINGS,   /* in which order openings are used */
    STREAM_REGRESSION, /* the weights that a regression starts from */
    STREAM_PROPOSAL,   /* what an optimiser but the genetic one draws for an organism */
};

/* Owned by the caller, usually on the stack; must not be copied (it points into itself). */
struct stream {
    gsl_rng rng;
    uint64_t state[4];
};

/* Opens the stream with this name. Nothing to release. */
void stream_init(struct stream *s, uint64_t seed, enum stream_purpose purpose, uint64_t generation,
                 uint64_t index);

/* The next 64 random bits. */
uint64_t stream_bits(struct stream *s);

/* A whole number in [0, n), without bias. n >= 1. */
uint64_t stream_below(struct stream *s, uint64_t n);

/* A 64-bit word in which each bit is set with probability `p32` / 2^32, independently. Costs 32
 * draws at most, 1 for a half, 0 for never and always: the cheap way to mutate 64 loci. */
uint64_t stream_mask(struct stream *s, uint64_t p32);

/* A probability in [0, 1] as the fixed-point number that stream_mask takes, rounded to nearest. */
uint64_t probability_fixed(double p);

#endif
