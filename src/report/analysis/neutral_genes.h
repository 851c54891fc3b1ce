/* Tests whether a gene shows a sign of having mattered, against neutral genes: for every optimiser
 * but the genetic algorithm, which has a sharper test on bits (neutral_bits.h). That one is wrong with
 * intermediate and line crossover, which pull the numbers of all genes to the middle of their ranges:
 * with these the genetic algorithm is tested here.
 *
 * A gene has two signs in a population, the directional and the quadratic selection differential of
 * Lande and Arnold (1983):
 *
 *   the advantage  the covariance of its value with the organisms' fitness
 *   the middle     the covariance of its squared distance from the mean with their fitness: an
 *                  optimum within the population's range makes it negative
 *
 * Fitness is in standard deviations of its generation, so that only organisms of one generation are
 * compared. Each sign is summed over the run and divided by its standard deviation for values dealt
 * out at random.
 *
 * That is not what chance does: a method's organisms descend from one another and are placed by
 * design. So neutral genes go through the same: a second evolution by the same method, with the
 * run's settings and fitness, whose genes have no effect. Where organisms inherit from parents that
 * are drawn (the genetic algorithm, differential evolution, particle swarm, the evolution
 * strategy), it has the run's seed and so its parents, and neutral genes ride along behind the run's
 * own. For the other methods the genes are the run's own, in several evolutions with other random
 * seeds. Generation 0 has as many seeds as the run's.
 *
 * Hill climbing changes one bit of one point at a time. An organism with a neutral bit changed is
 * then as fit as the best of its generation, which makes its distance from the mean look like merit:
 * only the advantage counts there. */
#ifndef GRAYLING_NEUTRAL_GENES_H
#define GRAYLING_NEUTRAL_GENES_H

#include "optimiser.h"

struct neutral_genes;

/* Creates the test for a run with these settings, random seed and number of seeds. NULL if out of
 * memory or if the settings are invalid. */
struct neutral_genes *neutral_genes_create(const struct genome *genome,
                                           const struct optimiser_settings *settings, uint64_t seed,
                                           int seed_count, struct error *err);
void neutral_genes_destroy(struct neutral_genes *n); /* accepts NULL */

/* Adds the next generation, starting with 0. Its fitness must be set. */
void neutral_genes_add(struct neutral_genes *n, const struct organism *population);

/* The number of neutral genes: 40 or more, if any gene evolves. */
int neutral_genes_count(const struct neutral_genes *n);

/* The p-value of a gene: the probability, in (0, 1], that a neutral gene shows as strong a sign.
 * Takes the stronger of the two signs, and doubles the probability for that choice. Small if the
 * gene mattered. 1 for a constant. */
double neutral_genes_chance(const struct neutral_genes *n, int gene);

#endif
