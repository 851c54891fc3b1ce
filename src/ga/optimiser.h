/* An optimiser: a method that produces each generation from the fitness of earlier ones.
 *
 * The caller owns the loop (ask and tell): it measures the current population, writes the fitness,
 * calls optimiser_step, and repeats. A method knows only that higher fitness is better. Every method
 * uses `population` evaluations per generation.
 *
 *   optimiser_create   generation 0, drawn at random (below)
 *   optimiser_seed     optional: generation 0 with seeds, at most once
 *   .------------.
 *   | the caller |     writes the fitness of all organisms
 *   '------------'
 *   optimiser_step     the next generation, by the method
 *   optimiser_destroy
 *
 * Generation 0 is the same for every method. Methods that follow a single point start at its best organism.
 *
 * The state of an optimiser is a function of the seed, the settings and the fitness of all generations so far: to
 * resume, create it again, and for each generation from 0 on write the fitness and step. Random numbers come from
 * streams named by (seed, purpose, generation, index). Methods on real numbers call libm and GSL, so they repeat
 * with the same binary; genetic, random and hill-climbing repeat on every machine. */
#ifndef GRAYLING_OPTIMISER_H
#define GRAYLING_OPTIMISER_H

#include "population.h"
#include "settings.h"

struct optimiser;

/* A method. A step lets it take the fitness of the current generation (`begin`, `learn`), and then
 * produce the organisms of the next, in index order: `place` for a method on points of the box
 * (genome.h), else `propose`. None of these is called for a genome without loci. */
struct optimiser_method {
    const char *name;
    int fewest; /* the smallest valid population; 0: 2, as for all */
    /* True if it compares the fitness of different generations, which must be on one scale. */
    bool across_generations;
    /* True if each generation lies around what was found so far, and narrows with it: its spread is
     * a measure of how far a parameter may still move. */
    bool converges;
    /* True if organisms inherit from parents that are drawn, whatever the number of genes: another
     * evolution with the same random seed and fitness has the same parents. */
    bool draws_parents;
    bool one_bit; /* each organism is one point with one bit changed */
    /* True if it can be told the games that organisms 2k and 2k + 1 play with each other: `mates`. */
    bool mates;
    size_t state; /* bytes of its state */
    /* Checks what the ranges of single settings do not say. NULL: nothing. */
    bool (*check)(const struct optimiser_settings *s, struct error *err);
    /* Checks the size of the genome, before anything is allocated. NULL: any genome. */
    bool (*fits)(const struct genome *genome, struct error *err);
    /* Allocates the arrays of the state, which is zeroed (optimiser_array). It does not write to
     * them: some may be missing. NULL: there are none. */
    void (*create)(struct optimiser *o);
    void (*begin)(struct optimiser *o); /* takes generation 0; NULL: as any other */
    void (*learn)(struct optimiser *o); /* takes a generation; NULL: it learns nothing */
    void (*place)(struct optimiser *o, int index, double *point);
    void (*propose)(struct optimiser *o, int index);
    /* Index of the organism to report for the current, measured generation. NULL: the best. */
    int (*champion)(const struct optimiser *o, int best);
};

/* Owned by the caller between create and destroy. Each may run in its own thread: no state is shared. */
struct optimiser {
    const struct optimiser_method *method;
    const struct genome *genome; /* borrowed */
    struct optimiser_settings settings;
    uint64_t seed;
    int generation;
    int population; /* of the settings */
    bool relative;  /* fitness ranks one generation only; the caller sets it after create */
    /* Organisms 2k and 2k + 1 play each other, and fitness is their half points; false: anything else. Generation 0
     * is not measured then: the method begins at its first organism, the start. The caller sets it after create. */
    bool mates;
    int seed_count; /* seeds in generation 0, its first organisms; the defaults are one */
    struct organism *organisms;     /* the current generation */
    void *state;                    /* of the method */
    struct box box;                 /* of a method that places points */
    double *point;                  /* scratch: a point */
    struct optimiser_block *memory; /* state and arrays */
    bool short_of_memory;           /* an array could not be allocated */
};

/* ---- generation 0 ----
 *
 *   0 .. count - 1    the seeds, in their order
 *   count             the defaults of the genes, if the share `defaults` is above 0. They count as
 *                     one more seed
 *   count + 1 ..      as many mutants of the defaults as complete the share of the population:
 *                     organism i is mutated at the rate of the genetic algorithm, from
 *                     STREAM_MUTATION (seed, 0, i)
 *   the others        FILL_RANDOM, or no seeds: organism i is a random chromosome, drawn from the
 *                     stream STREAM_INITIAL (seed, 0, i)
 *                     FILL_OFFSPRING: organism i is a child of two seeds, which are drawn with
 *                     equal probabilities from STREAM_SELECTION (seed, 0, i). Crossover and
 *                     mutation are those of the genetic algorithm.
 *
 * Seeds come first: if they leave less room than the share, there are fewer organisms of the defaults, or none. */

/* Returns the number of organisms that begin as the defaults in a generation 0 with `seeds` seeds. */
int initial_population_defaults(const struct optimiser_settings *s, int seeds);

/* True if both settings give the same generation 0, from the same random seed and so many seeds. */
bool initial_population_agrees(const struct optimiser_settings *a,
                               const struct optimiser_settings *b, int seeds);

/* ---- use ---- */

const struct optimiser_method *optimiser_method_of(enum optimiser_kind kind);

/* Checks the ranges of the method's settings, not those of others, and that the population is large enough. */
bool optimiser_check(const struct optimiser_settings *settings, struct error *err);

/* Checks whether the method can work on this genome. The reason states the cost. */
bool optimiser_fits(const struct optimiser_settings *settings, const struct genome *genome,
                    struct error *err);

/* Allocates the state and draws generation 0. Fails if the settings are invalid, the genome does not fit the method
 * or there is no memory. Call optimiser_destroy after a failure too. */
bool optimiser_create(struct optimiser *o, const struct genome *genome,
                      const struct optimiser_settings *settings, uint64_t seed, struct error *err);

/* Draws generation 0 again, before the first step, with `count` seeds as its first organisms: 0 to population, of
 * genome->words words each. */
void optimiser_seed(struct optimiser *o, const uint64_t *seeds, int count);

/* Releases what create allocated. Accepts a zeroed optimiser and NULL. */
void optimiser_destroy(struct optimiser *o);

/* Produces the next generation, with fitness 0. The caller must have written the fitness of this one. */
void optimiser_step(struct optimiser *o);

/* Statistics of one generation, for reports. No method reads them. */
struct population_stats {
    int best; /* the method's champion: usually the fittest, and of equal ones the first */
    int64_t best_fitness;
    double diversity; /* mean Hamming distance between two organisms, in loci */
};

/* Returns statistics of the current, measured generation. */
struct population_stats optimiser_statistics(const struct optimiser *o);

#endif
