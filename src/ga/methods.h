/* The optimisation methods, each in a file named after it, and what they share. */
#ifndef GRAYLING_METHODS_H
#define GRAYLING_METHODS_H

#include "optimiser.h"
#include "stream.h"

extern const struct optimiser_method genetic_method;
extern const struct optimiser_method cma_es_method;
extern const struct optimiser_method sep_cma_es_method;
extern const struct optimiser_method evolution_strategy_method;
extern const struct optimiser_method differential_evolution_method;
extern const struct optimiser_method particle_swarm_method;
extern const struct optimiser_method hill_climbing_method;
extern const struct optimiser_method spsa_method;
extern const struct optimiser_method gradient_descent_method;

/* Allocates `count` zeros of `size` bytes that live as long as the optimiser. NULL without memory,
 * on which optimiser_create fails. */
void *optimiser_array(struct optimiser *o, size_t count, size_t size);

/* Checks that a setting is within [low, high]. NaN never is. */
bool settings_within(const char *field, double value, double low, double high, struct error *err);

/* Initialises the stream of organism `index` of the next generation. */
static inline void proposal_stream(const struct optimiser *o, struct stream *s, int index)
{
    stream_init(s, o->seed, STREAM_PROPOSAL, (uint64_t)o->generation + 1, (uint64_t)index);
}

static inline double stream_unit(struct stream *s)
{
    return gsl_rng_uniform(&s->rng);
}

/* Steps 3 and 4 of the genetic algorithm, and of FILL_OFFSPRING: writes child `index`. */
void genetic_child(const struct optimiser *o, const uint64_t *first, const uint64_t *second,
                   int generation, int index, uint64_t *child);

/* ---- where the two of a pair play each other (`mates`), in spsa.c ---- */

/* Returns how many pairs a generation has. */
int mates_pairs(const struct optimiser *o);

/* Returns the part of the way from the second organism of a pair to the first by which the estimate moves. */
double mates_pull(const struct optimiser *o, int pair);

/* Adds the estimate, a number for each coordinate, to the average of its path. */
void mates_average(const struct optimiser *o, const double *estimate, double *average);

#endif
