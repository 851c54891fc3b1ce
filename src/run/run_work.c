#include "run_work.h"

#include "array.h"
#include "clock.h"
#include "paths.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* How often the results of an unfinished generation are stored. */
#define KEEP_SECONDS 0.25

/* How often the store is told how far a generation is. Shorter generations tell nothing. */
#define TELL_SECONDS 1.0

bool run_must_stop(const struct run *r)
{
    return r->observer->stop != NULL && *r->observer->stop != 0;
}

bool run_competes(const struct run *r)
{
    return r->fitness->method->measure_batch == NULL;
}

bool run_plays(const struct run *r)
{
    return r->fitness->method->plays;
}

/* ---- life cycle ---- */

void run_release(struct run *r)
{
    optimiser_destroy(&r->optimiser);
    fitness_cache_free(&r->cache);
    free(r->genomes);
    free(r->measures);
    free(r->pending);
    free(r->results);
    free(r->values);
    free(r->seeds);
    free(r->champions);
    for (size_t i = r->games_stored; i < r->game_count; i++)
        free(r->games[i].text);
    free(r->games);
    free(r->outcomes);
    free(r->default_outcomes);
}

enum { RUN_SEEDS = RECIPE_FILES + 1 }; /* one is fitted */

/* Puts the store's initial population into generation 0, and decodes it for organisms that play it. */
static bool load_seeds(struct run *r, struct error *err)
{
    const size_t genes = (size_t)r->genome.count;
    uint64_t *seeds = malloc(genome_bytes(&r->genome, RUN_SEEDS));
    int count = 0;
    r->seeds = calloc(RUN_SEEDS * genes + 1, sizeof *r->seeds);
    bool loaded =
        ((seeds != NULL && r->seeds != NULL) || error_set(err, "no memory for seeds")) &&
        store_get_seeds(r->store, seeds, r->genome.words, RUN_SEEDS, &count, err) &&
        (count <= r->optimiser.population ||
         error_set(err, "%d seeds for a population of %d", count, r->optimiser.population));
    if (loaded)
        optimiser_seed(&r->optimiser, seeds, count);
    r->seed_count = loaded ? count : 0;
    for (int i = 0; i < r->seed_count; i++)
        genome_decode(&r->genome, genome_row(&r->genome, seeds, i), r->seeds + (size_t)i * genes);
    free(seeds);
    return loaded;
}

bool run_init(struct run *r, struct fitness *fitness, const struct recipe *recipe,
              struct store *store, const struct run_observer *observer, struct error *err)
{
    *r = (struct run){.fitness = fitness, .recipe = recipe, .store = store, .observer = observer};
    if (!genome_init(&r->genome, &fitness->space, err) ||
        !optimiser_create(&r->optimiser, &r->genome, &recipe->optimiser, recipe->seed, err) ||
        !load_seeds(r, err))
        return false;
    r->optimiser.relative = !fitness->method->value->across_generations;
    r->optimiser.mates = recipe->mates != 0;
    r->cache.words = r->genome.words;
    size_t population = (size_t)recipe->optimiser.population;
    r->genomes = calloc(population, sizeof *r->genomes);
    r->measures = calloc(population, sizeof *r->measures);
    r->pending = calloc(population, sizeof *r->pending);
    r->results = calloc(population, sizeof *r->results);
    r->values = calloc(population * (size_t)r->genome.count, sizeof *r->values);
    if (r->genomes == NULL || r->measures == NULL || r->pending == NULL || r->results == NULL ||
        r->values == NULL)
        return error_set(err, "no memory for a population of %zu", population);
    return true;
}

static void decode(const struct run *r, int64_t id, int32_t *values)
{
    genome_decode(&r->genome, fitness_cache_chromosome(&r->cache, (size_t)id), values);
}

bool run_note_best(struct run *r, int best, struct error *err)
{
    const size_t genes = (size_t)r->genome.count, before = (size_t)r->optimiser.generation;
    if (!run_plays(r))
        return true;
    int32_t *moved = realloc(r->champions, (before + 1) * genes * sizeof *moved);
    if (moved == NULL)
        return error_set(err, "no memory for the champions of %zu generations", before + 1);
    r->champions = moved;
    decode(r, r->genomes[best], moved + before * genes);
    return true;
}

