#include "genome.h"

#include <assert.h>
#include <string.h>

enum { LOCI_MAX = 64 * CHROMOSOME_WORDS, GENE_BITS_MAX = 32 };

/* Each bit of the number is the parity of that Gray bit and all higher ones. */
uint32_t gray_decode(uint32_t gray)
{
    for (int shift = 1; shift < 32; shift *= 2)
        gray ^= gray >> shift;
    return gray;
}

/* Returns the number of bits that the range needs, for the error text. */
static int bits_for_range(const struct param *p)
{
    int64_t range = (int64_t)p->max - p->min;
    int bits = 0;
    while (range >> bits != 0)
        bits++;
    return bits;
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
    if (p->bits > 0 && bits_for_range(p) > p->bits)
        return error_set(err, "%d bits from %d do not reach its maximum %d; it needs %d bits",
                         p->bits, p->min, p->max, bits_for_range(p));
    return true;
}

bool genome_init(struct genome *g, const struct param_table *table, struct error *err)
{
    int length = 0;
    for (int i = 0; i < table->count; i++) {
        const struct param *p = &table->params[i];
        if (!check_gene(p, err))
            return error_prefix(err, "%s parameter %s: ", table->kind, p->name);
        length += p->bits;
        if (length > LOCI_MAX)
            return error_set(err,
                             "%s parameter %s: its gene ends %d bits into the chromosome, "
                             "which holds at most %d",
                             table->kind, p->name, length, LOCI_MAX);
    }
    *g = (struct genome){.genes = table->params,
                         .count = table->count,
                         .length = length,
                         .words = (length + 63) / 64};
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
static uint32_t read_gray(const struct chromosome *c, int locus, int bits)
{
    int word = locus / 64, offset = locus % 64;
    uint64_t loci = c->words[word] >> offset;
    if (offset + bits > 64)
        loci |= c->words[word + 1] << (64 - offset);
    return reverse_bits((uint32_t)loci) >> (32 - bits);
}

/* Flips the loci of a gene that are set in `gray`. */
static void flip_gray(struct chromosome *c, int locus, int bits, uint32_t gray)
{
    int word = locus / 64, offset = locus % 64;
    uint64_t loci = reverse_bits(gray) >> (32 - bits);
    c->words[word] ^= loci << offset;
    if (offset + bits > 64)
        c->words[word + 1] ^= loci >> (64 - offset);
}

uint32_t chromosome_number(const struct chromosome *c, int locus, int bits)
{
    return gray_decode(read_gray(c, locus, bits));
}

void chromosome_set_number(struct chromosome *c, int locus, int bits, uint32_t number)
{
    flip_gray(c, locus, bits, read_gray(c, locus, bits) ^ gray_encode(number));
}

void genome_decode(const struct genome *g, const struct chromosome *c, int32_t *values)
{
    int locus = 0;
    for (int i = 0; i < g->count; i++) {
        const struct param *p = &g->genes[i];
        values[i] = p->initial;
        if (p->bits == 0)
            continue;
        int64_t value = (int64_t)p->min + chromosome_number(c, locus, p->bits);
        values[i] = value < p->max ? (int32_t)value : p->max;
        locus += p->bits;
    }
}

void genome_encode(const struct genome *g, const int32_t *values, struct chromosome *c)
{
    memset(c, 0, sizeof *c);
    int locus = 0;
    for (int i = 0; i < g->count; i++) {
        const struct param *p = &g->genes[i];
        assert(values[i] >= p->min && values[i] <= p->max);
        if (p->bits == 0)
            continue;
        uint32_t offset = (uint32_t)((int64_t)values[i] - p->min);
        chromosome_set_number(c, locus, p->bits, offset);
        locus += p->bits;
    }
}

bool chromosome_equal(const struct chromosome *a, const struct chromosome *b)
{
    return memcmp(a->words, b->words, sizeof a->words) == 0;
}

int chromosome_hamming(const struct chromosome *a, const struct chromosome *b)
{
    int distance = 0;
    for (int w = 0; w < CHROMOSOME_WORDS; w++)
        distance += __builtin_popcountll(a->words[w] ^ b->words[w]);
    return distance;
}
