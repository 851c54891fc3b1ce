/* What a run measures: the seam between the genetic algorithm and chess.
 *
 * A fitness is a value with a const table of functions (as GSL's methods are). The run hands over
 * the decoded genes of organisms that have not been measured yet; the fitness returns one integer
 * for each, its `measure` (moves matched, nodes to solution), which is what is stored, memoised and
 * shown; more may be better or worse. `score` turns a measure into the GA's fitness, >= 0, higher
 * is better. Work is split into numbered pieces whose integer results are summed by number, so that
 * no result depends on threads. */
#ifndef GRAYLING_FITNESS_H
#define GRAYLING_FITNESS_H

#include "error.h"
#include "param.h"
#include "played.h"

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fitness;

/* What a measure is a number of, and so how it is shown. */
enum measure_unit {
    UNIT_SHARE,    /* successes out of the data's size: per cent, with an interval */
    UNIT_POINTS,   /* half points in games, out of the data's size: per cent, with an interval */
    UNIT_NODES,    /* nodes over all positions: the total, and nodes a position */
    UNIT_LOG_NODES /* sums of their logarithms (nodes_to_solution.h): the geometric mean */
};

/* A generation whose organisms are measured against each other. */
struct competition {
    int generation;
    const int32_t *values; /* of the `count` organisms, as measure_batch has them */
    int count;
    const int32_t *champions; /* of the best of each earlier generation, 0 first */
    const int32_t *seeds;     /* of those that generation 0 began with */
    int seed_count;
    /* Games of this generation that have been played before, by number. */
    const struct played *known;
    size_t known_count;
    /* Told of each other game as it ends, in the order of their numbers, by any thread but by one
     * at a time; `total` games have been decided on so far, the known ones counted. False: give
     * up. */
    bool (*played)(void *context, const struct played *game, int total);
    void *context;
};

/* Either measure_batch or compete is there. */
struct fitness_method {
    const char *name;    /* "move_match" */
    const char *measure; /* "moves matched": the axis label */
    /* Where an organism is worth what it is worth among the others: measures[count] of a whole
     * generation; false when it gave up. Such measures say nothing across generations. */
    bool (*compete)(struct fitness *f, const struct competition *c, int64_t *measures);
    /* measures[count] >= 0 of `count` organisms of table->count values each; false when it gave up
     * because *f->stop was set or f->measured said so. */
    bool (*measure_batch)(struct fitness *f, const int32_t *values, int count, int64_t *measures);
    /* The same on held-out data for one organism; -1 when there is none, or when it gave up. */
    int64_t (*measure_held_out)(struct fitness *f, const int32_t *values);
    int64_t (*score)(const struct fitness *f, int64_t measure);
    /* A line for people on what is measured and how; NULL when there is nothing to say. */
    void (*describe)(const struct fitness *f, char *text, size_t size);
    void (*destroy)(struct fitness *f);
};

struct fitness {
    const struct fitness_method *method;
    struct param_table space; /* the parameters that evolve, with the run's bits and ranges */
    int64_t train_size, held_out_size; /* what the measures are out of; 0: no held-out data */
    int threads;
    /* Set by the run: */
    const volatile sig_atomic_t *stop; /* not 0 when it should end; may be NULL */
    /* Told while a batch is measured that organism `index` of it and all before it are: in order,
     * each once, by any thread but by one at a time. False: give up. May be NULL, and a fitness
     * whose batches take no time need not call it. */
    bool (*measured)(void *context, int index, int64_t measure);
    void *context;
    char broken_path[1100]; /* where a game that must not be is left (match_broken.h) */
    /* Set by the fitness: why a measurement failed; empty when it was stopped. */
    struct error failed;
};

struct recipe;

/* The fitness that the recipe asks for, its data loaded. NULL with the reason. Destroy with
 * f->method->destroy(f). */
struct fitness *fitness_create(const struct recipe *recipe, int threads, struct error *err);

/* What the recipe's measures will be numbers of. */
enum measure_unit fitness_unit(const struct recipe *recipe);

/* The kinds of fitness that it chooses from. */
struct fitness *move_match_create(const struct recipe *recipe, int threads, struct error *err);
struct fitness *nodes_to_solution_create(const struct recipe *recipe, int threads,
                                         struct error *err);
struct fitness *coevolution_create(const struct recipe *recipe, int threads, struct error *err);

#endif
