/* The objective of a run: the interface between the optimisers and chess.
 *
 * A fitness is a state with a const table of functions (as in GSL). It maps a batch of organisms, given by their
 * decoded genes, to one integer each, which objective_value.h describes. The store, the fitness cache and the reports
 * hold these values. `score` turns one into the number for selection, which is >= 0 and higher is better.
 *
 * The work is split into numbered jobs whose integer results are summed in order, so threads do not change values. */
#ifndef GRAYLING_FITNESS_H
#define GRAYLING_FITNESS_H

#include "engine_fault.h"
#include "error.h"
#include "game_record.h"
#include "objective_value.h"
#include "param.h"

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

struct fitness;
struct ranks_builder; /* ranks.h */
struct recipe;        /* recipe.h */

enum { FAULT_PATH = 1100 };

/* Lets the caller follow and stop a measurement. All members may be 0. */
struct fitness_watcher {
    const volatile sig_atomic_t *stop; /* nonzero, as a signal handler may set it, soon stops */
    /* Called for each organism of the batch as it finishes: in index order, once each, serialised,
     * from any thread. Returns false to stop. A fitness with short batches need not call it. */
    bool (*measured)(void *context, int index, int64_t value);
    /* Called as pieces of the measurement are done, of the kind that the method's `work` names:
     * very often, serialised, from any thread. */
    void (*worked)(void *context, int64_t done, int64_t total);
    void *context;
    /* NULL, or room for the values of the held-out positions, whose sum measure_held_out returns. */
    int64_t *outcomes;
};

/* A generation to measure as a whole. Games are numbered. The caller stores each game as it ends, and passes in
 * the games it already has, so that resuming does not play them again. */
struct competition {
    int generation;
    const int32_t *organisms; /* `count` of them */
    int count;
    const int32_t *champions; /* best organism of each earlier generation, from 0 on */
    const int32_t *seeds;     /* initial population */
    int seed_count;
    /* Games of this generation that are already played, by number. */
    const struct game_record *known;
    size_t known_count;
    const volatile sig_atomic_t *stop; /* nonzero stops the games; may be NULL */
    /* Called as each new game ends, whose text is lent: in the order of numbers, serialised, from any thread. `total`
     * is the number of games scheduled so far, known ones included. Returns false to stop. */
    bool (*played)(void *context, const struct game_record *game, int total);
    void *context;
};

struct fitness_method {
    const char *name; /* "move_match"; the key `fitness` of a stored run */
    const struct objective_value *value;
    const char *work; /* a piece of a measurement: "position", "search", "game" */
    /* Writes values[count] >= 0 for `count` organisms of space.count genes each. False if the
     * watcher stopped it, or if it failed, with the reason in f->failed. NULL: `compete` is set. */
    bool (*measure_batch)(struct fitness *f, const int32_t *genes, int count,
                          const struct fitness_watcher *watcher, int64_t *values);
    /* The same of a generation, whose values rank an organism within it only: organisms play each
     * other, or are measured on another batch of positions each time. */
    bool (*compete)(struct fitness *f, const struct competition *c, int64_t *values);
    bool plays; /* by games, which are stored */
    /* The value of one organism on held-out data; -1: there is none, or it was stopped. */
    int64_t (*measure_held_out)(struct fitness *f, const int32_t *genes,
                                const struct fitness_watcher *watcher);
    /* Fits genes[space.count] to the training positions by Adam (regression.h). False, with the reason in f->failed, or
     * without one if `stop` stopped it. NULL: it cannot. */
    bool (*fit)(struct fitness *f, int steps, const volatile sig_atomic_t *stop, int32_t *genes);
    int64_t (*score)(const struct fitness *f, int64_t value);
    /* Writes a line that describes the measurement. NULL if there is nothing to describe. */
    void (*describe)(const struct fitness *f, char *text, size_t size);
    void (*destroy)(struct fitness *f);
};

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
    struct engine_faults faults; /* of another engine, so far */
    /* The folder for reports of faults, and the file for that of a broken game (match_broken.h): one with
     * an illegal or missing move of ours, which ends the measurement. "": no reports. The caller sets faults
     * and paths before the first measurement. */
    char fault_folder[FAULT_PATH], broken_path[FAULT_PATH];
};

/* ---- the kinds ---- */

/* Creates the recipe's fitness, of values as objective_value_of(recipe) has them, and loads its data. NULL with the
 * reason. Destroy it with f->method->destroy(f). */
struct fitness *fitness_create(const struct recipe *recipe, int threads, struct error *err);

/* Builds the lists of a fitness on another rank (ranks.h). */
extern const struct ranks_builder fitness_builder;

/* Creates one kind, on this rank. Moves matched (phase 1), a mentor's scores, results of games: */
struct fitness *position_fitness_create(const struct recipe *recipe, int threads,
                                        struct error *err);
/* Phase 2: points in games among organisms. */
struct fitness *coevolution_create(const struct recipe *recipe, int threads, struct error *err);
/* Phase 3: nodes to solution, or their logarithms. */
struct fitness *nodes_to_solution_create(const struct recipe *recipe, int threads,
                                         struct error *err);

#endif
