/* The settings of an optimiser: those that all methods share, and a struct for each method.
 *
 * Their ranges and defaults, and the source of these, are in method_settings.def and genetic_settings.def. Lengths
 * are fractions of a gene's range unless a comment says otherwise. */
#ifndef GRAYLING_SETTINGS_H
#define GRAYLING_SETTINGS_H

#include "error.h"

#include <math.h>

enum optimiser_kind {
    OPTIMISER_GENETIC,
    OPTIMISER_CMA_ES,
    OPTIMISER_EVOLUTION_STRATEGY,
    OPTIMISER_DIFFERENTIAL_EVOLUTION,
    OPTIMISER_PARTICLE_SWARM,
    OPTIMISER_RANDOM,
    OPTIMISER_HILL_CLIMBING,
    OPTIMISER_SPSA,
    OPTIMISER_GRADIENT_DESCENT,
    OPTIMISER_SEP_CMA_ES,
};

enum { OPTIMISERS = OPTIMISER_SEP_CMA_ES + 1 };

/* The organisms of the initial population after its seeds and defaults (optimiser.h). */
enum fill { FILL_RANDOM, FILL_OFFSPRING };

enum selection { SELECTION_PROPORTIONAL, SELECTION_RANK, SELECTION_TOURNAMENT };
enum crossover {
    CROSSOVER_UNIFORM,
    CROSSOVER_ONE_POINT,
    CROSSOVER_TWO_POINT,
    CROSSOVER_DISCRETE,
    CROSSOVER_INTERMEDIATE,
    CROSSOVER_LINE,
};

/* How two parents produce a child (variation.c). The genetic algorithm uses these settings, and so
 * does an initial population with FILL_OFFSPRING. */
struct variation_settings {
    enum crossover crossover;
    double crossover_rate; /* probability that a pair is crossed */
    double mutation_rate;  /* probability that a bit flips */
};

struct genetic_settings {
    int elitism; /* organisms copied unchanged */
    enum selection selection;
    int tournament;       /* organisms in a tournament */
    double truncation;    /* proportional: standard deviations below the mean that count; 0: all */
    double rank_pressure; /* linear ranking: expected children of the best */
};

struct cma_es_settings { /* of cma-es and sep-cma-es */
    double sigma;        /* the initial standard deviation of a coordinate */
};

struct evolution_strategy_settings {
    double sigma;  /* standard deviation of the logarithm of a gene's own factor */
    double common; /* the same, of the factor common to genes with the same number of values,
                      which of another engine must also share a group */
    int groups;    /* 1: common to the genes of a group, and one to all genes */
    double margin; /* the least probability of another value than the mean's, for each gene */
};

struct differential_evolution_settings {
    double weight;    /* F */
    double crossover; /* CR */
};

struct particle_swarm_settings {
    double inertia;
    double attraction; /* to the particle's best position, and to the swarm's */
};

struct hill_climbing_settings {
    int kick; /* loci to flip when no single flip improves */
};

struct spsa_settings {
    double step; /* the first step, which is also the longest */
    double perturbation;
    int stability; /* A, the stability constant, in steps */
};

struct gradient_descent_settings {
    double step; /* the longest step of a line search */
    double perturbation;
};

struct optimiser_settings {
    enum optimiser_kind kind;
    int population;  /* organisms per generation: 2 to POPULATION_MAX */
    double defaults; /* share of generation 0 that begins as the defaults: 0 to 1 */
    enum fill fill;
    struct variation_settings variation;
    double rate; /* with mates: half distances that the estimate moves at first for a game won */
    /* One for each method. Only that of `kind` has an effect. */
    struct genetic_settings genetic;
    struct cma_es_settings cma_es;
    struct evolution_strategy_settings evolution_strategy;
    struct differential_evolution_settings differential_evolution;
    struct particle_swarm_settings particle_swarm;
    struct hill_climbing_settings hill_climbing;
    struct spsa_settings spsa;
    struct gradient_descent_settings gradient_descent;
};

/* Returns how far an estimate moves, in half distances between two mates, for each game that one has won more,
 * after so many games (spsa.c). */
static inline double mates_rate(const struct optimiser_settings *s, double games)
{
    const double settling = 125;
    return s->rate / sqrt(1 + games / settling);
}

/* The names in recipes and reports. */
const char *selection_name(enum selection s);
const char *crossover_name(enum crossover c);

#endif
