/* The operators of the genetic algorithm and of other methods, and the chances they follow.
 *
 * Everything here is integer arithmetic on a stream that the caller names, so that it repeats on
 * every machine; probabilities are fixed-point numbers from probability_fixed. Nothing allocates
 * and nothing keeps state. */
#ifndef GRAYLING_OPERATORS_H
#define GRAYLING_OPERATORS_H

#include "population.h"
#include "settings.h"
#include "stream.h"

/* ---- selection.c: order and chances of a generation ---- */

/* An organism's place in the order of fitness. */
struct rank {
    int64_t fitness;
    int index;
};

/* Orders the organisms best first, of equals the lower index first. */
void ranking_sort(struct rank *ranking, const struct organism *organisms, int count);

/* Chances as cumulative whole numbers: organism i owns the numbers from cumulative[i - 1] (0 for
 * the first) up to and without cumulative[i]; the last is at least 1. */

/* Chances in proportion to fitness; all alike when all fitness is 0. Fitness so high that the sum
 * might overflow is scaled down by one common shift. */
void wheel_proportional(uint64_t *cumulative, const struct organism *organisms, int count);

/* Chances linear in rank: the best expects `pressure` children for each `count` born, the worst
 * 2 - pressure; equals share the mean of their ranks. 2 to POPULATION_MAX organisms. */
void wheel_rank(uint64_t *cumulative, const struct rank *ranking, int count, double pressure);

/* Draws an organism: a binary search for a random number below the total. */
int wheel_draw(const uint64_t *cumulative, int count, struct stream *s);

/* Draws `size` organisms with replacement, and keeps the best, of equals the one drawn first. */
int tournament_draw(const struct organism *organisms, int count, int size, struct stream *s);

/* Log-rank weights of the best `count` of `population` organisms, best first; they sum to 1
 * (Hansen and Ostermeier 2001). */
void recombination_weights(double *weights, int count, int population);

/* ---- variation.c: how a child comes to differ from its first parent ---- */

/* The paper's settings (david-2014): uniform crossover with 0.75, mutation with 0.005. */
struct variation_settings variation_defaults(void);

/* Checks the settings; the reason names the field and its range. Both rates are 0 to 1. */
bool variation_check(const struct variation_settings *v, struct error *err);

/* Draws each locus of the genome at random; the loci beyond it are 0. */
void chromosome_random(struct chromosome *c, const struct genome *g, struct stream *s);

/* With probability rate32 / 2^32 mixes the second parent into `child`, which comes as a copy of
 * the first; the child stays a copy otherwise, or when there are fewer than two loci to mix. */
void chromosome_cross(struct chromosome *child, const struct chromosome *second,
                      const struct genome *g, enum crossover kind, uint64_t rate32,
                      struct stream *s);

/* Flips each locus with probability rate32 / 2^32, independently. */
void chromosome_mutate(struct chromosome *c, const struct genome *g, uint64_t rate32,
                       struct stream *s);

#endif
