/* What a run measures: the seam between the genetic algorithm and chess.
 *
 * A fitness is a value with a const table of functions (as GSL's methods are). The run hands over
 * the decoded genes of organisms that have not been measured yet; the fitness returns one integer
 * for each, its `measure` (moves matched; later: nodes to solution, points scored), which is what
 * is stored, memoised and shown. `score` turns a measure into the GA's fitness, >= 0, higher is
 * better. Work is split into numbered pieces whose integer results are summed by number, so that no
 * result depends on threads. */
#ifndef GRAYLING_FITNESS_H
#define GRAYLING_FITNESS_H

#include "error.h"
#include "param.h"

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fitness;

struct fitness_method {
    const char *name;    /* "move_match" */
    const char *measure; /* "moves matched": the axis label */
    /* measures[count] >= 0 of `count` organisms of table->count values each; false when it gave up
     * because *f->stop was set. */
    bool (*measure_batch)(struct fitness *f, const int32_t *values, int count, int64_t *measures);
    /* The same on held-out data for one organism; -1 when there is none. */
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
    int batch; /* organisms handed over at once; what they cost is kept before the next. 0: all */
    const volatile sig_atomic_t *stop; /* set by the run: not 0 when it should end; may be NULL */
};

struct recipe;

/* The fitness that the recipe asks for, its data loaded. NULL with the reason. Destroy with
 * f->method->destroy(f). */
struct fitness *fitness_create(const struct recipe *recipe, int threads, struct error *err);

/* The kinds of fitness that it chooses from. */
struct fitness *move_match_create(const struct recipe *recipe, int threads, struct error *err);

#endif
