/* The genome as a box, for methods that work on real numbers. Each gene that evolves is a
 * coordinate from 0 to 1.
 *
 * A coordinate is divided into cells of equal width, one for each value of the gene. A uniform
 * point is therefore a uniform choice of values. Rounding to the nearest value would give the
 * values at the bounds half the probability, which matters for a gene of two values. A point
 * encodes the values of the cells that contain it. A chromosome decodes to the centres of its
 * cells. */
#ifndef GRAYLING_BOX_H
#define GRAYLING_BOX_H

#include "genome.h"
#include "stream.h"

#include <stddef.h>

/* One coordinate. */
struct side {
    int locus, bits; /* of the gene */
    double cells;    /* the number of values: the steps of the gene plus one */
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

/* Writes the point of a chromosome: the centres of its cells. */
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

/* Draws a uniform random number in [0, 1). */
static inline double stream_unit(struct stream *s)
{
    return gsl_rng_uniform(&s->rng);
}

#endif
