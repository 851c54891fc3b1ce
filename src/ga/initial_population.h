/* The initial population, generation 0: the same for every method, so that methods are compared
 * from the same start.
 *
 *   0 .. count - 1    the seeds, in their order
 *   count ..          FILL_RANDOM, or no seeds: random chromosomes, organism i from the stream
 *                     STREAM_INITIAL (seed, 0, i)
 *                     FILL_OFFSPRING: children of two seeds each, drawn with equal chances from
 *                     STREAM_SELECTION (seed, 0, i), and varied as the genetic algorithm does */
#ifndef GRAYLING_INITIAL_POPULATION_H
#define GRAYLING_INITIAL_POPULATION_H

#include "optimiser.h"

/* Checks the settings that every method has: population, fill and variation. */
bool initial_population_check(const struct optimiser_settings *s, struct error *err);

/* Writes generation 0, its fitness 0. 0 <= count <= population. */
void initial_population_draw(struct optimiser *o, const struct chromosome *seeds, int count);

#endif