bool run_load_genomes(struct run *r, struct error *err)
{
    if (!store_get_genomes(r->store, &r->cache, err))
        return false;
    for (size_t id = 0; id < r->cache.count; id++) {
        const struct measured *m = &r->cache.entries[id];
        if (m->measure < 0 || m->held_out < NOT_MEASURED)
            return error_set(err,
                             "%s is damaged (genome %zu: the value %" PRId64
                             " is negative); go back to a copy",
                             store_file(r->store), id, m->measure < 0 ? m->measure : m->held_out);
    }
    r->stored = r->known = r->cache.count;
    return true;
}

bool run_match_population(struct run *r, struct error *err)
{
    int generation = r->optimiser.generation, population = r->optimiser.population;
    if (!store_get_organisms(r->store, generation, r->results, r->genomes, population, err))
        return false;
    for (int i = 0; i < population; i++) {
        int64_t id = r->genomes[i];
        if (r->results[i] < 0)
            return error_set(err,
                             "generation %d, organism %d: its fitness %" PRId64
                             " is negative; go back to a copy",
                             generation, i, r->results[i]);
        if (id < 0 || (size_t)id >= r->cache.count)
            return error_set(
                err, "generation %d, organism %d: its genome %" PRId64 " is not in the store",
                generation, i, id);
        if (!chromosome_equal(r->optimiser.organisms[i].chromosome,
                              fitness_cache_chromosome(&r->cache, (size_t)id), r->genome.words))
            return error_set(err,
                             "generation %d, organism %d: the stored chromosome does not "
                             "follow from the generation before",
                             generation, i);
    }
    return true;
}

/* Steps the optimiser through every generation again, with the stored fitness. */
bool run_load_generation(struct run *r, int generation, struct error *err)
{
    for (int g = 0; g <= generation; g++) {
        if (g > 0)
            optimiser_step(&r->optimiser);
        if (!run_match_population(r, err))
            return false;
        for (int i = 0; i < r->optimiser.population; i++)
            r->optimiser.organisms[i].fitness = r->results[i];
        if (!run_note_best(r, optimiser_statistics(&r->optimiser).best, err))
            return false;
    }
    return true;
}

/* ---- storing ---- */

/* True if the store is to be told how far the generation is. */
static bool must_tell(const struct run *r)
{
    return r->tells && r->progress.total > 0 && clock_seconds() - r->told_at >= TELL_SECONDS;
}

/* Commits the results of the current generation that are not in the store yet. */
static bool keep_results(struct run *r, struct error *err)
{
    r->kept_at = clock_seconds();
    if (r->known == r->stored && r->game_count == r->games_stored && !must_tell(r))
        return true;
    bool kept = store_begin(r->store, err) &&
                store_put_genomes(r->store, &r->cache, r->stored, r->known, err);
    for (size_t i = r->games_stored; kept && i < r->game_count; i++)
        kept = store_put_game(r->store, r->optimiser.generation, &r->games[i], err);
    if (kept && must_tell(r)) {
        r->told_at = clock_seconds();
        kept = run_progress_put(r->store, &r->progress, err);
    }
    if (!kept || !run_faults_put(r->store, r->fitness, err) || !store_commit(r->store, err))
        return false;
    r->stored = r->known;
    for (; r->games_stored < r->game_count; r->games_stored++) {
        free(r->games[r->games_stored].text);
        r->games[r->games_stored].text = NULL;
    }
    return true;
}

bool run_keep_now_and_then(struct run *r, struct error *err)
{
    return clock_seconds() - r->kept_at < KEEP_SECONDS || keep_results(r, err);
}

/* run_keep_now_and_then for callbacks, whose first failure is kept. */
static bool keep_in_callback(struct run *r)
{
    r->cannot_keep = r->cannot_keep || !run_keep_now_and_then(r, &r->keep_error);
    return !r->cannot_keep;
}

enum run_end run_unmeasured(const struct run *r, struct error *err)
{
    const struct error *reason = r->cannot_keep ? &r->keep_error : &r->fitness->failed;
    if (reason->text[0] == '\0')
        return RUN_STOPPED;
    error_set(err, "%s", reason->text);
    return RUN_FAILED;
}

enum run_end run_end_unmeasured(struct run *r, struct error *err)
{
    enum run_end end = run_unmeasured(r, err);
    const bool kept = r->cannot_keep || keep_results(r, end == RUN_FAILED ? NULL : err);
    return kept ? end : RUN_FAILED;
}

