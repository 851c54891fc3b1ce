/* Tests whether a gene shows a sign of having mattered, against neutral bits.
 *
 * Neutral bits are sent down the run's own pedigree (gene dropping: MacCluer et al. 1986). A second
 * evolution with the run's seed, settings and fitness has the same parents in every generation, and
 * its organisms carry neutral bits beside the genes. These bits undergo the run's elitism,
 * crossover and mutation, and hitchhike with the genes that selection favours. Their fate shows the
 * effect of chance and hitchhiking in this run. If the run has seeds, its neutral bits descend from as
 * many. A bit has two signs:
 *
 *   the push       the change of the bit's share of ones over the run, less the change by mutation
 *                  alone; selection that holds a bit at one value pushes against mutation all the
 *                  time
 *   the advantage  by how many standard deviations organisms with a 1 were fitter than the others
 *                  of their generation, summed over the run (the covariance of Price 1970)
 *
 * Each is divided by its standard deviation for bits dealt at random. Under strong selection,
 * relevant bits are soon alike and the push is the better sign; under weak selection, the advantage
 * is.
 *
 * With uniform crossover the neutral bits are inherited independently of every gene. With one or
 * two cuts they are linked to genes, as a neutral gene would be to its neighbours. For a crossover
 * that averages numbers a bit is too short: see neutral_genes.h. */
#ifndef GRAYLING_NEUTRAL_BITS_H
#define GRAYLING_NEUTRAL_BITS_H

#include "optimiser.h"

struct neutral_bits;

/* Creates the test for a run with these settings (of kind genetic, with a crossover that does not
 * average), random seed and number of seeds. NULL if out of memory or if the settings are invalid. */
struct neutral_bits *neutral_bits_create(const struct genome *genome,
                                         const struct optimiser_settings *settings, uint64_t seed,
                                         int seed_count, struct error *err);
void neutral_bits_destroy(struct neutral_bits *b); /* accepts NULL */

/* Adds the next generation, starting with 0. Its fitness must be set. */
void neutral_bits_add(struct neutral_bits *b, const struct organism *population);

/* The number of neutral bits, 512 or more: those of the carrier (sign_chance.h) that the genome does not
 * use. */
int neutral_bits_count(const struct neutral_bits *b);

/* The p-value of a gene: the probability, in (0, 1], that a neutral gene of this length shows as
 * strong a sign. Takes the strongest of the gene's bits and the stronger of the two signs, and
 * doubles the probability for that choice. Small if the gene mattered. 1 for a constant, and before the
 * second generation. */
double neutral_bits_chance(const struct neutral_bits *b, int gene);

#endif
