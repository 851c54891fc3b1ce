#include "convergence.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WORD = 64 };

static_assert(POPULATION_MAX <= UINT16_MAX, "a count of organisms must fit");

/* ---- life cycle ---- */

bool convergence_create(struct convergence *c, const struct genome *genome, int generations,
                        struct error *err)
{
    size_t rows = (size_t)generations + 1;
    *c = (struct convergence){.genome = genome};
    c->genes = calloc(rows * ((size_t)genome->count + 1), sizeof *c->genes);
    c->ones = calloc(rows * ((size_t)genome->words * WORD + 1), sizeof *c->ones);
    c->values = calloc((size_t)genome->count + 1, sizeof *c->values);
    if (c->genes != NULL && c->ones != NULL && c->values != NULL)
        return true;
    convergence_destroy(c);
    return error_set(err, "no memory for %d generations", generations);
}

void convergence_destroy(struct convergence *c)
{
    free(c->genes);
    free(c->ones);
    free(c->values);
    *c = (struct convergence){0};
}

/* ---- adding a generation ---- */

/* The row of a generation in the counts of ones. */
static uint16_t *ones_row(const struct convergence *c, int generation)
{
    return c->ones + (size_t)generation * (size_t)c->genome->words * WORD;
}

/* Sums values in `mean` and their squares in `deviation` first. */
void convergence_add(struct convergence *c, const struct organism *population, int count, int best)
{
    const struct genome *genome = c->genome;
    struct gene_state *genes = c->genes + (size_t)c->generations * (size_t)genome->count;
    assert(0 <= best && best < count);
    for (int i = 0; i < count; i++) {
        genome_decode(genome, population[i].chromosome, c->values);
        for (int g = 0; g < genome->count; g++) {
            const int32_t value = c->values[g];
            genes[g].mean += value;
            genes[g].deviation += (double)value * value;
            if (i == 0 || value < genes[g].lowest)
                genes[g].lowest = value;
            if (i == 0 || value > genes[g].highest)
                genes[g].highest = value;
            if (i == best)
                genes[g].best = value;
        }
    }
    for (int g = 0; g < genome->count; g++) {
        genes[g].mean /= count;
        const double variance = genes[g].deviation / count - genes[g].mean * genes[g].mean;
        genes[g].deviation =
            genes[g].lowest < genes[g].highest && variance > 0 ? sqrt(variance) : 0;
    }
    uint16_t *ones = ones_row(c, c->generations);
    for (int i = 0; i < count; i++)
        for (int locus = 0; locus < genome->length; locus++)
            ones[locus] += chromosome_locus(population[i].chromosome, locus);
    c->population = count;
    c->generations++;
}

/* ---- queries ---- */

const struct gene_state *convergence_gene(const struct convergence *c, int generation, int gene)
{
    assert(0 <= generation && generation < c->generations && gene < c->genome->count);
    return &c->genes[(size_t)generation * (size_t)c->genome->count + (size_t)gene];
}

double convergence_agreement(const struct convergence *c, int generation, int locus)
{
    assert(0 <= generation && generation < c->generations && locus < c->genome->length);
    double ones = (double)ones_row(c, generation)[locus] / c->population;
    return fmax(ones, 1 - ones);
}
