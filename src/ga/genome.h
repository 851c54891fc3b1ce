/* The genome: the genes of a chromosome, and the meaning of its bits.
 *
 * A chromosome is a string of bits, in genome.words words of 64 bits; its owner is whoever owns the words
 * (population.h). It holds the genes one after another, each in binary reflected Gray code, most significant bit
 * first (lowest locus). Locus i is bit i % 64 of word i / 64. Loci beyond the length of the genome are 0.
 *
 * A gene encodes a number of steps. It decodes to minimum + number x step, or to the largest such value within its
 * maximum if that is less. A gene of 0 bits is the constant `initial`. */
#ifndef GRAYLING_GENOME_H
#define GRAYLING_GENOME_H

#include "error.h"
#include "param.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { GENOME_LOCI_MAX = 1 << 20 };

struct genome {
    const struct param *genes; /* borrowed; must outlive the genome */
    int count;                 /* genes, including constants */
    int length;                /* loci, up to GENOME_LOCI_MAX */
    int words;                 /* of a chromosome */
    bool mixed;                /* of the table */
};

/* Binary reflected Gray code (Gray 1953): adjacent numbers differ in one bit. */
static inline uint32_t gray_encode(uint32_t value)
{
    return value ^ value >> 1;
}

/* Initialises the genome of `table`, which it borrows. Fails above GENOME_LOCI_MAX loci, or, naming the gene, if one
 * is invalid, as when its bits cannot reach its maximum. */
bool genome_init(struct genome *g, const struct param_table *table, struct error *err);

/* Returns the first locus of a gene. Its other loci follow. */
int genome_first_locus(const struct genome *g, int gene);

/* Decodes a chromosome to values[g->count]. Every chromosome decodes to valid values. */
void genome_decode(const struct genome *g, const uint64_t *chromosome, int32_t *values);

/* Encodes values[g->count], within the ranges of the genes (asserted); NULL: the initial values. One between two
 * steps, as a seed or a default may be, becomes the nearest; halfway, the higher one. */
void genome_encode(const struct genome *g, const int32_t *values, uint64_t *chromosome);

/* Returns row `i` of an array of chromosomes, one after another. */
static inline uint64_t *genome_row(const struct genome *g, uint64_t *chromosomes, int i)
{
    return chromosomes + (size_t)i * (size_t)g->words;
}

/* Returns the bytes that `count` chromosomes take, and not 0. */
static inline size_t genome_bytes(const struct genome *g, size_t count)
{
    return (count * (size_t)g->words + 1) * sizeof(uint64_t);
}

static inline void chromosome_copy(uint64_t *to, const uint64_t *from, int words)
{
    memcpy(to, from, (size_t)words * sizeof *to);
}

static inline bool chromosome_equal(const uint64_t *a, const uint64_t *b, int words)
{
    return memcmp(a, b, (size_t)words * sizeof *a) == 0;
}

/* The number of steps that a gene of `bits` loci (1 to 32), from `locus` on, encodes: 0 to 2^bits - 1. */
uint32_t chromosome_number(const uint64_t *chromosome, int locus, int bits);
void chromosome_set_number(uint64_t *chromosome, int locus, int bits, uint32_t number);

static inline int chromosome_locus(const uint64_t *chromosome, int locus)
{
    return (int)(chromosome[locus / 64] >> (locus % 64) & 1);
}

static inline void chromosome_flip(uint64_t *chromosome, int locus)
{
    chromosome[locus / 64] ^= (uint64_t)1 << (locus % 64);
}

/* ---- the genome as a box, for methods that work on real numbers ----
 *
 * Each gene that evolves is a coordinate from 0 to 1, divided into cells of equal width, one for each
 * value, so that a uniform point is a uniform choice of values. A point encodes the values of the cells
 * that contain it; a chromosome decodes to the centres of its cells. */

/* One coordinate. */
struct side {
    int locus, bits; /* of the gene */
    double cells;    /* the number of values */
    double c;        /* the gene's own perturbation (param.h); 0: not given */
};

/* Owned by the caller between create and destroy. */
struct box {
    struct side *sides;
    int count; /* coordinates: the genes of 1 bit or more, in genome order */
    int words; /* of a chromosome */
};

bool box_create(struct box *b, const struct genome *g, struct error *err);
void box_destroy(struct box *b); /* accepts a zeroed one */

/* Writes the chromosome of a point. Coordinates outside the box are clamped to the bounds. */
void box_encode(const struct box *b, const double *point, uint64_t *chromosome);

void box_decode(const struct box *b, const uint64_t *chromosome, double *point);

/* Returns the width of a cell: the step of the coordinate that changes the gene's value by one step. */
static inline double box_cell(const struct box *b, int i)
{
    return 1 / b->sides[i].cells;
}

/* Returns row `i` of a table of points, which has one row per point. */
static inline double *box_row(const struct box *b, double *table, int i)
{
    return table + (size_t)i * (size_t)b->count;
}

/* Clamps a number to [low, high]. low <= high. */
static inline double clamp(double x, double low, double high)
{
    return x < low ? low : x > high ? high : x;
}

#endif
