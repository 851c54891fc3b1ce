/* Random streams, identified by name: the tuple (seed, purpose, generation, index), which determines all numbers of a
 * stream on every machine, in every thread, before and after a resume. The state of a generator is never saved.
 *
 * The generator is xoshiro256** (Blackman and Vigna 2018), seeded by SplitMix64 over the name. It is a
 * `gsl_rng_type`, so every GSL distribution works on it. Those that call libm (gsl_ran_gaussian, ...) repeat only
 * with the same binary, the integer functions below everywhere. */
#ifndef GRAYLING_STREAM_H
#define GRAYLING_STREAM_H

#include <gsl/gsl_rng.h>
#include <stdint.h>

/* The purpose of a stream. Streams of different purposes are independent. Append only: the numbers
 * of existing runs depend on the order. */
enum stream_purpose {
    STREAM_INITIAL,   /* the chromosomes of generation 0 */
    STREAM_SELECTION, /* the parents of each child */
    STREAM_CROSSOVER,
    STREAM_MUTATION,
    STREAM_SAMPLE, /* positions sampled from games */
    STREAM_TEST,
    STREAM_VERIFY,     /* the organisms that verification measures again */
    STREAM_MINE,       /* the games and plies searched for test positions */
    STREAM_OPENINGS,   /* the order of the openings */
    STREAM_REGRESSION, /* the initial weights of a regression */
    STREAM_PROPOSAL,   /* the draws for an organism by optimisers other than the genetic one */
    STREAM_BATCHES,    /* the order of the positions for the batches of a regression or of a run */
    STREAM_RESAMPLE,   /* the draws of a bootstrap, for reports */
    STREAM_CIRCLE,     /* the order in which organisms sit in a circle to play their neighbours */
};

/* Owned by the caller, usually on the stack. Must not be copied, because it points into itself. */
struct stream {
    gsl_rng rng;
    uint64_t state[4];
};

/* Initialises the stream with this name. There is nothing to release. */
void stream_init(struct stream *s, uint64_t seed, enum stream_purpose purpose, uint64_t generation,
                 uint64_t index);

/* Returns the next 64 random bits. */
uint64_t stream_bits(struct stream *s);

/* Returns an unbiased integer in [0, n). n >= 1. */
uint64_t stream_below(struct stream *s, uint64_t n);

/* Writes the numbers 0 to count - 1 in a random order (Fisher and Yates). */
void stream_permutation(struct stream *s, size_t count, uint32_t *order);

/* Returns a 64-bit word in which each bit is set independently with probability `p32` / 2^32. This
 * mutates 64 loci at once. It takes at most 32 draws: 1 for probability 1/2, none for 0 or 1. */
uint64_t stream_mask(struct stream *s, uint64_t p32);

/* Converts a probability in [0, 1] to the fixed-point number of stream_mask, rounded to nearest. */
uint64_t probability_fixed(double p);

#endif
