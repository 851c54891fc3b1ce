/* The genome as a box, for methods that move in real numbers: each gene that evolves is a
 * coordinate from 0 to 1.
 *
 * The coordinate is parted into as many cells of one width as the gene has values, so that a
 * uniform point is a uniform choice of values; rounding to the nearest value would give those at
 * the bounds half a share, which counts where a gene is a switch. A point stands for the values of
 * the cells that it lies in; a chromosome for the centres of its cells. */
#ifndef GRAYLING_BOX_H
#define GRAYLING_BOX_H

#include "genome.h"
#include "stream.h"

#include <stddef.h>

/* One coordinate. */
struct side {
    int locus, bits; /* of the gene */
    double cells;    /* its values: max - min + 1 */
};

/* Owned by the caller between create and destroy. */
struct box {
    struct side *sides;
    int count; /* coordinates: the genes of 1 bit or more, in their order */
};

bool box_create(struct box *b, const struct genome *g, struct error *err);
void box_destroy(struct box *b); /* accepts a zeroed one */

/* The chromosome of a point; coordinates outside the box count as the nearest bound. */
void box_encode(const struct box *b, const double *point, struct chromosome *c);

/* The point of a chromosome: the centres of its cells. */
void box_decode(const struct box *b, const struct chromosome *c, double *point);

/* The width of a cell: a gene's values differ by one where its coordinate differs by this. */
static inline double box_cell(const struct box *b, int i)
{
    return 1 / b->sides[i].cells;
}

/* The coordinates of point `i` in a table of points, a row each. */
static inline double *box_row(const struct box *b, double *table, int i)
{
    return table + (size_t)i * (size_t)b->count;
}

/* A number clamped to [low, high]; low <= high. */
static inline double clamp(double x, double low, double high)
{
    return x < low ? low : x > high ? high : x;
}

/* A random number in [0, 1). */
static inline double stream_unit(struct stream *s)
{
    return gsl_rng_uniform(&s->rng);
}

#endif
