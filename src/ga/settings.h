/* The settings of an optimiser: what all methods share, and a struct for each method.
 *
 * The file of a method gives the source of its settings, their ranges and their defaults. Lengths
 * are shares of a gene's range unless a comment says otherwise. */
#ifndef GRAYLING_SETTINGS_H
#define GRAYLING_SETTINGS_H

#include "error.h"

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
};

enum { OPTIMISERS = OPTIMISER_GRADIENT_DESCENT + 1 };

/* How the initial population is filled up behind its seeds. */
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

/* How two parents produce a child (variation.c): in the genetic algorithm, and with every method in
 * an initial population of FILL_OFFSPRING. */
struct variation_settings {
    enum crossover crossover;
    double crossover_rate; /* probability that a pair is crossed */
    double mutation_rate;  /* probability that a bit flips */
};

struct genetic_settings {
    int elitism; /* organisms copied unchanged */
    enum selection selection;
    int tournament;       /* organisms in a tournament */
    double rank_pressure; /* linear ranking: expected children of the best */
};

struct cma_es_settings {
    double sigma; /* the first standard deviation of a coordinate */
};

struct evolution_strategy_settings {
    double sigma;  /* standard deviation of a gene's factor, in logarithms */
    double common; /* standard deviation of the factor that genes of one range share, likewise */
};

struct differential_evolution_settings {
    double weight;    /* F */
    double crossover; /* CR */
};

struct particle_swarm_settings {
    double inertia;
    double attraction; /* to a particle's own best place, and to that of all */
};

struct hill_climbing_settings {
    int kick; /* loci flipped where no single flip is a gain */
};

struct spsa_settings {
    double step; /* the first step, which is also the longest */
    double perturbation;
    int stability; /* A: steps in which the gain shrinks little */
};

struct gradient_descent_settings {
    double step; /* the longest step along a line */
    double perturbation;
};

struct optimiser_settings {
    enum optimiser_kind kind;
    int population; /* organisms in a generation: 2 to POPULATION_MAX */
    enum fill fill;
    struct variation_settings variation;
    /* One for each method; only that of `kind` counts. */
    struct genetic_settings genetic;
    struct cma_es_settings cma_es;
    struct evolution_strategy_settings evolution_strategy;
    struct differential_evolution_settings differential_evolution;
    struct particle_swarm_settings particle_swarm;
    struct hill_climbing_settings hill_climbing;
    struct spsa_settings spsa;
    struct gradient_descent_settings gradient_descent;
};

/* Names for recipes and reports, and back (-1 when unknown). */
const char *selection_name(enum selection s);
int selection_from_name(const char *name);
const char *crossover_name(enum crossover c);
int crossover_from_name(const char *name);

/* Whether a whole number lies in its range, both ends included. */
bool settings_whole(const char *field, int value, int low, int high, struct error *err);

/* Whether a real number lies in its range, both ends included; NaN never does. */
bool settings_real(const char *field, double value, double low, double high, struct error *err);

#endif
