/* The initial population, generation 0. It is the same for every method, so a comparison of methods
 * starts from the same organisms.
 *
 *   0 .. count - 1    the seeds, in their order
 *   count             the defaults of the genes, if the share `defaults` is above 0. They count as
 *                     one more seed
 *   count + 1 ..      as many mutants of the defaults as complete the share of the population:
 *                     organism i is mutated at the rate of the genetic algorithm, from
 *                     STREAM_MUTATION (seed, 0, i)
 *   the others        FILL_RANDOM, or no seeds: organism i is a random chromosome, drawn from the
 *                     stream STREAM_INITIAL (seed, 0, i)
 *                     FILL_OFFSPRING: organism i is a child of two seeds, which are drawn with
 *                     equal probabilities from STREAM_SELECTION (seed, 0, i). Crossover and
 *                     mutation are those of the genetic algorithm.
 *
 * Seeds come first: if they leave less room than the share, there are fewer organisms of the
 * defaults, or none. */
#ifndef GRAYLING_INITIAL_POPULATION_H
#define GRAYLING_INITIAL_POPULATION_H

#include "optimiser.h"

/* Returns the number of organisms that begin as the defaults in a generation 0 with `seeds` seeds. */
int initial_population_defaults(const struct optimiser_settings *s, int seeds);

/* True if both settings give the same generation 0, from the same seed of random numbers and the same
 * `seeds` seeds. */
bool initial_population_agrees(const struct optimiser_settings *a,
                               const struct optimiser_settings *b, int seeds);

/* Writes generation 0 with fitness 0. A seed is genome->words words. 0 <= count <= population. */
void initial_population_draw(struct optimiser *o, const uint64_t *seeds, int count);

#endif
