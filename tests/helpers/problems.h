/* What optimisers are tried on: a genome of equal genes, and functions of its values. */
#ifndef GRAYLING_TESTS_PROBLEMS_H
#define GRAYLING_TESTS_PROBLEMS_H

#include "default_settings.h"
#include "genome.h"
#include "stream.h"

#include <criterion/criterion.h>
#include <gsl/gsl_randist.h>
#include <math.h>

enum { GENES_MAX = 64 };

/* What is to be optimised: a genome and a fitness of its decoded values. */
struct problem {
    const char *name;
    struct param params[GENES_MAX];
    struct genome genome;
};

/* `count` genes of `bits` bits from `min` on. */
static inline void make_problem(struct problem *p, int count, int bits, int32_t min)
{
    for (int i = 0; i < count; i++)
        p->params[i] = (struct param){.name = "x",
                                      .bits = bits,
                                      .min = min,
                                      .max = min + (int32_t)((1u << bits) - 1),
                                      .initial = min,
                                      .sign = 1,
                                      .meaning = ""};
    const struct param_table table = {"test", p->params, count};
    struct error err;
    cr_assert(genome_init(&p->genome, &table, &err), "%s", err.text);
}

/* The number of loci in which two chromosomes differ. */
static inline int hamming(const uint64_t *a, const uint64_t *b, int words)
{
    int distance = 0;
    for (int w = 0; w < words; w++)
        distance += __builtin_popcountll(a[w] ^ b[w]);
    return distance;
}

/* ---- De Jong's five functions (De Jong 1975), to be minimised; `noise` may be NULL ---- */

static inline double f1_sphere(const int32_t *v, struct stream *noise)
{
    (void)noise;
    double sum = 0;
    for (int i = 0; i < 3; i++)
        sum += v[i] / 100.0 * (v[i] / 100.0);
    return sum;
}

static inline double f2_rosenbrock(const int32_t *v, struct stream *noise)
{
    (void)noise;
    double x = v[0] / 1000.0, y = v[1] / 1000.0;
    return 100 * (x * x - y) * (x * x - y) + (1 - x) * (1 - x);
}

/* Steps, raised so that the least value is 0. */
static inline double f3_steps(const int32_t *v, struct stream *noise)
{
    (void)noise;
    double sum = 30;
    for (int i = 0; i < 5; i++)
        sum += floor(v[i] / 100.0);
    return sum;
}

static inline double f4_quartic(const int32_t *v, struct stream *noise)
{
    double sum = noise != NULL ? gsl_ran_gaussian(&noise->rng, 1) : 0;
    for (int i = 0; i < 30; i++)
        sum += (i + 1) * pow(v[i] / 100.0, 4);
    return sum;
}

/* Shekel's foxholes: 25 narrow pits on a plain of 500; the deepest, at (-32, -32), is 0.998. */
static inline double f5_foxholes(const int32_t *v, struct stream *noise)
{
    (void)noise;
    double x = v[0] / 1000.0, y = v[1] / 1000.0, sum = 0.002;
    for (int j = 0; j < 25; j++)
        sum += 1 / (j + 1 + pow(x - 16 * (j % 5 - 2), 6) + pow(y - 16 * (j / 5 - 2), 6));
    return 1 / sum;
}

#endif
