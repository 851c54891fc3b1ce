#include "genome.h"

#include <assert.h>
#include <stdio.h>

enum { GENE_BITS_MAX = 32 };

/* Each bit of the number is the parity of that Gray bit and all higher ones. */
uint32_t gray_decode(uint32_t gray)
{
    for (int shift = 1; shift < 32; shift *= 2)
        gray ^= gray >> shift;
    return gray;
}

/* Checks whether a line of the table can be a gene. The reason says what would be valid. */
static bool check_gene(const struct param *p, struct error *err)
{
    if (p->min > p->max)
        return error_set(err, "its minimum %d is above its maximum %d", p->min, p->max);
    if (p->initial < p->min || p->initial > p->max)
        return error_set(err, "its initial value %d is not between %d and %d", p->initial, p->min,
                         p->max);
    if (p->bits < 0 || p->bits > GENE_BITS_MAX)
        return error_set(err, "%d bits; a gene has 0 (a constant) to %d", p->bits, GENE_BITS_MAX);
    if (p->bits == 0 || param_bits(p) <= p->bits)
        return true;
    char in_steps[32] = "";
    if (param_step(p) > 1)
        snprintf(in_steps, sizeof in_steps, " in steps of %d", param_step(p));
    return error_set(err, "%d bits from %d%s do not reach its maximum %d; it needs %d bits",
                     p->bits, p->min, in_steps, p->max, param_bits(p));
}

bool genome_init(struct genome *g, const struct param_table *table, struct error *err)
{
    int length = 0;
    for (int i = 0; i < table->count; i++) {
        const struct param *p = &table->params[i];
        if (!check_gene(p, err))
            return error_prefix(err, "%s parameter %s: ", table->kind, p->name);
        length += p->bits;
        if (length > GENOME_LOCI_MAX)
            return error_set(err,
                             "%s parameter %s: its gene ends %d bits into the chromosome, "
                             "which holds at most %d",
                             table->kind, p->name, length, GENOME_LOCI_MAX);
    }
    *g = (struct genome){.genes = table->params,
                         .count = table->count,
                         .length = length,
                         .words = (length + 63) / 64,
                         .mixed = table->mixed};
    return true;
}

int genome_first_locus(const struct genome *g, int gene)
{
    int locus = 0;
    for (int i = 0; i < gene; i++)
        locus += g->genes[i].bits;
    return locus;
}

/* Reverses the order of the 32 bits. */
static uint32_t reverse_bits(uint32_t x)
{
    x = (x >> 1 & 0x55555555u) | (x & 0x55555555u) << 1;
    x = (x >> 2 & 0x33333333u) | (x & 0x33333333u) << 2;
    x = (x >> 4 & 0x0f0f0f0fu) | (x & 0x0f0f0f0fu) << 4;
    return __builtin_bswap32(x);
}

/* Returns the loci of a gene, the first locus as the most significant bit. */
static uint32_t read_gray(const uint64_t *c, int locus, int bits)
{
    int word = locus / 64, offset = locus % 64;
    uint64_t loci = c[word] >> offset;
    if (offset + bits > 64)
        loci |= c[word + 1] << (64 - offset);
    return reverse_bits((uint32_t)loci) >> (32 - bits);
}

/* Flips the loci of a gene that are set in `gray`. */
static void flip_gray(uint64_t *c, int locus, int bits, uint32_t gray)
{
    int word = locus / 64, offset = locus % 64;
    uint64_t loci = reverse_bits(gray) >> (32 - bits);
    c[word] ^= loci << offset;
    if (offset + bits > 64)
        c[word + 1] ^= loci >> (64 - offset);
}

uint32_t chromosome_number(const uint64_t *c, int locus, int bits)
{
    return gray_decode(read_gray(c, locus, bits));
}

void chromosome_set_number(uint64_t *c, int locus, int bits, uint32_t number)
{
    flip_gray(c, locus, bits, read_gray(c, locus, bits) ^ gray_encode(number));
}

/* Returns the value at a number of steps, at most the largest value. */
static int32_t value_of_steps(const struct param *p, uint32_t steps)
{
    uint32_t most = param_steps(p);
    return (int32_t)(p->min + (int64_t)(steps < most ? steps : most) * param_step(p));
}

/* Returns the number of steps nearest to a value. */
static uint32_t steps_of_value(const struct param *p, int32_t value)
{
    int64_t step = param_step(p), above = (int64_t)value - p->min;
    uint32_t steps = (uint32_t)((above + step / 2) / step), most = param_steps(p);
    return steps < most ? steps : most;
}

void genome_decode(const struct genome *g, const uint64_t *c, int32_t *values)
{
    int locus = 0;
    for (int i = 0; i < g->count; i++) {
        const struct param *p = &g->genes[i];
        values[i] = p->initial;
        if (p->bits == 0)
            continue;
        values[i] = value_of_steps(p, chromosome_number(c, locus, p->bits));
        locus += p->bits;
    }
}

/* Encodes the value of a gene, and returns the locus after it. */
static int encode_gene(const struct param *p, int32_t value, uint64_t *c, int locus)
{
    assert(value >= p->min && value <= p->max);
    if (p->bits > 0)
        chromosome_set_number(c, locus, p->bits, steps_of_value(p, value));
    return locus + p->bits;
}

void genome_encode(const struct genome *g, const int32_t *values, uint64_t *c)
{
    memset(c, 0, (size_t)g->words * sizeof *c);
    for (int i = 0, locus = 0; i < g->count; i++)
        locus = encode_gene(&g->genes[i], values[i], c, locus);
}

void genome_encode_defaults(const struct genome *g, uint64_t *c)
{
    memset(c, 0, (size_t)g->words * sizeof *c);
    for (int i = 0, locus = 0; i < g->count; i++)
        locus = encode_gene(&g->genes[i], g->genes[i].initial, c, locus);
}

int chromosome_hamming(const uint64_t *a, const uint64_t *b, int words)
{
    int distance = 0;
    for (int w = 0; w < words; w++)
        distance += __builtin_popcountll(a[w] ^ b[w]);
    return distance;
}
