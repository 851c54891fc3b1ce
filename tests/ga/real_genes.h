/* Optimisers of real numbers on genes so wide that the cells of their box do not show: an organism is a
 * point with coordinates from 0 to 1. And on genes of few values, where the cells are all that shows. */
#ifndef GRAYLING_TESTS_REAL_GENES_H
#define GRAYLING_TESTS_REAL_GENES_H

#include "optimiser.h"
#include "problems.h"

#include <string.h>

enum { REAL_BITS = 30 };

/* How far a coordinate may be from what a formula gives. */
#define REAL_ERROR 1e-7

static inline void make_real(struct problem *p, int count)
{
    make_problem(p, count, REAL_BITS, 0);
}

enum { FEW_GENES = 7 };

/* Genes of 2, 3, ... 8 values. */
static inline void make_few(struct problem *p)
{
    struct error err;
    for (int i = 0; i < FEW_GENES; i++)
        p->params[i] = (struct param){.name = "x",
                                      .bits = i < 1   ? 1
                                              : i < 3 ? 2
                                                      : 3,
                                      .max = i + 1,
                                      .sign = 1,
                                      .meaning = ""};
    const struct param_table table = {"test", p->params, FEW_GENES};
    cr_assert(genome_init(&p->genome, &table, &err), "%s", err.text);
}

static inline struct optimiser start_real(const struct problem *p,
                                          const struct optimiser_settings *settings)
{
    struct optimiser o;
    struct error err;
    cr_assert(optimiser_create(&o, &p->genome, settings, 7, &err), "%s", err.text);
    return o;
}

/* Writes the coordinates of an organism: the centre of its cell. */
static inline void real_point(const struct optimiser *o, int index, double *x)
{
    int32_t values[GENES_MAX];
    genome_decode(o->genome, o->organisms[index].chromosome, values);
    for (int i = 0; i < o->genome->count; i++) {
        const struct param *gene = &o->genome->genes[i];
        x[i] = ((double)values[i] - gene->min + 0.5) / ((double)gene->max - gene->min + 1);
    }
}

/* Draws generation 0 with one seed, whose genes are all at `x`. */
static inline void seed_real(struct optimiser *o, double x)
{
    int32_t values[GENES_MAX];
    uint64_t seed[GENES_MAX];
    for (int i = 0; i < o->genome->count; i++) {
        const struct param *gene = &o->genome->genes[i];
        values[i] = gene->min + (int32_t)(x * ((double)gene->max - gene->min));
    }
    genome_encode(o->genome, values, seed);
    optimiser_seed(o, seed, 1);
}

/* Measures a generation: one organism has this fitness, the others 1. */
static inline void measure_one(struct optimiser *o, int index, int64_t fitness)
{
    for (int i = 0; i < o->population; i++)
        o->organisms[i].fitness = i == index ? fitness : 1;
}

/* Measures a generation: each organism has a random fitness below `below`. */
static inline void measure_anyhow(struct optimiser *o, struct stream *s, uint64_t below)
{
    for (int i = 0; i < o->population; i++)
        o->organisms[i].fitness = (int64_t)stream_below(s, below);
}

/* Expects an organism at a point: in its cells, but for REAL_ERROR, and at the bounds if it is beyond. */
static inline void expect_real(const struct optimiser *o, int index, const double *x)
{
    int32_t values[GENES_MAX];
    genome_decode(o->genome, o->organisms[index].chromosome, values);
    for (int i = 0; i < o->genome->count; i++) {
        const struct param *gene = &o->genome->genes[i];
        const double cells = (double)gene->max - gene->min + 1;
        const double cell = fmax(0, fmin(cells - 1, floor(x[i] * cells)));
        cr_assert_leq(fabs(values[i] - gene->min - cell), REAL_ERROR * cells,
                      "generation %d, organism %d, gene %d: %d, not cell %.0f", o->generation,
                      index, i, values[i], cell);
    }
}

/* Makes the first `count` genes coarse: of four values. */
static inline void make_coarse(struct problem *p, int count)
{
    for (int i = 0; i < count; i++) {
        p->params[i].bits = 2;
        p->params[i].max = 3;
    }
    const struct param_table table = {"test", p->params, p->genome.count};
    cr_assert(genome_init(&p->genome, &table, NULL));
}

#endif
