/* Internal to a run: state and functions shared by a run and its replay. Only the run's own files include this:
 *
 *     run.c           runs by their paths: begun, resumed, verified
 *     run_store.c     what a store keeps when a run begins, compared when it goes on
 *     run_loop.c      the loop
 *     run_work.c      what a generation measures
 *     run_defaults.c  what the best organism is compared with
 *     run_verify.c    the replay */
#ifndef GRAYLING_RUN_WORK_H
#define GRAYLING_RUN_WORK_H

#include "run_state.h"

/* A run in progress: the current generation, and everything measured so far. */
struct run {
    struct fitness *fitness; /* borrowed, like the next three */
    const struct recipe *recipe;
    struct store *store;
    const struct run_observer *observer;
    struct genome genome;
    struct optimiser optimiser;
    struct fitness_cache cache;
    size_t stored;  /* genomes of the cache that are in the store */
    size_t known;   /* genomes of the cache with a known objective value; they come first */
    double kept_at; /* time of the last write to the store */
    double told_at; /* time of the last progress in the store, or of the generation's beginning */
    struct run_progress progress;
    bool holds_out;   /* what is measured is the held-out value of the best */
    bool tells;       /* the run has begun: progress is reported */
    bool cannot_keep; /* a write failed; keep_error has the reason */
    struct error keep_error;
    int64_t *genomes;  /* current generation: each organism's id in the cache */
    int64_t *measures; /* current generation: objective values */
    int64_t *pending;  /* scratch: ids of a population */
    int64_t *results;  /* scratch: their objective values */
    int32_t *values;   /* scratch: their decoded genes */
    /* Outcomes of held-out positions: of the genome measured last, and of the defaults once measured. */
    int64_t *outcomes, *default_outcomes;
    int64_t outcomes_of; /* the genome; NOT_MEASURED: none */
    /* Only if organisms play each other: */
    int32_t *seeds; /* genes of the initial population */
    int seed_count;
    int32_t *champions;        /* genes of the best of each generation so far */
    struct game_record *games; /* current generation; those in the store come first */
    size_t game_count, games_stored;
};

/* Starts at generation 0, not yet measured, with an empty cache. Call run_release even on failure. */
bool run_init(struct run *r, struct fitness *fitness, const struct recipe *recipe,
              struct store *store, const struct run_observer *observer, struct error *err);
void run_release(struct run *r);

bool run_must_stop(const struct run *r);

/* True if a generation is measured as a whole, so that an objective value holds for it only. */
bool run_competes(const struct run *r);

/* True if it is measured by games, which are stored. */
bool run_plays(const struct run *r);

/* Loads the stored genomes with their values into the fitness cache. */
bool run_load_genomes(struct run *r, struct error *err);

/* True if the population equals that in the store, read into `genomes` and `results`. Needs the loaded cache. */
bool run_match_population(struct run *r, struct error *err);

/* Moves the run from generation 0, not yet measured, to `generation` as stored and measured. */
bool run_load_generation(struct run *r, int generation, struct error *err);

/* ---- measuring ---- */

/* Measures `count` genomes of the cache into `results`. False if stopped or failed. */
bool run_measure(struct run *r, const int64_t *ids, int count, int64_t *results);
/* NOT_MEASURED if nothing is held out, or if stopped or failed. */
int64_t run_measure_held_out(struct run *r, int64_t id);
/* How a measurement ended that gave no value: RUN_FAILED with its reason, else RUN_STOPPED. */
enum run_end run_unmeasured(const struct run *r, struct error *err);
/* Same, and stores what is known of the generation. */
enum run_end run_end_unmeasured(struct run *r, struct error *err);

/* Finds each organism's genome, new ones in index order. Returns their number; -1 without memory. */
int run_find_genomes(struct run *r, struct error *err);

/* Finds the genomes, measures those without a value into `measures`, and stores results as it proceeds. */
enum run_end run_measure_generation(struct run *r, struct error *err);

