#include "gene_signs.h"

#include "neutral_bits.h"
#include "neutral_genes.h"

#include <stdlib.h>

enum { FEWEST_GENERATIONS = 2 };

/* One of the two tests. */
struct gene_signs {
    struct neutral_bits *bits;
    struct neutral_genes *genes;
    int generations; /* added so far */
};

/* True if a neutral bit is inherited as a bit of any gene is. Crossovers that average two parents pull a
 * gene's number to the middle of its range, which drives single bits of it; a bit alone has no middle. */
static bool bits_compare(const struct optimiser_settings *settings)
{
    const enum crossover crossover = settings->variation.crossover;
    return settings->kind == OPTIMISER_GENETIC && crossover != CROSSOVER_INTERMEDIATE &&
           crossover != CROSSOVER_LINE;
}

struct gene_signs *gene_signs_create(const struct genome *genome,
                                     const struct optimiser_settings *settings, uint64_t seed,
                                     int seed_count, struct error *err)
{
    struct gene_signs *s = calloc(1, sizeof *s);
    if (s == NULL) {
        error_set(err, "no memory for the signs of genes");
        return NULL;
    }
    if (bits_compare(settings))
        s->bits = neutral_bits_create(genome, settings, seed, seed_count, err);
    else
        s->genes = neutral_genes_create(genome, settings, seed, seed_count, err);
    if (s->bits != NULL || s->genes != NULL)
        return s;
    free(s);
    return NULL;
}

void gene_signs_destroy(struct gene_signs *s)
{
    if (s == NULL)
        return;
    neutral_bits_destroy(s->bits);
    neutral_genes_destroy(s->genes);
    free(s);
}

void gene_signs_add(struct gene_signs *s, const struct organism *population)
{
    s->generations++;
    if (s->bits != NULL)
        neutral_bits_add(s->bits, population);
    else
        neutral_genes_add(s->genes, population);
}

bool gene_signs_by_bits(const struct gene_signs *s)
{
    return s->bits != NULL;
}

int gene_signs_count(const struct gene_signs *s)
{
    if (s->generations < FEWEST_GENERATIONS)
        return 0;
    return s->bits != NULL ? neutral_bits_count(s->bits) : neutral_genes_count(s->genes);
}

double gene_signs_chance(const struct gene_signs *s, int gene)
{
    return s->bits != NULL ? neutral_bits_chance(s->bits, gene)
                           : neutral_genes_chance(s->genes, gene);
}
