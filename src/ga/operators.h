/* Selection, crossover and mutation, without memory or state of their own. All functions but
 * recombination_weights use integers and the caller's stream, so they repeat on every machine.
 * Probabilities are fixed-point numbers from probability_fixed. */
#ifndef GRAYLING_OPERATORS_H
#define GRAYLING_OPERATORS_H

#include "population.h"
#include "settings.h"
#include "stream.h"

/* ---- selection.c: ranking and selection ---- */

/* An entry of a ranking by fitness. */
struct rank {
    int64_t fitness;
    int index;
};

/* Ranks the organisms, best first. Equal organisms are in index order. */
void ranking_sort(struct rank *ranking, const struct organism *organisms, int count);

/* A selection wheel holds cumulative weights: organism i has the numbers from cumulative[i - 1] (0
 * for the first) to cumulative[i] - 1. The last entry is at least 1. */
int wheel_draw(const uint64_t *cumulative, int count, struct stream *s);

/* Weights proportional to fitness, scaled down if the sum might overflow; equal if all fitness is 0. */
void wheel_proportional(uint64_t *cumulative, const struct organism *organisms, int count);

/* Weights proportional to what fitness has above its mean less `deviations` standard deviations (above 0, at most
 * 10), and 0 below that, whatever is added to all fitness; equal weights if all fitness is equal. */
void wheel_truncated(uint64_t *cumulative, const struct organism *organisms, int count,
                     double deviations);

/* Weights linear in rank. In `count` draws the best organism is expected `pressure` times, the
 * worst 2 - pressure times. Ties get the mean of their ranks. 2 to POPULATION_MAX organisms. */
void wheel_rank(uint64_t *cumulative, const struct rank *ranking, int count, double pressure);

/* Draws `size` organisms with replacement and returns the best. Ties go to the one drawn first. */
int tournament_draw(const struct organism *organisms, int count, int size, struct stream *s);

/* The log-rank weights, of sum 1, of the best `count` organisms, best first (Hansen and Ostermeier 2001). */
void recombination_weights(double *weights, int count, int population);

/* ---- variation.c: crossover and mutation ---- */

/* Draws each locus of the genome at random. */
void chromosome_random(uint64_t *chromosome, const struct genome *g, struct stream *s);

/* Crosses `child`, a copy of the first parent, with probability rate32 / 2^32, never below 2 loci. */
void chromosome_cross(uint64_t *child, const uint64_t *second, const struct genome *g,
                      enum crossover kind, uint64_t rate32, struct stream *s);

/* Flips each locus independently with probability rate32 / 2^32. */
void chromosome_mutate(uint64_t *chromosome, const struct genome *g, uint64_t rate32,
                       struct stream *s);

#endif
