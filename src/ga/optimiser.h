/* An optimiser: a method that produces each generation from the fitness of earlier ones.
 *
 * A method is a const table of functions over a state that the caller owns, and the caller owns the
 * loop (ask and tell): measure the whole present population, write its fitness, call
 * optimiser_step, again. No method knows what a chromosome means, nor which numbers are high: only
 * that higher is better. All spend the same: `population` evaluations a generation.
 *
 *   optimiser_create   generation 0, drawn at random (initial_population.h)
 *   optimiser_seed     generation 0 with seeds, at most once
 *   .------------.
 *   | the caller |     writes the fitness of all organisms
 *   '------------'
 *   optimiser_step     the next generation, by the method
 *   optimiser_destroy
 *
 * Generation 0 is the same for every method, so that methods are compared from the same start.
 * Those that go on from one point begin at its best organism.
 *
 * An optimiser is a function of seed, settings and the fitness of all generations so far. Nothing
 * else of it is stored: to resume, create it anew, then write the fitness of each generation from 0
 * on and step. Random numbers come from streams named by (seed, purpose, generation, index), sums
 * are added in the order of the organisms. Methods that compute in real numbers go through libm
 * and GSL, and so repeat for the same binary; genetic, random and hill-climbing repeat
 * everywhere. */
#ifndef GRAYLING_OPTIMISER_H
#define GRAYLING_OPTIMISER_H

#include "population.h"
#include "settings.h"

struct optimiser;

struct optimiser_method {
    const char *name;
    int fewest; /* organisms in a population: 2 or more */
    /* It compares fitness of different generations, which must be on one scale. */
    bool across_generations;
    /* Writes the defaults of the method's own settings, and checks them; the reason names the
     * setting and its range. Both NULL where the method has none. */
    void (*set_defaults)(struct optimiser_settings *s);
    bool (*check)(const struct optimiser_settings *s, struct error *err);
    /* Allocates the state; generation 0 is drawn. NULL, as destroy, where there is none. */
    bool (*create)(struct optimiser *o, struct error *err);
    /* Writes the next generation's chromosomes over those of the present one, whose fitness is
     * known, or puts another array in its place. The genome has a locus. */
    void (*step)(struct optimiser *o);
    /* Index of the organism to report of the present generation, measured, if not its best; may be
     * NULL. */
    int (*champion)(const struct optimiser *o, int best);
    void (*destroy)(struct optimiser *o); /* accepts what a failed create has left */
};

/* Owned by the caller between create and destroy. States share nothing, so that each may live in a
 * thread of its own. */
struct optimiser {
    const struct optimiser_method *method;
    const struct genome *genome; /* borrowed */
    struct optimiser_settings settings;
    uint64_t seed;
    int generation;
    int population;             /* that of the settings */
    int seed_count;             /* organisms of generation 0 that are seeds, the first ones */
    struct organism *organisms; /* the present generation; a step may change the pointer */
    void *state;                /* the method's */
};

/* The methods by kind, and back from their names (-1 when unknown). */
const struct optimiser_method *optimiser_method_of(enum optimiser_kind kind);
int optimiser_from_name(const char *name);

/* The default settings for a kind, from the sources of the methods: populations of 100 and rates as
 * in david-2014. Those of the other methods are set too. */
struct optimiser_settings optimiser_default_settings(enum optimiser_kind kind);

/* Checks whether the settings are in range and the population is large enough for the method. The
 * settings of other methods are not looked at. */
bool optimiser_check(const struct optimiser_settings *settings, struct error *err);

/* Allocates the state and draws generation 0. False when the settings are wrong or there is no
 * memory; destroy accepts what is left. */
bool optimiser_create(struct optimiser *o, const struct genome *genome,
                      const struct optimiser_settings *settings, uint64_t seed, struct error *err);

/* Draws generation 0 anew with seeds before the other organisms, before any step.
 * 0 <= count <= population. */
void optimiser_seed(struct optimiser *o, const struct chromosome *seeds, int count);

/* Releases what create allocated; a zeroed state and NULL are accepted. */
void optimiser_destroy(struct optimiser *o);

/* From the present generation, whose fitness the caller has written, to the next, whose fitness is
 * 0 until written. */
void optimiser_step(struct optimiser *o);

/* Statistics of the present generation, measured, summed in index order; `best` is its champion. */
struct population_stats optimiser_statistics(const struct optimiser *o);

#endif
