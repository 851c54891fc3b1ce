/* A run: the loop of evolution from a recipe to a finished store, and back again after a stop. */
#ifndef GRAYLING_RUN_H
#define GRAYLING_RUN_H

#include "fitness.h"
#include "recipe.h"
#include "store.h"

/* What the caller is told after each generation, and is asked: return false to stop cleanly. */
struct run_observer {
    void *context;
    bool (*generation)(void *context, const struct generation_row *row, int generations);
};

enum run_end { RUN_COMPLETE, RUN_STOPPED, RUN_FAILED };

/* Creates the store and runs it from generation 0. `recipe_path` is for messages. */
enum run_end run_evolve(const struct recipe *recipe, const char *store_path, bool force,
                        int threads, const struct run_observer *observer, struct error *err);

/* Goes on after the last complete generation. Data whose checksum has changed is refused. */
enum run_end run_resume(const char *store_path, int threads, const struct run_observer *observer,
                        struct error *err);

/* What a run was and has reached; read while it runs or after. */
struct run_summary {
    struct recipe recipe;
    int generation; /* last complete, -1 none */
    bool complete;
    struct generation_row *rows; /* owned: generation + 1 of them */
    int64_t train_size, held_out_size;
    int32_t best[64];         /* decoded values of the last generation's best */
    struct param_table space; /* owned: names and ranges */
};

bool run_summary_read(const char *store_path, struct run_summary *summary, struct error *err);
void run_summary_free(struct run_summary *summary);

/* Replays the run from its seed: every population must follow from the one before it, and every
 * measure must come out the same, on `sample` organisms a generation (0: all). The reason of a
 * failure names generation and organism. */
bool run_verify(const char *store_path, int sample, int threads,
                const struct run_observer *observer, struct error *err);

#endif
