#include "genome.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { GENE_BITS_MAX = 32 };

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

/* Each bit of the number is the parity of that Gray bit and all higher ones. */
uint32_t chromosome_number(const uint64_t *c, int locus, int bits)
{
    uint32_t number = read_gray(c, locus, bits);
    for (int shift = 1; shift < 32; shift *= 2)
        number ^= number >> shift;
    return number;
}

void chromosome_set_number(uint64_t *c, int locus, int bits, uint32_t number)
{
    const int word = locus / 64, offset = locus % 64;
    const uint32_t flipped = read_gray(c, locus, bits) ^ gray_encode(number);
    const uint64_t loci = reverse_bits(flipped) >> (32 - bits);
    c[word] ^= loci << offset;
    if (offset + bits > 64)
        c[word + 1] ^= loci >> (64 - offset);
}

void genome_decode(const struct genome *g, const uint64_t *c, int32_t *values)
{
    for (int i = 0, locus = 0; i < g->count; locus += g->genes[i++].bits) {
        const struct param *p = &g->genes[i];
        values[i] = p->bits == 0 ? p->initial : param_at(p, chromosome_number(c, locus, p->bits));
    }
}

void genome_encode(const struct genome *g, const int32_t *values, uint64_t *c)
{
    memset(c, 0, (size_t)g->words * sizeof *c);
    for (int i = 0, locus = 0; i < g->count; locus += g->genes[i++].bits) {
        const struct param *p = &g->genes[i];
        const int32_t value = values == NULL ? p->initial : values[i];
        assert(value >= p->min && value <= p->max);
        if (p->bits > 0)
            chromosome_set_number(c, locus, p->bits, param_nearest(p, value));
    }
}

/* ---- the box ---- */

bool box_create(struct box *b, const struct genome *g, struct error *err)
{
    *b = (struct box){.sides = calloc((size_t)g->count + 1, sizeof *b->sides), .words = g->words};
    if (b->sides == NULL)
        return error_set(err, "no memory for a box of %d genes", g->count);
    for (int i = 0, locus = 0; i < g->count; locus += g->genes[i++].bits) {
        const struct param *p = &g->genes[i];
        const double cells = (double)param_steps(p) + 1;
        if (p->bits > 0)
            b->sides[b->count++] =
                (struct side){locus, p->bits, cells, p->c / param_step(p) / cells};
    }
    return true;
}

void box_destroy(struct box *b)
{
    free(b->sides);
    *b = (struct box){0};
}

void box_encode(const struct box *b, const double *point, uint64_t *chromosome)
{
    memset(chromosome, 0, (size_t)b->words * sizeof *chromosome);
    for (int i = 0; i < b->count; i++) {
        const struct side *s = &b->sides[i];
        assert(!isnan(point[i]));
        double cell = clamp(floor(point[i] * s->cells), 0, s->cells - 1);
        chromosome_set_number(chromosome, s->locus, s->bits, (uint32_t)cell);
    }
}

void box_decode(const struct box *b, const uint64_t *chromosome, double *point)
{
    for (int i = 0; i < b->count; i++) {
        const struct side *s = &b->sides[i];
        double cell = fmin(chromosome_number(chromosome, s->locus, s->bits), s->cells - 1);
        point[i] = (cell + 0.5) / s->cells;
    }
}
