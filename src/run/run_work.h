/* Inside a run: what a run in work and its replay share. Only the run's own files include this. */
#ifndef GRAYLING_RUN_WORK_H
#define GRAYLING_RUN_WORK_H

#include "run.h"

/* A run in work: the present generation, and everything that has been measured. */
struct run {
    struct fitness *fitness; /* borrowed, as the next three */
    const struct recipe *recipe;
    struct store *store;
    const struct run_observer *observer;
    struct genome genome;
    struct optimiser optimiser;
    struct fitness_cache cache;
    size_t stored;    /* genomes of the fitness cache that are in the store */
    size_t known;     /* genomes whose measure is known, of those in the fitness cache the first */
    double kept_at;   /* when the store last got some */
    bool cannot_keep; /* it refused them, for the reason in keep_error */
    struct error keep_error;
    int64_t *genomes;  /* of the present generation: each organism's id in the cache, */
    int64_t *measures; /* and its measure */
    int64_t *pending;  /* room for a population's ids, */
    int64_t *results;  /* their measures, */
    int32_t *values;   /* and their decoded genes */
    /* Where organisms play each other: */
    int32_t *seeds; /* the genes of those that generation 0 began with, */
    int seed_count;
    int32_t *champions;        /* the genes of the best of each generation so far */
    struct game_record *games; /* of the present generation, those in the store first */
    size_t game_count, games_stored, game_room;
};

/* Generation 0, not yet measured, and an empty cache. Release in any case. */
bool run_init(struct run *r, struct fitness *fitness, const struct recipe *recipe,
              struct store *store, const struct run_observer *observer, struct error *err);
void run_release(struct run *r);

bool run_must_stop(const struct run *r);

/* Whether its organisms play each other, so that a measure holds for its generation alone. */
bool run_competes(const struct run *r);

/* Whether the present population is that of its generation in the store, whose genomes and fitness
 * are read into `genomes` and `results`; the fitness cache has been read. */
bool run_match_population(struct run *r, struct error *err);

/* Takes the run from generation 0, which is not measured yet, to this one as the store has it,
 * measured. */
bool run_load_generation(struct run *r, int generation, struct error *err);

/* ---- measuring ---- */

/* Measures `count` genomes of the fitness cache into `results`; false when it was stopped. */
bool run_measure(struct run *r, const int64_t *ids, int count, int64_t *results);
/* NOT_MEASURED when there is nothing held out, or when it was stopped. */
int64_t run_measure_held_out(struct run *r, int64_t id);

/* Names the present generation's genomes and measures what is not known, into `measures`; what it
 * finds out is kept as it goes. */
enum run_end run_measure_generation(struct run *r, struct error *err);

/* The present generation's measures, from the cache. */
void run_recall_measures(struct run *r);

/* Plays the present generation's games, but for those in r->games; the new ones follow there.
 * The observer is told of each, and `keep` asked whether to go on; NULL where the games are only
 * compared, and then nobody is told. False when it was stopped. */
bool run_compete(struct run *r, bool (*keep)(struct run *r));

/* Commits what is known of a generation in work, if it has been a while. */
bool run_keep_now_and_then(struct run *r, struct error *err);
bool run_keep(struct run *r, struct error *err);

/* The games of the present generation that the store has, into r->games. */
bool run_load_games(struct run *r, struct error *err);

/* Takes note of the present generation's best organism, a champion to those after it. */
void run_note_best(struct run *r, int best);

/* Writes each organism's fitness from its measure. */
void run_score(struct run *r);
/* The row of the present generation, measured and scored; all but held-out, seconds and ended. */
struct generation_row run_describe(const struct run *r);

/* ---- the store of a run ---- */

/* The fitness of a stored run, on the data that it began with. */
struct fitness *run_load_fitness(struct store *s, const char *path, const struct recipe *recipe,
                                 int threads, struct error *err);

#endif
