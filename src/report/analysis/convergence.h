/* Convergence of a population: statistics of each gene and each bit in every generation, added in order. For reports
 * only: floating-point values never influence a run. */
#ifndef GRAYLING_CONVERGENCE_H
#define GRAYLING_CONVERGENCE_H

#include "optimiser.h"

/* The values of one gene in one population. */
struct gene_state {
    double mean, deviation; /* over the organisms; the population's standard deviation */
    int32_t lowest, highest;
    int32_t best; /* of the best organism */
};

struct convergence {
    const struct genome *genome; /* borrowed */
    int generations;             /* added so far */
    struct gene_state *genes;    /* a row of genome->count for each generation */
    uint16_t *ones;              /* a row of genome->words * 64 counts: the organisms with a 1 */
    int population;              /* of the generation added last; all have the same */
    int32_t *values;             /* scratch: one organism decoded */
};

/* Allocates room for `generations`. convergence_destroy accepts a zeroed value. */
bool convergence_create(struct convergence *c, const struct genome *genome, int generations,
                        struct error *err);
void convergence_destroy(struct convergence *c);

/* Adds the next generation; `best` is the index of its best organism. */
void convergence_add(struct convergence *c, const struct organism *population, int count, int best);

const struct gene_state *convergence_gene(const struct convergence *c, int generation, int gene);

/* The share of organisms, 1/2 to 1, that have a bit's more frequent value. */
double convergence_agreement(const struct convergence *c, int generation, int locus);

/* ---- whether genes mattered */

/* Tests whether a gene shows a sign of having mattered, against neutral bits or genes, which went through the same
 * without effect: their fate shows what chance and hitchhiking do in this run.
 *
 * Neutral bits, for the genetic algorithm, go down the run's own pedigree (gene dropping: MacCluer et al. 1986). A
 * second evolution with the run's seed, settings and fitness has the same parents in every generation, and carries
 * them beside the genes. With uniform crossover they are inherited independently of every gene; with one or two cuts
 * they are linked, as a neutral gene would be to its neighbours. A bit has two signs, of which the first is better
 * under strong selection, the second under weak:
 *
 *   the push       the change of its share of ones over the run, less the change by mutation alone
 *   the advantage  by how many standard deviations organisms with a 1 were fitter than the others of their generation,
 *                  summed over the run (the covariance of Price 1970)
 *
 * Neutral genes serve every other optimiser, and crossovers that average numbers, for which a bit is too short. A gene
 * has two signs, the directional and the quadratic selection differential of Lande and Arnold (1983):
 *
 *   the advantage  the covariance of its value with fitness
 *   the middle     the covariance of its squared distance from the mean with fitness: an optimum within the
 *                  population's range makes it negative
 *
 * Where parents are drawn, neutral genes ride along behind the run's own in an evolution with its seed. For the other
 * methods they are like the run's own, in several evolutions with other seeds. A method that changes one bit of one
 * point at a time has no middle: there an organism with a neutral bit changed is as fit as the best, which makes its
 * distance from the mean look like merit.
 *
 * Fitness is in standard deviations of its generation. Each sign is divided by its standard deviation for bits or
 * values dealt out at random. Generation 0 has as many seeds as the run's. */
struct gene_signs;

/* For a run with these settings and random seed, whose generation 0 was given `seed_count` organisms (optimiser_seed).
 * NULL without memory, or if the settings are invalid. */
struct gene_signs *gene_signs_create(const struct genome *genome,
                                     const struct optimiser_settings *settings, uint64_t seed,
                                     int seed_count, struct error *err);
void gene_signs_destroy(struct gene_signs *s); /* accepts NULL */

/* Adds the next generation, with its fitness. */
void gene_signs_add(struct gene_signs *s, const struct organism *population);

/* What each gene is compared with: 512 neutral bits or more, or 40 neutral genes or more. 0 if the run has only one
 * generation, or no gene that evolves. */
struct neutral {
    int count;
    bool by_bits; /* they are bits */
    int signs;    /* that a gene can show */
};

struct neutral gene_signs_neutral(const struct gene_signs *s);

/* The p-value of a gene: the probability, in (0, 1], that chance alone shows as strong a sign. Takes the
 * strongest of a gene's bits and the strongest sign, and multiplies the probability for that choice. 1 for a
 * constant, and before the second generation. */
double gene_signs_chance(const struct gene_signs *s, int gene);

#endif
