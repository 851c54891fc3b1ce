/* The genome: the genes of a chromosome, and the meaning of its bits.
 *
 * A chromosome is a string of bits. It holds the genes one after another, each in binary reflected
 * Gray code, most significant bit first (lowest locus). Locus i is bit i % 64 of word i / 64. A
 * gene of b bits decodes to min(minimum + number, maximum), where `number` is its decoded Gray
 * code. A gene of 0 bits is the constant `initial`. The genome does not depend on what the values
 * mean. */
#ifndef GRAYLING_GENOME_H
#define GRAYLING_GENOME_H

#include "error.h"
#include "param.h"

#include <stdint.h>

enum { CHROMOSOME_WORDS = 16 }; /* up to 1,024 loci */

/* A chromosome, passed by value. Loci beyond the length of the genome are 0. */
struct chromosome {
    uint64_t words[CHROMOSOME_WORDS];
};

struct genome {
    const struct param *genes; /* borrowed; must outlive the genome */
    int count;                 /* genes, including constants */
    int length;                /* loci */
    int words;                 /* 64-bit words in use */
};

/* Binary reflected Gray code (Gray 1953): adjacent numbers differ in one bit. */
static inline uint32_t gray_encode(uint32_t value)
{
    return value ^ value >> 1;
}

uint32_t gray_decode(uint32_t gray);

/* Initialises the genome of `table`, which it borrows. Fails if there are more than 1,024 loci or
 * the line of a gene is invalid, as when its bits cannot reach its maximum. The reason names the
 * gene. */
bool genome_init(struct genome *g, const struct param_table *table, struct error *err);

/* Returns the first locus of a gene. Its other loci follow. */
int genome_first_locus(const struct genome *g, int gene);

/* Decodes a chromosome to values[g->count]. Every chromosome decodes to valid values. */
void genome_decode(const struct genome *g, const struct chromosome *c, int32_t *values);

/* Encodes values[g->count], which must be within the ranges of the genes (asserted). */
void genome_encode(const struct genome *g, const int32_t *values, struct chromosome *c);

/* Returns or sets the number that a gene encodes, 0 to 2^bits - 1; the value of the gene is its
 * minimum plus this number. `locus` is the first locus of the gene, `bits` its length, 1 to 32. */
uint32_t chromosome_number(const struct chromosome *c, int locus, int bits);
void chromosome_set_number(struct chromosome *c, int locus, int bits, uint32_t number);

static inline int chromosome_locus(const struct chromosome *c, int locus)
{
    return (int)(c->words[locus / 64] >> (locus % 64) & 1);
}

static inline void chromosome_flip(struct chromosome *c, int locus)
{
    c->words[locus / 64] ^= (uint64_t)1 << (locus % 64);
}

bool chromosome_equal(const struct chromosome *a, const struct chromosome *b);

/* Returns the Hamming distance: the number of loci in which two chromosomes differ. */
int chromosome_hamming(const struct chromosome *a, const struct chromosome *b);

#endif
