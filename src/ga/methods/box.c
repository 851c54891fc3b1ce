#include "box.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct side side_of(const struct param *gene, int locus)
{
    const double cells = (double)param_steps(gene) + 1;
    return (struct side){locus, gene->bits, cells, gene->c / param_step(gene) / cells};
}

bool box_create(struct box *b, const struct genome *g, struct error *err)
{
    *b = (struct box){.sides = calloc((size_t)g->count + 1, sizeof *b->sides), .words = g->words};
    if (b->sides == NULL)
        return error_set(err, "no memory for a box of %d genes", g->count);
    for (int i = 0, locus = 0; i < g->count; locus += g->genes[i++].bits)
        if (g->genes[i].bits > 0)
            b->sides[b->count++] = side_of(&g->genes[i], locus);
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
