/* The objective of a run: the interface between the optimisers and chess.
 *
 * A fitness is a state with a const table of functions (as in GSL). It maps a batch of organisms,
 * given by their decoded genes, to one integer each. objective_value.h describes the values: what
 * they count, which direction is better, how they are shown. The store, the fitness cache and the
 * reports hold values. `score` turns a value into the number for selection, which is >= 0 and
 * higher is better.
 *
 * The work is split into numbered jobs whose integer results are summed in order, so values do not
 * depend on threads. */
#ifndef GRAYLING_FITNESS_H
#define GRAYLING_FITNESS_H

#include "engine_fault.h"
#include "error.h"
#include "objective_value.h"
#include "param.h"

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

struct fitness;
struct competition_method;

enum { FAULT_FOLDER = 1100 };

/* Lets the caller follow and stop a measurement. All members may be 0. */
struct fitness_watcher {
    const volatile sig_atomic_t *stop; /* nonzero stops at the next opportunity; a signal handler
                                          may set it */
    /* Called for each organism of the batch as it finishes: in index order, once each, serialised,
     * from any thread. Returns false to stop. A fitness with short batches need not call it. */
    bool (*measured)(void *context, int index, int64_t value);
    /* Called as pieces of the measurement are done, `done` of `total` of them, of the kind that the
     * method's `work` names: very often, serialised, from any thread. The receiver limits how often
     * it acts. */
    void (*worked)(void *context, int64_t done, int64_t total);
    void *context;
    /* NULL, or room for the values of the held-out positions, whose sum measure_held_out returns: it
     * writes them, in an order that no organism changes. Games have none. */
    int64_t *outcomes;
};

struct fitness_method {
    const char *name; /* "move_match"; the key `fitness` of a stored run */
    const struct objective_value *value;
    const char *work; /* a piece of a measurement: "position", "search", "game" */
    /* Measures a generation as a whole (competition.h); NULL if each organism has a value of its own,
     * from measure_batch. Exactly one of the two is set. */
    const struct competition_method *competition;
    /* Writes values[count] >= 0 for `count` organisms of space.count genes each. False if the
     * watcher stopped it, or if it failed, with the reason in f->failed. */
    bool (*measure_batch)(struct fitness *f, const int32_t *genes, int count,
                          const struct fitness_watcher *watcher, int64_t *values);
    /* The value of one organism on held-out data; -1 if there is none or the measurement was
     * stopped. Does not call watcher->measured, and counts its work from 0. */
    int64_t (*measure_held_out)(struct fitness *f, const int32_t *genes,
                                const struct fitness_watcher *watcher);
    int64_t (*score)(const struct fitness *f, int64_t value);
    /* Writes a line that describes the measurement. NULL if there is nothing to describe. */
    void (*describe)(const struct fitness *f, char *text, size_t size);
    void (*destroy)(struct fitness *f);
};

/* Tells a watcher of work that is done. */
static inline void fitness_tell_worked(const struct fitness_watcher *watcher, int64_t done,
                                       int64_t total)
{
    if (watcher != NULL && watcher->worked != NULL)
        watcher->worked(watcher->context, done, total);
}

struct fitness {
    const struct fitness_method *method;
    struct param_table space; /* the parameters that evolve, with the run's bits and ranges */
    int64_t train_size, held_out_size; /* totals that values are out of; 0: no held-out data */
    int threads;
    bool approximate;    /* another engine measures, which may not repeat its searches exactly */
    struct error failed; /* why a measurement failed; empty if it was stopped */
    /* Of another engine: faults so far, and the folder for their reports, "" for none. The caller
     * sets both before the first measurement. */
    struct engine_faults faults;
    char fault_folder[FAULT_FOLDER];
};

#endif
