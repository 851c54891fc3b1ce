/* The genome: which genes a chromosome is made of, and what its bits mean.
 *
 * A chromosome is a string of bits, the genes one after another, each in binary reflected Gray code
 * with its most significant bit first (lowest locus). Locus i is bit i % 64 of word i / 64. A gene
 * of b bits decodes to min(minimum + gray, maximum); a gene of 0 bits is the constant `initial`.
 * Nothing here knows what the values are for. */
#ifndef GRAYLING_GENOME_H
#define GRAYLING_GENOME_H

#include "error.h"
#include "param.h"

#include <stdint.h>

enum { CHROMOSOME_WORDS = 16 }; /* up to 1,024 loci */

/* A chromosome as a value; loci beyond the genome's length are 0. */
struct chromosome {
    uint64_t words[CHROMOSOME_WORDS];
};

struct genome {
    const struct param *genes; /* borrowed; must outlive the genome */
    int count;                 /* genes, constants included */
    int length;                /* loci */
    int words;                 /* 64-bit words in use */
};

/* Binary reflected Gray code (Gray 1953): neighbours differ in one bit. */
static inline uint32_t gray_encode(uint32_t value)
{
    return value ^ value >> 1;
}

uint32_t gray_decode(uint32_t gray);

/* Describes the genes of `table`. False when there are more than 1,024 loci or a gene cannot reach
 * its maximum, the reason naming the gene. */
bool genome_init(struct genome *g, const struct param_table *table, struct error *err);

/* The first locus of a gene; its others follow. */
int genome_first_locus(const struct genome *g, int gene);

/* Values from bits: `values` has g->count entries. Every chromosome decodes to legal values. */
void genome_decode(const struct genome *g, const struct chromosome *c, int32_t *values);

/* Bits from values, which must be within the genes' ranges (asserted). */
void genome_encode(const struct genome *g, const int32_t *values, struct chromosome *c);

/* The number that a gene's loci stand for, 0 to 2^bits - 1, to which its minimum is added. `locus`
 * is the gene's first, of `bits` (1 to 32). */
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

/* In how many loci two chromosomes differ. */
int chromosome_hamming(const struct chromosome *a, const struct chromosome *b);

#endif
