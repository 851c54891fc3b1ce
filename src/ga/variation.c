/* Random chromosomes, crossover and mutation. Bit operations handle 64 loci at a time. */
#include "operators.h"

#include <string.h>

static const char *const crossover_names[] = {
    [CROSSOVER_UNIFORM] = "uniform",           [CROSSOVER_ONE_POINT] = "one-point",
    [CROSSOVER_TWO_POINT] = "two-point",       [CROSSOVER_DISCRETE] = "discrete",
    [CROSSOVER_INTERMEDIATE] = "intermediate", [CROSSOVER_LINE] = "line",
};

enum { LINE_BEYOND = 96 /* 256ths of the way between two parents */ };

enum { CROSSOVER_COUNT = sizeof crossover_names / sizeof crossover_names[0] };

const char *crossover_name(enum crossover c)
{
    return crossover_names[c];
}

int crossover_from_name(const char *name)
{
    for (int i = 0; i < CROSSOVER_COUNT; i++)
        if (strcmp(crossover_names[i], name) == 0)
            return i;
    return -1;
}

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

/* Copies the loci [from, to) from `second`. */
static void take_segment(uint64_t *child, const uint64_t *second, int words, int from, int to)
{
    for (int w = 0; w < words; w++)
        take_loci(&child[w], second[w], segment_mask(w, from, to));
}

/* Takes each locus from either parent with probability 1/2 (Syswerda 1989). */
static void cross_uniform(uint64_t *child, const uint64_t *second, const struct genome *g,
                          struct stream *s)
{
    for (int w = 0; w < g->words; w++)
        take_loci(&child[w], second[w], stream_bits(s));
}

/* Takes the loci from a random inner cut to the end from the second parent (Holland 1975). */
static void cross_one_point(uint64_t *child, const uint64_t *second, const struct genome *g,
                            struct stream *s)
{
    int cut = 1 + (int)stream_below(s, (uint64_t)(g->length - 1));
    take_segment(child, second, g->words, cut, g->length);
}

/* Treats the chromosome as a ring, cut before two different loci. Takes the arc from the first cut
 * to the second from the second parent (De Jong 1975). */
static void cross_two_point(uint64_t *child, const uint64_t *second, const struct genome *g,
                            struct stream *s)
{
    int from = (int)stream_below(s, (uint64_t)g->length);
    int to = (int)stream_below(s, (uint64_t)(g->length - 1));
    to += to >= from;
    if (from < to) {
        take_segment(child, second, g->words, from, to);
    } else {
        take_segment(child, second, g->words, from, g->length);
        take_segment(child, second, g->words, 0, to);
    }
}

/* Takes each whole gene from either parent with probability 1/2: discrete recombination
 * (Muehlenbein and Schlierkamp-Voosen 1993). */
static void cross_discrete(uint64_t *child, const uint64_t *second, const struct genome *g,
                           struct stream *s)
{
    for (int i = 0, locus = 0; i < g->count; locus += g->genes[i++].bits)
        if (g->genes[i].bits > 0 && stream_below(s, 2) == 1)
            take_segment(child, second, g->words, locus, locus + g->genes[i].bits);
}

/* Draws the number of each gene between those of the parents, inclusive: intermediate recombination
 * (the same source). */
static void cross_intermediate(uint64_t *child, const uint64_t *second, const struct genome *g,
                               struct stream *s)
{
    for (int i = 0, locus = 0; i < g->count; locus += g->genes[i++].bits) {
        int bits = g->genes[i].bits;
        if (bits == 0)
            continue;
        uint32_t a = chromosome_number(child, locus, bits);
        uint32_t b = chromosome_number(second, locus, bits);
        uint32_t low = a < b ? a : b, high = a < b ? b : a;
        uint32_t between = low + (uint32_t)stream_below(s, (uint64_t)high - low + 1);
        chromosome_set_number(child, locus, bits, between);
    }
}

/* Returns the number at part / 256 of the way from a to b. It is rounded to nearest, halves away
 * from a, and clamped to the range of `bits` bits. */
static uint32_t along_line(uint32_t a, uint32_t b, int part, int bits)
{
    int64_t way = ((int64_t)b - a) * part, most = ((int64_t)1 << bits) - 1;
    int64_t number = a + (way >= 0 ? (way + 128) / 256 : -((128 - way) / 256));
    return (uint32_t)(number < 0 ? 0 : number > most ? most : number);
}

/* Moves the numbers of all genes by the same fraction of the way from one parent to the other:
 * extended line recombination (the same source). The line extends three eighths of the way beyond
 * each parent; in the source it is a quarter. With three eighths, crossover on average preserves
 * the spread of a population (the mean of a^2 + (1 - a)^2 is 1.01, with a quarter 0.88). */
static void cross_line(uint64_t *child, const uint64_t *second, const struct genome *g,
                       struct stream *s)
{
    int part = (int)stream_below(s, 256 + 2 * LINE_BEYOND + 1) - LINE_BEYOND;
    for (int i = 0, locus = 0; i < g->count; locus += g->genes[i++].bits) {
        int bits = g->genes[i].bits;
        if (bits == 0)
            continue;
        uint32_t a = chromosome_number(child, locus, bits);
        uint32_t b = chromosome_number(second, locus, bits);
        chromosome_set_number(child, locus, bits, along_line(a, b, part, bits));
    }
}

/* True with probability rate32 / 2^32. */
static bool happens(uint64_t rate32, struct stream *s)
{
    return stream_bits(s) >> 32 < rate32;
}

void chromosome_cross(uint64_t *child, const uint64_t *second, const struct genome *g,
                      enum crossover kind, uint64_t rate32, struct stream *s)
{
    if (!happens(rate32, s) || g->length < 2)
        return;
    switch (kind) {
    case CROSSOVER_UNIFORM:
        cross_uniform(child, second, g, s);
        break;
    case CROSSOVER_ONE_POINT:
        cross_one_point(child, second, g, s);
        break;
    case CROSSOVER_TWO_POINT:
        cross_two_point(child, second, g, s);
        break;
    case CROSSOVER_DISCRETE:
        cross_discrete(child, second, g, s);
        break;
    case CROSSOVER_INTERMEDIATE:
        cross_intermediate(child, second, g, s);
        break;
    case CROSSOVER_LINE:
        cross_line(child, second, g, s);
        break;
    }
}

void chromosome_mutate(uint64_t *c, const struct genome *g, uint64_t rate32, struct stream *s)
{
    for (int w = 0; w < g->words; w++)
        c[w] ^= stream_mask(s, rate32) & segment_mask(w, 0, g->length);
}
