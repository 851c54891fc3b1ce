/* The optimisation methods, for optimiser.c. Each method has its own file, named after it.
 * optimiser.h declares what a method is. */
#ifndef GRAYLING_METHODS_H
#define GRAYLING_METHODS_H

#include <stdint.h>

struct optimiser;
struct optimiser_method;

extern const struct optimiser_method genetic_method;
extern const struct optimiser_method cma_es_method;
extern const struct optimiser_method sep_cma_es_method;
extern const struct optimiser_method evolution_strategy_method;
extern const struct optimiser_method differential_evolution_method;
extern const struct optimiser_method particle_swarm_method;
extern const struct optimiser_method hill_climbing_method;
extern const struct optimiser_method spsa_method;
extern const struct optimiser_method gradient_descent_method;

/* Steps 3 and 4 of the genetic algorithm: writes child `index` of a generation, of two parents. The
 * initial population with FILL_OFFSPRING uses it too. */
void genetic_child(const struct optimiser *o, const uint64_t *first, const uint64_t *second,
                   int generation, int index, uint64_t *child);

/* ---- where the two of a pair play each other (`mates`), in spsa.c ---- */

/* Returns how many pairs a generation has. */
int mates_pairs(const struct optimiser *o);

/* Returns the part of the way from the second organism of a pair to the first by which the estimate moves. */
double mates_pull(const struct optimiser *o, int pair);

/* Adds the estimate, of `n` numbers, to the average of its path. */
void mates_average(const struct optimiser *o, const double *estimate, double *average, int n);

#endif
