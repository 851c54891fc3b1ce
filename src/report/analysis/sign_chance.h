/* What the tests against neutral bits and neutral genes share: the evolutions that carry them,
 * standardised fitness, the strength of a sign, and its probability by chance. */
#ifndef GRAYLING_SIGN_CHANCE_H
#define GRAYLING_SIGN_CHANCE_H

#include "optimiser.h"

/* The loci of the chromosomes that carry neutral bits or genes beside those of a genome: 1,024 for
 * genomes of up to 512 loci, else 512 more than the genome. */
int carrier_loci(const struct genome *genome);

/* Creates an evolution of neutral bits or genes. Its generation 0 has as many seeds as that of the run,
 * with random values: organisms that descend from few seeds are as closely related as those of the run.
 * 0 <= seed_count <= population. Call optimiser_destroy after a failure too. */
bool riders_create(struct optimiser *riders, const struct genome *carrier,
                   const struct optimiser_settings *settings, uint64_t seed, int seed_count,
                   struct error *err);

/* Writes the fitness of each organism in standard deviations from the mean; 0 if all are alike. */
void sign_scores(const struct organism *population, int count, double *scores);

/* The strength of a sign in either direction: its sum over the run, divided by the standard
 * deviation of the sum where values are dealt out at random. 0 without variance. */
double sign_strength(double sum, double variance);

/* The probability that a neutral sign is as strong: the share of the `count` neutral strengths that
 * are. Beyond them all, the tail of a normal distribution with their spread, if that is less. */
double sign_chance(const double *neutral, int count, double strength);

#endif
