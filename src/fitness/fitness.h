/* The objective of a run: the seam between the optimisers and chess.
 *
 * A fitness is a state with a const table of functions (as GSL's methods are). It maps a batch of
 * organisms, given by their decoded genes, to one integer each, and says what these values are:
 * what they count, which direction is better, how they are shown (objective_value.h). Values are
 * what is stored, kept in the fitness cache and reported; `score` turns a value into the number
 * that selection works on, >= 0, higher is better.
 *
 * Work is split into numbered pieces whose integer results are summed by number, so that no value
 * depends on threads. */
#ifndef GRAYLING_FITNESS_H
#define GRAYLING_FITNESS_H

#include "error.h"
#include "objective_value.h"
#include "param.h"

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

struct fitness;
struct competition_method;

/* How the caller of a measurement follows it and stops it. Any part may be 0. */
struct fitness_watcher {
    const volatile sig_atomic_t *stop; /* not 0: give up at the next chance; a signal may set it */
    /* Called as organism `index` of the batch is measured: in index order, each once, serialised,
     * from any thread. False: give up. A fitness whose batches take no time need not call it. */
    bool (*measured)(void *context, int index, int64_t value);
    void *context;
};

struct fitness_method {
    const char *name; /* "move_match"; the key `fitness` of a stored run */
    const struct objective_value *value;
    /* How a generation is measured whose organisms play each other (competition.h); NULL where
     * each has a value of its own, from measure_batch. Exactly one of the two is there. */
    const struct competition_method *competition;
    /* values[count] >= 0 of `count` organisms of space.count genes each. False when it gave up:
     * stopped by the watcher, or failed, with the reason in f->failed. */
    bool (*measure_batch)(struct fitness *f, const int32_t *genes, int count,
                          const struct fitness_watcher *watcher, int64_t *values);
    /* The value of one organism on held-out data; -1 when there is none, or when it gave up. Does
     * not call watcher->measured. */
    int64_t (*measure_held_out)(struct fitness *f, const int32_t *genes,
                                const struct fitness_watcher *watcher);
    int64_t (*score)(const struct fitness *f, int64_t value);
    /* A line for people on what is measured and how; NULL when there is nothing to say. */
    void (*describe)(const struct fitness *f, char *text, size_t size);
    void (*destroy)(struct fitness *f);
};

struct fitness {
    const struct fitness_method *method;
    struct param_table space; /* the parameters that evolve, with the run's bits and ranges */
    int64_t train_size, held_out_size; /* what the values are out of; 0: no held-out data */
    int threads;
    struct error failed; /* why a measurement failed; empty when it was stopped */
};

#endif
