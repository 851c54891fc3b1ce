/* The settings of an optimiser: those that all methods share, and a struct for each method.
 *
 * Their ranges and defaults, and the source of these, are in method_settings.def and genetic_settings.def. Lengths
 * are fractions of a gene's range unless a comment says otherwise. */
#ifndef GRAYLING_SETTINGS_H
#define GRAYLING_SETTINGS_H

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

/* The struct of a method has an effect where `kind` is that method. The tables say what its settings mean. */
struct optimiser_settings {
    enum optimiser_kind kind;
    int population;  /* organisms per generation: 2 to POPULATION_MAX */
    double defaults; /* share of generation 0 that begins as the defaults: 0 to 1 */
    enum fill fill;
    double rate; /* with mates: half distances that the estimate moves at first for a game won */
    /* How two parents produce a child (variation.c), of the genetic algorithm and with FILL_OFFSPRING. */
    struct variation_settings {
        enum crossover crossover;
        double crossover_rate, mutation_rate;
    } variation;
    struct genetic_settings {
        int elitism;
        enum selection selection;
        int tournament;
        double truncation, rank_pressure;
    } genetic;
    struct {
        double sigma;
    } cma_es; /* and sep-cma-es */
    struct evolution_strategy_settings {
        double sigma, common;
        int groups, open; /* 1: yes */
        double margin;
    } evolution_strategy;
    struct differential_evolution_settings {
        double weight, crossover; /* F and CR */
    } differential_evolution;
    struct particle_swarm_settings {
        double inertia, attraction;
    } particle_swarm;
    struct {
        int kick;
    } hill_climbing;
    struct {
        double step, perturbation;
        int stability;
    } spsa;
    struct {
        double step, perturbation;
    } gradient_descent;
};

/* Returns R: how far an estimate moves, in half distances between two mates, for each game that one has won more.
 * After so many games 1/R^2 = 1/rate^2 + 0.8 games: who begins at the R of another's end goes on as it would (spsa.c).
 * A rate above 0.1 settles after 125 games too, as runs that have one began. */
static inline double mates_rate(const struct optimiser_settings *s, double games)
{
    const double settling = 125 / pow(fmin(1, 10 * s->rate), 2);
    return s->rate / sqrt(1 + games / settling);
}

#endif
