/* A run: the loop of evolution from a recipe to a finished store, and back again after a stop.
 *
 * A run is what its recipe and its data say, to the bit: with any number of threads, stopped and
 * resumed anywhere, the store holds the same organisms with the same fitness. */
#ifndef GRAYLING_RUN_H
#define GRAYLING_RUN_H

#include "fitness.h"
#include "recipe.h"
#include "store.h"

/* What the caller is told, and how it stops a run. Any of the functions may be NULL. */
struct run_observer {
    void *context;
    /* The data is loaded; `next` is the generation that will be measured first. */
    void (*begun)(void *context, const struct recipe *recipe, const struct fitness *fitness,
                  int next);
    /* A generation is stored (or, in a replay, compared); return false to stop after it. */
    bool (*generation)(void *context, const struct generation_row *row, int generations);
    /* Of the `total` new genomes of a generation in work, `done` are measured. Told only where that
     * takes its time, and perhaps by another thread, but by one at a time; never before begun. */
    void (*measured)(void *context, int generation, int done, int total);
    bool one_generation; /* stop after the next */
    /* Not 0: stop at the next chance, the generation in work abandoned. A signal may write it. */
    const volatile sig_atomic_t *stop;
};

/* RUN_REFUSED: the input is wrong, nothing was begun. RUN_FAILED: what was begun came to grief; the
 * store can be resumed. */
enum run_end { RUN_COMPLETE, RUN_STOPPED, RUN_REFUSED, RUN_FAILED };

/* Creates the store and runs it from generation 0. An existing file is left alone, unless `force`,
 * until the recipe's data has been loaded. */
enum run_end run_evolve(const struct recipe *recipe, const char *store_path, bool force,
                        int threads, const struct run_observer *observer, struct error *err);

/* Goes on after the last complete generation. Data whose checksum has changed is refused, and a
 * program that measures otherwise than the one that began the run. */
enum run_end run_resume(const char *store_path, int threads, const struct run_observer *observer,
                        struct error *err);

/* How much a replay has compared. */
struct run_verified {
    int generations;
    int64_t organisms; /* that followed from the generation before */
    int64_t measured;  /* genomes that were measured again */
    int64_t held_out;  /* and on held-out data */
};

/* Replays the run from its seed: every population must follow from the one before it, and every
 * measure must come out the same; with `sample` > 0, the measures of so many organisms of each
 * generation, its best among them. The reason of RUN_FAILED names generation and organism. */
enum run_end run_verify(const char *store_path, int sample, int threads,
                        const struct run_observer *observer, struct run_verified *verified,
                        struct error *err);

/* -- the parts, for fitness of other kinds and for tests */

/* A new store for this recipe and fitness, still without a generation; `seeds` are the recipe's
 * (seeds.h). */
bool run_create_store(const char *path, bool force, const struct recipe *recipe,
                      const char *recipe_text, const struct fitness *fitness,
                      const struct chromosome *seeds, struct error *err);

/* From wherever the store stands to the recipe's last generation. */
enum run_end run_loop(struct fitness *fitness, const struct recipe *recipe, struct store *store,
                      const struct run_observer *observer, struct error *err);

/* Replays what the store holds. */
enum run_end run_replay(struct fitness *fitness, const struct recipe *recipe, struct store *store,
                        int sample, const struct run_observer *observer,
                        struct run_verified *verified, struct error *err);

#endif
