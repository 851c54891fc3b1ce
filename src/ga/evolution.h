/* A generational genetic algorithm, as david-2014 uses it (section III-B).
 *
 * The state is a value that the caller owns, and the caller owns the loop: measure the population,
 * write the fitness into it, call evolution_step, again. The algorithm hands over a whole
 * population and never knows what a chromosome means. All randomness comes from streams named by
 * (seed, generation, index), so that a population and its fitness are all that a resume needs.
 *
 * A step:
 *   1  elitism: the best organisms are copied, best first, of equals the lower index first
 *      (De Jong 1975)
 *   2  selection: two parents for each further child, drawn independently, so that they may be one
 *      and the same: fitness-proportional (Holland 1975), by linear ranking (Baker 1985) or by
 *      tournament (Brindle 1981)
 *   3  crossover: a pair has one child. With the crossover rate it mixes both parents: uniform
 *      (Syswerda 1989), one-point (Holland 1975) or two-point (De Jong 1975) by bits; discrete,
 *      intermediate or line (Muehlenbein and Schlierkamp-Voosen 1993) by genes; otherwise it is a
 *      copy of the first parent
 *   4  mutation: each bit flips with the mutation rate (Holland 1975)
 *
 * Child i of generation g draws from the streams STREAM_SELECTION, STREAM_CROSSOVER and
 * STREAM_MUTATION named (seed, g, i); organism i of generation 0 from STREAM_INITIAL (seed, 0, i).
 * To resume, create a state with the same seed and settings, then write `generation` and every
 * chromosome and fitness. */
#ifndef GRAYLING_EVOLUTION_H
#define GRAYLING_EVOLUTION_H

#include "population.h"

enum selection { SELECTION_PROPORTIONAL, SELECTION_RANK, SELECTION_TOURNAMENT };
enum crossover {
    CROSSOVER_UNIFORM,
    CROSSOVER_ONE_POINT,
    CROSSOVER_TWO_POINT,
    CROSSOVER_DISCRETE,
    CROSSOVER_INTERMEDIATE,
    CROSSOVER_LINE,
};

/* What fills generation 0 up behind its seeds. */
enum fill { FILL_RANDOM, FILL_OFFSPRING };

struct evolution_settings {
    int population; /* 2 to POPULATION_MAX */
    int elitism;    /* organisms copied unchanged: 0 to population - 1 */
    enum selection selection;
    int tournament;       /* organisms in a tournament, 1 to POPULATION_MAX */
    double rank_pressure; /* linear ranking: expected children of the best, 1 to 2 (Baker 1985) */
    enum crossover crossover;
    double crossover_rate; /* 0 to 1 */
    double mutation_rate;  /* 0 to 1, per bit */
    enum fill fill;
};

struct rank;

/* Owned by the caller between create and destroy; `organisms` is the present generation (a step
 * changes the pointer). States share nothing, so that each may live in a thread of its own. */
struct evolution {
    const struct genome *genome; /* borrowed */
    struct evolution_settings settings;
    uint64_t seed;
    int generation; /* 0 is the random one */
    struct organism *organisms;
    /* Scratch for a step: */
    struct organism *offspring; /* the next generation */
    struct rank *ranking;       /* the order of fitness */
    uint64_t *wheel;            /* the chances of selection */
};

/* The paper's settings: 100, elitism 1, proportional, uniform 0.75, mutation 0.005. Where rank or
 * tournament is chosen instead, for which it gives no number: pressure 2, and 2 organisms, which
 * press equally. */
struct evolution_settings evolution_paper_settings(void);

/* Checks the settings; the reason names the field and its range. */
bool evolution_check(const struct evolution_settings *s, struct error *err);

/* Allocates the state and draws generation 0 at random. False when the settings are wrong or there
 * is no memory. */
bool evolution_create(struct evolution *e, const struct genome *genome,
                      const struct evolution_settings *settings, uint64_t seed, struct error *err);

/* Puts seeds before the other organisms of generation 0, which stay random, or, with
 * FILL_OFFSPRING, become children of two seeds each, drawn with equal chances from the streams of
 * their index. 0 <= count <= population. */
void evolution_seed(struct evolution *e, const struct chromosome *seeds, int count);

/* Releases what create allocated; a zeroed state is accepted. */
void evolution_destroy(struct evolution *e);

/* From the present generation, whose fitness the caller has written, to the next, whose fitness is
 * 0 until written. */
void evolution_step(struct evolution *e);

/* Statistics of the present generation, summed in index order. */
struct population_stats evolution_statistics(const struct evolution *e);

/* Names for recipes and reports, and back (-1 when unknown). */
const char *selection_name(enum selection s);
int selection_from_name(const char *name);
const char *crossover_name(enum crossover c);
int crossover_from_name(const char *name);

#endif