/* Reads the current generation's objective values from the cache. */
void run_recall_measures(struct run *r);

/* Plays the games of the current generation that are not in r->games, and appends them there: tells of each and
 * keeps it; or all, or one, to be compared. False if stopped. */
enum run_play { PLAY_KEEPING, PLAY_ALL, PLAY_ONE };
bool run_compete(struct run *r, enum run_play play);

/* Commits the results of the current generation, if the last commit is some time ago. */
bool run_keep_now_and_then(struct run *r, struct error *err);

/* Loads the stored games of the current generation into r->games. */
bool run_load_games(struct run *r, struct error *err);

/* Records the best organism as a champion, if organisms play each other. Fails if memory is short. */
bool run_note_best(struct run *r, int best, struct error *err);

/* Computes fitness from objective values. False if one from the store is none that a measurement gives. */
bool run_score(struct run *r, struct error *err);
/* The row of the current generation, measured and scored, without held_out, seconds and ended. */
struct generation_row run_describe(const struct run *r);

/* Puts the faults of another engine, if any, within a transaction, as "2 crashes, 1 hang" in the property
 * `faults`. Reports are in STORE.faults (engine_fault.h). */
bool run_faults_put(struct store *s, const struct fitness *f, struct error *err);

/* ---- what the best organism is compared with (run_defaults.c)
 *
 * Of another engine the defaults of its space, of our own parameters the values that our engine plays with by
 * itself. A run measures them once, after generation 0 or when it is resumed, and keeps them with what the
 * comparison shows (run_summary.h): on held-out positions, since the others have chosen the best. They are no
 * organism unless the population has them.
 *
 * Runs whose organisms play each other have none: games against their start tell what they gained. */

/* The defaults, and the fitness that measures them: the run's, or one for another kind of values. */
struct run_rival {
    struct fitness *fitness;
    int32_t *values; /* owned */
    bool apart;      /* the fitness is owned */
};

/* Opens the rival of a recipe's fitness; `own` may be NULL. False with the reason: close it too. */
bool run_rival_open(struct run_rival *rival, struct fitness *fitness, const struct recipe *recipe,
                    run_own_values *own, struct error *err);
void run_rival_close(struct run_rival *rival);

/* Prepares a run for the comparison, before anything is measured. */
bool run_defaults_begin(struct run *r, struct error *err);

/* Measures and keeps the defaults, and compares them with the best organism so far, if not done. */
enum run_end run_defaults_compare(struct run *r, struct error *err);

/* ---- the store of a run ---- */

/* Creates a store without a generation. `seeds` is the recipe's initial population (values.h), with the seed
 * that is fitted, if one is; NULL for none. */
bool run_create_store(const char *path, bool force, const struct recipe *recipe,
                      const char *recipe_text, const struct fitness *fitness, const uint64_t *seeds,
                      struct error *err);

/* Creates the fitness of a stored run. Refuses data, genes or an engine that differ from those kept. */
struct fitness *run_load_fitness(struct store *s, const char *path, const struct recipe *recipe,
                                 int threads, struct error *err);

/* Stores the recipe with its number of generations. */
bool run_put_generations(struct store *s, const char *path, const struct recipe *recipe,
                         struct error *err);

/* ---- with a fitness of any kind ---- */

/* Runs from the store's last generation to the recipe's last; with `check` only looks whether that would be
 * refused, and writes nothing. `longer` is the path of a run whose recipe has more generations than its store,
 * which are stored once nothing refuses the run; else NULL. */
enum run_end run_loop(struct fitness *fitness, const struct recipe *recipe, struct store *store,
                      bool check, const char *longer, const struct run_observer *observer,
                      struct error *err);

/* Replays the generations in the store. */
enum run_end run_replay(struct fitness *fitness, const struct recipe *recipe, struct store *store,
                        int sample, const struct run_observer *observer,
                        struct run_verified *verified, struct error *err);

#endif
