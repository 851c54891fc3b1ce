/* Random chromosomes, crossover and mutation. Bit operations handle 64 loci at a time. */
#include "operators.h"

/* Returns a word with its lowest n bits set. n may be negative or more than 64. */
static uint64_t low_bits(int n)
{
    if (n <= 0)
        return 0;
    return n >= 64 ? UINT64_MAX : ((uint64_t)1 << n) - 1;
}

/* Returns the mask of the loci of word `w` that are in [from, to). */
static uint64_t segment_mask(int w, int from, int to)
{
    return low_bits(to - 64 * w) & ~low_bits(from - 64 * w);
}

void chromosome_random(uint64_t *c, const struct genome *g, struct stream *s)
{
    for (int w = 0; w < g->words; w++)
        c[w] = stream_bits(s) & segment_mask(w, 0, g->length);
}

/* Copies the loci of the mask from `other`. */
static void take_loci(uint64_t *word, uint64_t other, uint64_t mask)
{
    *word ^= (*word ^ other) & mask;
}

/* Returns the number at part / 256 of the way from a to b. It is rounded to nearest, halves away
 * from a, and clamped to the range of `bits` bits. */
static uint32_t along_line(uint32_t a, uint32_t b, int part, int bits)
{
    int64_t way = ((int64_t)b - a) * part, most = ((int64_t)1 << bits) - 1;
    int64_t number = a + (way >= 0 ? (way + 128) / 256 : -((128 - way) / 256));
    return (uint32_t)(number < 0 ? 0 : number > most ? most : number);
}

/* Crosses whole genes (Muehlenbein and Schlierkamp-Voosen 1993). Discrete recombination takes each from
 * either parent with probability 1/2, intermediate draws each between those of the parents, inclusive.
 * Extended line recombination moves all by the same fraction of the way from one parent to the other, up
 * to three eighths beyond each; in the source it is a quarter. With three eighths, crossover on average
 * preserves the spread of a population (the mean of a^2 + (1 - a)^2 is 1.01, with a quarter 0.88). */
static void cross_genes(uint64_t *child, const uint64_t *second, const struct genome *g,
                        enum crossover kind, struct stream *s)
{
    enum { BEYOND = 96 }; /* 256ths of the way */
    const int part =
        kind == CROSSOVER_LINE ? (int)stream_below(s, 256 + 2 * BEYOND + 1) - BEYOND : 0;
    for (int i = 0, locus = 0; i < g->count; locus += g->genes[i++].bits) {
        const int bits = g->genes[i].bits;
        if (bits == 0)
            continue;
        const uint32_t a = chromosome_number(child, locus, bits);
        const uint32_t b = chromosome_number(second, locus, bits);
        uint32_t number;
        if (kind == CROSSOVER_DISCRETE)
            number = stream_below(s, 2) == 1 ? b : a;
        else if (kind == CROSSOVER_INTERMEDIATE)
            number =
                (a < b ? a : b) + (uint32_t)stream_below(s, (uint64_t)(a < b ? b - a : a - b) + 1);
        else
            number = along_line(a, b, part, bits);
        chromosome_set_number(child, locus, bits, number);
    }
}

void chromosome_cross(uint64_t *child, const uint64_t *second, const struct genome *g,
                      enum crossover kind, uint64_t rate32, struct stream *s)
{
    if (stream_bits(s) >> 32 >= rate32 || g->length < 2)
        return;
    int from = 0, to = g->length;
    switch (kind) {
    case CROSSOVER_UNIFORM: /* takes each locus from either parent with probability 1/2 (Syswerda 1989) */
        for (int w = 0; w < g->words; w++)
            take_loci(&child[w], second[w], stream_bits(s));
        return;
    case CROSSOVER_ONE_POINT: /* takes what follows a random inner cut (Holland 1975) */
        from = 1 + (int)stream_below(s, (uint64_t)(g->length - 1));
        break;
    case CROSSOVER_TWO_POINT: /* a ring, cut before two different loci: takes an arc (De Jong 1975) */
        from = (int)stream_below(s, (uint64_t)g->length);
        to = (int)stream_below(s, (uint64_t)(g->length - 1));
        to += to >= from;
        break;
    default:
        cross_genes(child, second, g, kind, s);
        return;
    }
    for (int w = 0; w < g->words; w++)
        take_loci(&child[w], second[w],
                  from < to ? segment_mask(w, from, to)
                            : segment_mask(w, from, g->length) | segment_mask(w, 0, to));
}

void chromosome_mutate(uint64_t *c, const struct genome *g, uint64_t rate32, struct stream *s)
{
    for (int w = 0; w < g->words; w++)
        c[w] ^= stream_mask(s, rate32) & segment_mask(w, 0, g->length);
}