/* Reports how far the current generation is, to the observer and now and then to the store. */
static void tell_progress(void *context, int64_t done, int64_t total)
{
    struct run *r = context;
    r->progress = (struct run_progress){.generation = r->optimiser.generation,
                                        .held_out = r->holds_out,
                                        .unit = r->fitness->method->work,
                                        .done = done,
                                        .total = total};
    if (r->tells && r->observer->progress != NULL)
        r->observer->progress(r->observer->context, &r->progress);
    if (must_tell(r))
        keep_in_callback(r);
}

/* ---- measuring organisms one by one ---- */

void run_recall_measures(struct run *r)
{
    for (int i = 0; i < r->optimiser.population; i++)
        r->measures[i] = r->cache.entries[r->genomes[i]].measure;
}

/* Measures genomes of the cache; the watcher follows. */
static bool measure_watched(struct run *r, const int64_t *ids, int count,
                            const struct fitness_watcher *watcher, int64_t *results)
{
    for (int i = 0; i < count; i++)
        decode(r, ids[i], r->values + (size_t)i * (size_t)r->genome.count);
    return r->fitness->method->measure_batch(r->fitness, r->values, count, watcher, results);
}

bool run_measure(struct run *r, const int64_t *ids, int count, int64_t *results)
{
    const struct fitness_watcher watcher = {.stop = r->observer->stop};
    return measure_watched(r, ids, count, &watcher, results);
}

int64_t run_measure_held_out(struct run *r, int64_t id)
{
    const struct fitness_watcher watcher = {
        .stop = r->observer->stop, .worked = tell_progress, .context = r, .outcomes = r->outcomes};
    decode(r, id, r->values);
    r->outcomes_of = NOT_MEASURED;
    r->holds_out = true;
    const int64_t value = r->fitness->method->measure_held_out(r->fitness, r->values, &watcher);
    r->holds_out = false;
    if (value != NOT_MEASURED)
        r->outcomes_of = id;
    return value;
}

int run_find_genomes(struct run *r, struct error *err)
{
    int fresh = 0;
    for (int i = 0; i < r->optimiser.population; i++) {
        const uint64_t *c = r->optimiser.organisms[i].chromosome;
        r->genomes[i] = fitness_cache_find(&r->cache, c);
        if (r->genomes[i] != NOT_MEASURED)
            continue;
        r->genomes[i] = fitness_cache_add(&r->cache, c, NOT_MEASURED, NOT_MEASURED);
        if (r->genomes[i] == NOT_MEASURED) {
            error_set(err, "no memory for another genome");
            return -1;
        }
        r->pending[fresh++] = r->genomes[i];
    }
    return fresh;
}

/* Stores the objective value of the next pending genome in the cache. */
static bool add_measure(void *context, int index, int64_t result)
{
    struct run *r = context;
    assert(result >= 0);
    r->cache.entries[r->pending[index]].measure = result;
    r->known = (size_t)r->pending[index] + 1;
    return keep_in_callback(r);
}

/* Measures the `count` pending genomes, the last ones of the cache. */
static enum run_end measure_pending(struct run *r, int count, struct error *err)
{
    r->known = r->cache.count - (size_t)count;
    if (count > 0) {
        const struct fitness_watcher watcher = {.stop = r->observer->stop,
                                                .measured = add_measure,
                                                .worked = tell_progress,
                                                .context = r};
        bool done = measure_watched(r, r->pending, count, &watcher, r->results);
        if (!done || r->cannot_keep)
            return run_end_unmeasured(r, err);
    }
    for (int i = 0; i < count; i++)
        r->cache.entries[r->pending[i]].measure = r->results[i];
    r->known = r->cache.count;
    run_recall_measures(r);
    return RUN_COMPLETE;
}

/* ---- measuring organisms against each other ---- */

/* Context of the callbacks of run_compete. */
struct compete_context {
    struct run *run;
    enum run_play play;
};

