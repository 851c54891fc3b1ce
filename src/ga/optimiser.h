/* An optimiser: whatever brings forth generation after generation from the fitness of those before.
 *
 * A method is a const table of functions over a state that the caller owns, and the caller owns the
 * loop (ask and tell): measure the whole present population, write its fitness, call
 * optimiser_step, again. No method knows what a chromosome means, nor which numbers are high: only
 * that higher is better. All spend the same: `population` evaluations a generation.
 *
 * Generation 0 is the same for every method (evolution.h draws it, seeds first), so that methods
 * are compared from the same start. Those that go on from one point begin at its best organism.
 *
 * An optimiser is a function of seed, settings and the fitness of all generations so far. Nothing
 * else of it is stored: to resume, create it anew, then write the fitness of each generation from 0
 * on and step. Random numbers come from streams named by (seed, purpose, generation, index), sums
 * are added in the order of the organisms. Methods that compute in real numbers go through libm
 * and GSL, and so repeat for the same binary; genetic, random and hill-climbing repeat
 * everywhere. */
#ifndef GRAYLING_OPTIMISER_H
#define GRAYLING_OPTIMISER_H

#include "evolution.h"

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

/* Lengths are shares of a gene's range. */
struct optimiser_settings {
    enum optimiser_kind kind;
    double sigma;        /* cma-es: the first standard deviation, 0.001 to 1; evolution-strategy: of
                            a factor, in logarithms */
    double common;       /* evolution-strategy: spread of the common factor, 0 to 1 */
    double weight;       /* differential-evolution: F, 0 to 2 */
    double crossover;    /* and CR, 0 to 1 */
    double inertia;      /* particle-swarm: 0 to 1 */
    double attraction;   /* to its own best and to that of all, 0 to 4 */
    int kick;            /* hill-climbing: loci, 1 to 1024 */
    double step;         /* spsa: the first step; gradient-descent: the longest; 0.001 to 1 */
    double perturbation; /* of both, 0.001 to 0.5 */
    int stability;       /* spsa: the A of its gains, 0 to 1000000 */
};

struct optimiser;

struct optimiser_method {
    const char *name;
    int fewest; /* organisms in a population: 2 or more */
    /* It compares fitness of different generations, which must be on one scale. */
    bool across_generations;
    /* Allocates the state; generation 0 is drawn. */
    bool (*create)(struct optimiser *o, struct error *err);
    /* Writes the next generation's chromosomes over those of the present one, whose fitness is
     * known. The genome has a locus. */
    void (*step)(struct optimiser *o);
    /* Whom the present generation, measured, stands for where that need not be its best; may be
     * NULL. */
    int (*champion)(const struct optimiser *o, int best);
    void (*destroy)(struct optimiser *o); /* accepts what a failed create has left */
};

/* Owned by the caller between create and destroy. States share nothing, so that each may live in a
 * thread of its own. */
struct optimiser {
    const struct optimiser_method *method;
    const struct genome *genome;  /* borrowed */
    struct evolution_settings ga; /* population and fill for all; the rest is genetic's */
    struct optimiser_settings settings;
    uint64_t seed;
    int generation;
    int population;
    int seed_count;             /* organisms of generation 0 that are seeds, the first ones */
    struct organism *organisms; /* the present generation */
    void *state;                /* the method's */
};

/* The methods by kind, and back from their names (-1 when unknown). */
const struct optimiser_method *optimiser_method_of(enum optimiser_kind kind);
int optimiser_from_name(const char *name);

/* The usual settings of a method, from its sources. */
struct optimiser_settings optimiser_usual_settings(enum optimiser_kind kind);

/* Whether the settings are in range and the population is large enough for the method. */
bool optimiser_check(const struct evolution_settings *ga, const struct optimiser_settings *settings,
                     struct error *err);

/* Allocates the state and draws generation 0. False when the settings are wrong or there is no
 * memory; destroy accepts what is left. */
bool optimiser_create(struct optimiser *o, const struct genome *genome,
                      const struct evolution_settings *ga,
                      const struct optimiser_settings *settings, uint64_t seed, struct error *err);

/* Draws generation 0 anew with seeds before the other organisms (evolution_seed). 0 <= count <=
 * population. */
bool optimiser_seed(struct optimiser *o, const struct chromosome *seeds, int count,
                    struct error *err);

/* Releases what create allocated; a zeroed state and NULL are accepted. */
void optimiser_destroy(struct optimiser *o);

/* From the present generation, whose fitness the caller has written, to the next, whose fitness is
 * 0 until written. */
void optimiser_step(struct optimiser *o);

/* Of the present generation, measured; `best` is its champion. */
struct population_stats optimiser_statistics(const struct optimiser *o);

#endif