static bool add_game(void *context, const struct game_record *game, int total)
{
    const struct compete_context *a = context;
    struct run *r = a->run;
    if (!array_grow(r->games, r->game_count)) {
        r->cannot_keep = true;
        return error_set(&r->keep_error, "no memory for another game");
    }
    struct game_record *added = &r->games[r->game_count++];
    *added = *game;
    added->text = NULL;
    if (a->play != PLAY_KEEPING)
        return a->play == PLAY_ALL;
    if (game->text != NULL && (added->text = strdup(game->text)) == NULL) {
        r->cannot_keep = true;
        return error_set(&r->keep_error, "no memory for the text of a game");
    }
    tell_progress(r, (int64_t)r->game_count, total);
    return keep_in_callback(r);
}

bool run_compete(struct run *r, enum run_play play)
{
    int population = r->optimiser.population;
    for (int i = 0; i < population; i++)
        decode(r, r->genomes[i], r->values + (size_t)i * (size_t)r->genome.count);
    struct compete_context context = {.run = r, .play = play};
    size_t known = r->game_count;
    struct game_record *before =
        malloc((known + 1) * sizeof *before); /* copied, because r->games may move as it grows */
    if (before == NULL) {
        r->cannot_keep = true;
        return error_set(&r->keep_error, "no memory for %zu games", known);
    }
    if (known > 0)
        memcpy(before, r->games, known * sizeof *before);
    const struct competition c = {
        .generation = r->optimiser.generation,
        .organisms = r->values,
        .count = population,
        .champions = r->champions,
        .seeds = r->seeds,
        .seed_count = r->seed_count,
        .known = before,
        .known_count = known,
        .stop = r->observer->stop,
        .played = add_game,
        .context = &context,
    };
    bool done = r->fitness->method->compete(r->fitness, &c, r->measures);
    free(before);
    return done && !r->cannot_keep;
}

bool run_load_games(struct run *r, struct error *err)
{
    free(r->games);
    r->games = NULL;
    bool loaded =
        store_get_games(r->store, r->optimiser.generation, &r->games, &r->game_count, err);
    r->games_stored = r->game_count;
    return loaded;
}

/* Plays the games of the current generation that are not in the store. */
static enum run_end compete(struct run *r, struct error *err)
{
    r->known = r->stored;
    if (!run_load_games(r, err))
        return RUN_FAILED;
    if (!run_compete(r, PLAY_KEEPING))
        return run_end_unmeasured(r, err);
    for (int i = 0; i < r->optimiser.population; i++) {
        struct measured *m = &r->cache.entries[r->genomes[i]];
        if (m->measure == NOT_MEASURED)
            m->measure = r->measures[i];
    }
    return keep_results(r, err) ? RUN_COMPLETE : RUN_FAILED;
}

/* ---- a generation ---- */

enum run_end run_measure_generation(struct run *r, struct error *err)
{
    int fresh = run_find_genomes(r, err);
    if (fresh < 0)
        return RUN_FAILED;
    r->kept_at = r->told_at = clock_seconds();
    return run_competes(r) ? compete(r, err) : measure_pending(r, fresh, err);
}

bool run_score(struct run *r, struct error *err)
{
    for (int i = 0; i < r->optimiser.population; i++) {
        int64_t fitness = r->fitness->method->score(r->fitness, r->measures[i]);
        r->optimiser.organisms[i].fitness = fitness;
        if (fitness < 0)
            return error_set(err,
                             "generation %d, organism %d: no measurement gives its value %" PRId64
                             "; go back to a copy of %s",
                             r->optimiser.generation, i, r->measures[i], store_file(r->store));
    }
    return true;
}

struct generation_row run_describe(const struct run *r)
{
    struct population_stats stats = optimiser_statistics(&r->optimiser);
    int population = r->optimiser.population;
    double mean = 0, squares = 0;
    for (int i = 0; i < population; i++)
        mean += (double)r->measures[i];
    mean /= population;
    for (int i = 0; i < population; i++) {
        double d = (double)r->measures[i] - mean;
        squares += d * d;
    }
    return (struct generation_row){
        .generation = r->optimiser.generation,
        .best = stats.best,
        .measure = r->measures[stats.best],
        .held_out = NOT_MEASURED,
        .mean = mean,
        .deviation = sqrt(squares / population),
        .diversity = stats.diversity,
    };
}

/* ---- faults of another engine ---- */

bool run_faults_put(struct store *s, const struct fitness *f, struct error *err)
{
    char text[ENGINE_FAULTS_TEXT];
    return engine_faults_total(&f->faults) == 0 ||
           store_put(s, "faults", engine_faults_text(&f->faults, text), err);
}
