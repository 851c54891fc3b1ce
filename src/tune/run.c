#include "run.h"

#include "checksum.h"
#include "paths.h"
#include "seeds.h"
#include "stream.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* What a generation in work has measured is kept so often. */
#define KEEP_SECONDS 0.25

/* A run in work: the present generation, and everything that has been measured. */
struct run {
    struct fitness *fitness; /* borrowed, as the next three */
    const struct recipe *recipe;
    struct store *store;
    const struct run_observer *observer;
    struct genome genome;
    struct evolution evolution;
    struct memo memo;
    size_t stored;    /* genomes of the memo that are in the store */
    size_t known;     /* genomes whose measure is known, of those in the memo the first */
    double kept_at;   /* when the store last got some */
    bool cannot_keep; /* it refused them, for the reason in keep_error */
    struct error keep_error;
    int64_t *genomes; /* of the present generation: each organism's id in the memo */
    int64_t *pending; /* room for a population's ids, */
    int64_t *results; /* their measures, */
    int32_t *values;  /* and their decoded genes */
};

static double now_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static bool asked_to_stop(const struct run *r)
{
    return r->observer->stop != NULL && *r->observer->stop != 0;
}

/* ---- life cycle ---- */

static void run_release(struct run *r)
{
    evolution_destroy(&r->evolution);
    memo_free(&r->memo);
    free(r->genomes);
    free(r->pending);
    free(r->results);
    free(r->values);
}

/* Generation 0, not yet measured, and an empty memo. */
static bool run_init(struct run *r, struct fitness *fitness, const struct recipe *recipe,
                     struct store *store, const struct run_observer *observer, struct error *err)
{
    *r = (struct run){.fitness = fitness, .recipe = recipe, .store = store, .observer = observer};
    fitness->stop = observer->stop;
    if (!genome_init(&r->genome, &fitness->space, err) ||
        !evolution_create(&r->evolution, &r->genome, &recipe->ga, recipe->seed, err) ||
        !store_get_seeds(store, r->evolution.organisms, recipe->ga.population, err))
        return false;
    size_t population = (size_t)recipe->ga.population;
    r->genomes = calloc(population, sizeof *r->genomes);
    r->pending = calloc(population, sizeof *r->pending);
    r->results = calloc(population, sizeof *r->results);
    r->values = calloc(population * (size_t)r->genome.count, sizeof *r->values);
    if (r->genomes == NULL || r->pending == NULL || r->results == NULL || r->values == NULL)
        return error_set(err, "no memory for a population of %zu", population);
    return true;
}

/* ---- measuring ---- */

/* Measures `count` genomes of the memo into `results`; false when it was stopped. */
static bool measure(struct run *r, const int64_t *ids, int count, int64_t *results)
{
    for (int i = 0; i < count; i++)
        genome_decode(&r->genome, &r->memo.entries[ids[i]].chromosome,
                      r->values + (size_t)i * (size_t)r->genome.count);
    return r->fitness->method->measure_batch(r->fitness, r->values, count, results);
}

/* NOT_MEASURED when there is nothing held out, or when it was stopped. */
static int64_t measure_held_out(struct run *r, int64_t id)
{
    genome_decode(&r->genome, &r->memo.entries[id].chromosome, r->values);
    return r->fitness->method->measure_held_out(r->fitness, r->values);
}

/* Finds each organism's genome in the memo; a genome seen for the first time gets the next id, in
 * index order, and its measure later. Returns how many are new. */
static int name_genomes(struct run *r, struct error *err)
{
    int fresh = 0;
    for (int i = 0; i < r->recipe->ga.population; i++) {
        const struct chromosome *c = &r->evolution.organisms[i].chromosome;
        r->genomes[i] = memo_find(&r->memo, c);
        if (r->genomes[i] != NOT_MEASURED)
            continue;
        r->genomes[i] = memo_add(&r->memo, c, NOT_MEASURED, NOT_MEASURED);
        if (r->genomes[i] == NOT_MEASURED) {
            error_set(err, "no memory for another genome");
            return -1;
        }
        r->pending[fresh++] = r->genomes[i];
    }
    return fresh;
}

/* Commits the measures that are known of a generation in work. */
static bool keep_measures(struct run *r, struct error *err)
{
    r->kept_at = now_seconds();
    if (r->known == r->stored)
        return true;
    if (!store_begin(r->store, err) ||
        !store_put_genomes(r->store, &r->memo, r->stored, r->known, r->genome.words, err) ||
        !store_commit(r->store, err))
        return false;
    r->stored = r->known;
    return true;
}

/* The same when some time has passed, so that a slow generation is kept as it goes, and a fast one
 * as a whole. */
static bool keep_now_and_then(struct run *r, struct error *err)
{
    return now_seconds() - r->kept_at < KEEP_SECONDS || keep_measures(r, err);
}

/* Takes in what the next of the pending genomes measured. */
static bool take_measure(void *context, int index, int64_t result)
{
    struct run *r = context;
    assert(result >= 0);
    r->memo.entries[r->pending[index]].measure = result;
    r->known = (size_t)r->pending[index] + 1;
    if (r->observer->measured != NULL)
        r->observer->measured(r->observer->context, r->evolution.generation, index + 1,
                              (int)(r->memo.count - (size_t)r->pending[0]));
    r->cannot_keep = !keep_now_and_then(r, &r->keep_error);
    return !r->cannot_keep;
}

/* Measures the `count` pending genomes, which are the last of the memo. What is known when it is
 * stopped is kept. */
static enum run_end measure_pending(struct run *r, int count, struct error *err)
{
    r->known = r->memo.count - (size_t)count;
    r->kept_at = now_seconds();
    if (count == 0)
        return RUN_COMPLETE;
    r->fitness->measured = take_measure;
    r->fitness->context = r;
    bool done = measure(r, r->pending, count, r->results);
    r->fitness->measured = NULL;
    if (r->cannot_keep) {
        *err = r->keep_error;
        return RUN_FAILED;
    }
    if (!done)
        return keep_measures(r, err) ? RUN_STOPPED : RUN_FAILED;
    for (int i = 0; i < count; i++)
        r->memo.entries[r->pending[i]].measure = r->results[i];
    r->known = r->memo.count;
    return RUN_COMPLETE;
}

/* Writes each organism's fitness from its genome's measure. */
static void score_population(struct run *r)
{
    for (int i = 0; i < r->recipe->ga.population; i++) {
        int64_t result = r->memo.entries[r->genomes[i]].measure;
        r->evolution.organisms[i].fitness = r->fitness->method->score(r->fitness, result);
    }
}

/* The row of the present generation, measured and scored; all but held-out, seconds and ended. */
static struct generation_row describe_generation(const struct run *r)
{
    struct evolution_stats stats = evolution_statistics(&r->evolution);
    int population = r->recipe->ga.population;
    double mean = 0, squares = 0;
    for (int i = 0; i < population; i++)
        mean += (double)r->memo.entries[r->genomes[i]].measure;
    mean /= population;
    for (int i = 0; i < population; i++) {
        double d = (double)r->memo.entries[r->genomes[i]].measure - mean;
        squares += d * d;
    }
    return (struct generation_row){
        .generation = r->evolution.generation,
        .best = stats.best,
        .measure = r->memo.entries[r->genomes[stats.best]].measure,
        .held_out = NOT_MEASURED,
        .mean = mean,
        .deviation = sqrt(squares / population),
        .diversity = stats.diversity,
    };
}

/* ---- the loop ---- */

/* One transaction: new genomes, the best's held-out measure, the organisms, the row. */
static bool keep_generation(struct run *r, const struct generation_row *row, struct error *err)
{
    struct store *s = r->store;
    bool kept = store_begin(s, err) &&
                store_put_genomes(s, &r->memo, r->stored, r->memo.count, r->genome.words, err) &&
                (row->held_out == NOT_MEASURED ||
                 store_put_held_out(s, r->genomes[row->best], row->held_out, err)) &&
                store_put_organisms(s, &r->evolution, r->genomes, err) &&
                store_put_row(s, row, err) && store_commit(s, err);
    if (kept)
        r->stored = r->memo.count;
    return kept;
}

/* Measures the present generation, from its first genome to its row. */
static enum run_end measure_generation(struct run *r, struct generation_row *row, struct error *err)
{
    int fresh = name_genomes(r, err);
    if (fresh < 0)
        return RUN_FAILED;
    enum run_end end = measure_pending(r, fresh, err);
    if (end != RUN_COMPLETE)
        return end;
    score_population(r);
    *row = describe_generation(r);
    struct measured *best = &r->memo.entries[r->genomes[row->best]];
    if (r->fitness->held_out_size > 0 && best->held_out == NOT_MEASURED) {
        if (!keep_now_and_then(r, err))
            return RUN_FAILED;
        best->held_out = measure_held_out(r, r->genomes[row->best]);
        if (best->held_out == NOT_MEASURED)
            return keep_measures(r, err) ? RUN_STOPPED : RUN_FAILED;
    }
    row->held_out = best->held_out;
    return RUN_COMPLETE;
}

/* Goes on from generation `last` (-1: from the beginning) to the end. */
static enum run_end live(struct run *r, int last, struct error *err)
{
    const struct run_observer *observer = r->observer;
    int generations = r->recipe->generations;
    double start = now_seconds();
    while (last < generations) {
        struct generation_row row;
        if (asked_to_stop(r))
            return RUN_STOPPED;
        if (last >= 0)
            evolution_step(&r->evolution);
        enum run_end end = measure_generation(r, &row, err);
        if (end != RUN_COMPLETE)
            return end;
        double finish = now_seconds();
        row.seconds = finish - start;
        row.ended = (int64_t)time(NULL);
        start = finish;
        if (!keep_generation(r, &row, err))
            return RUN_FAILED;
        last = row.generation;
        if (observer->generation != NULL &&
            !observer->generation(observer->context, &row, generations) && last < generations)
            return RUN_STOPPED;
    }
    return RUN_COMPLETE;
}

/* Takes up the population of generation `generation` as the store has it. */
static bool load_generation(struct run *r, int generation, struct error *err)
{
    int population = r->recipe->ga.population;
    if (!store_get_organisms(r->store, generation, r->results, r->genomes, population, err))
        return false;
    for (int i = 0; i < population; i++) {
        if (r->genomes[i] < 0 || (size_t)r->genomes[i] >= r->memo.count)
            return error_set(
                err, "generation %d, organism %d: its genome %" PRId64 " is not in the store",
                generation, i, r->genomes[i]);
        r->evolution.organisms[i] = (struct organism){
            .chromosome = r->memo.entries[r->genomes[i]].chromosome, .fitness = r->results[i]};
    }
    r->evolution.generation = generation;
    return true;
}

/* Whether this program still measures the best organism as the one that stored it did. */
static bool measures_as_before(struct run *r, struct error *err)
{
    int best = evolution_statistics(&r->evolution).best;
    int64_t id = r->genomes[best], again;
    if (!measure(r, &id, 1, &again) || again == r->memo.entries[id].measure)
        return true;
    char *version = store_get(r->store, "version");
    error_set(err,
              "generation %d, organism %d had %" PRId64 " %s and now has %" PRId64
              ": grayling " GRAYLING_VERSION
              " measures otherwise than grayling %s, which began the "
              "run; go on with that one",
              r->evolution.generation, best, r->memo.entries[id].measure,
              r->fitness->method->measure, again, version == NULL ? "(unknown)" : version);
    free(version);
    return false;
}

enum run_end run_loop(struct fitness *fitness, const struct recipe *recipe, struct store *store,
                      const struct run_observer *observer, struct error *err)
{
    struct run r;
    int last = store_last_generation(store);
    bool ready = run_init(&r, fitness, recipe, store, observer, err) &&
                 store_get_genomes(store, &r.memo, err) &&
                 (last < 0 || (load_generation(&r, last, err) && measures_as_before(&r, err)));
    enum run_end end = RUN_REFUSED;
    if (ready) {
        r.stored = r.memo.count;
        if (observer->begun != NULL)
            observer->begun(observer->context, recipe, fitness, last + 1);
        end = live(&r, last, err);
    }
    run_release(&r);
    return end;
}

/* ---- beginning and resuming ---- */

static bool put_number(struct store *s, const char *key, int64_t value, struct error *err)
{
    char text[32];
    snprintf(text, sizeof text, "%" PRId64, value);
    return store_put(s, key, text, err);
}

static bool put_seed(struct store *s, uint64_t seed, struct error *err)
{
    char text[32];
    snprintf(text, sizeof text, "%" PRIu64, seed);
    return store_put(s, "seed", text, err);
}

/* The moment of creation, for people: ISO 8601 in UTC. */
static bool put_created(struct store *s, struct error *err)
{
    char text[32];
    time_t now = time(NULL);
    struct tm utc;
    gmtime_r(&now, &utc);
    strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
    return store_put(s, "created", text, err);
}

/* How a path is rewritten, seen from a directory: path_relative or path_absolute. */
typedef bool path_rewrite(const char *directory, const char *path, char out[PATH_SIZE],
                          struct error *err);

/* Rewrites every path of a recipe. */
static bool rewrite_paths(struct recipe *r, path_rewrite *rewrite, const char *directory,
                          struct error *err)
{
    static_assert((int)RECIPE_PATH == (int)PATH_SIZE, "a recipe's paths are paths");
    bool done = rewrite(directory, r->space, r->space, err) &&
                rewrite(directory, r->evaluation, r->evaluation, err);
    for (int i = 0; done && i < r->train_count; i++)
        done = rewrite(directory, r->train[i], r->train[i], err);
    for (int i = 0; done && i < r->held_out_count; i++)
        done = rewrite(directory, r->held_out[i], r->held_out[i], err);
    for (int i = 0; done && i < r->seed_count; i++)
        done = rewrite(directory, r->seeds[i], r->seeds[i], err);
    return done;
}

/* The checksums of data files, by their paths as seen from the store. */
static bool put_files(struct store *s, const char *directory, const char *role,
                      const char paths[][RECIPE_PATH], int count, struct error *err)
{
    for (int i = 0; i < count; i++) {
        char sha256[CHECKSUM_MAX], relative[PATH_SIZE];
        if (!checksum_file(paths[i], sha256, err) ||
            !path_relative(directory, paths[i], relative, err) ||
            !store_put_data(s, role, relative, sha256, err))
            return false;
    }
    return true;
}

/* The seeds, by the paths of their files as seen from the store. */
static bool put_seeds(struct store *s, const char *directory, const struct recipe *recipe,
                      const struct param_table *space, const struct chromosome *seeds,
                      struct error *err)
{
    struct genome genome;
    if (!genome_init(&genome, space, err))
        return false;
    for (int i = 0; i < recipe->seed_count; i++) {
        char relative[PATH_SIZE];
        if (!path_relative(directory, recipe->seeds[i], relative, err) ||
            !store_put_seed(s, i, relative, &seeds[i], genome.words, err))
            return false;
    }
    return true;
}

bool run_create_store(const char *path, bool force, const struct recipe *recipe,
                      const char *recipe_text, const struct fitness *fitness,
                      const struct chromosome *seeds, struct error *err)
{
    char directory[PATH_SIZE];
    struct store *s = path_directory(path, directory, err) ? store_create(path, force, err) : NULL;
    if (s == NULL)
        return false;
    if (store_put(s, "version", GRAYLING_VERSION, err) && put_created(s, err) &&
        store_put(s, "recipe", recipe_text, err) && store_put(s, "name", recipe->name, err) &&
        put_seed(s, recipe->seed, err) && put_number(s, "generations", recipe->generations, err) &&
        store_put(s, "fitness", fitness->method->name, err) &&
        store_put(s, "measure", fitness->method->measure, err) &&
        put_number(s, "train_size", fitness->train_size, err) &&
        put_number(s, "held_out_size", fitness->held_out_size, err) &&
        put_files(s, directory, "train", recipe->train, recipe->train_count, err) &&
        put_files(s, directory, "held_out", recipe->held_out, recipe->held_out_count, err) &&
        put_files(s, directory, "evaluation", &recipe->evaluation, recipe->evaluation[0] != '\0',
                  err) &&
        store_put_genes(s, &fitness->space, err) &&
        put_seeds(s, directory, recipe, &fitness->space, seeds, err))
        return store_publish(s, err);
    store_close(s);
    return false;
}

/* Creates the store with the recipe spelled out, its paths as seen from the store. */
static bool create_store(const char *path, bool force, const struct recipe *recipe,
                         const struct fitness *fitness, const struct chromosome *seeds,
                         struct error *err)
{
    struct recipe stored = *recipe;
    char directory[PATH_SIZE];
    if (!path_directory(path, directory, err) ||
        !rewrite_paths(&stored, path_relative, directory, err))
        return false;
    char *text = recipe_text(&stored);
    bool created = text != NULL ? run_create_store(path, force, recipe, text, fitness, seeds, err)
                                : error_set(err, "no memory for the recipe");
    free(text);
    return created;
}

enum run_end run_evolve(const struct recipe *recipe, const char *store_path, bool force,
                        int threads, const struct run_observer *observer, struct error *err)
{
    if (!store_available(store_path, force, err))
        return RUN_REFUSED;
    struct fitness *fitness = fitness_create(recipe, threads, err);
    if (fitness == NULL)
        return RUN_REFUSED;
    struct chromosome seeds[RECIPE_FILES];
    bool seeded = seeds_read(recipe, &fitness->space, seeds, err);
    enum run_end end = seeded ? RUN_FAILED : RUN_REFUSED;
    if (seeded && create_store(store_path, force, recipe, fitness, seeds, err)) {
        struct store *store = store_open(store_path, STORE_WRITE, err);
        if (store != NULL)
            end = run_loop(fitness, recipe, store, observer, err);
        store_close(store);
    }
    fitness->method->destroy(fitness);
    return end;
}

/* Refuses a data file that is not what it was when the run began; `context` is the directory that
 * paths are seen from. */
static bool check_file(void *context, const char *role, const char *path, const char *sha256,
                       struct error *err)
{
    char found[CHECKSUM_MAX], absolute[PATH_SIZE];
    if (!path_absolute(context, path, absolute, err) || !checksum_file(absolute, found, err))
        return error_prefix(err, "the run needs its data again: ");
    if (strcmp(found, sha256) == 0)
        return true;
    return error_set(err,
                     "%s (%s) has changed since the run began: its SHA-256 was %s and is %s; put "
                     "the old file back, or evolve anew",
                     absolute, role, sha256, found);
}

static bool same_gene(const struct param *a, const struct param *b)
{
    return strcmp(a->name, b->name) == 0 && a->bits == b->bits && a->min == b->min &&
           a->max == b->max && a->initial == b->initial;
}

/* Refuses when the genes that evolve are not those that the run began with. */
static bool check_genes(struct store *s, const struct param_table *now, struct error *err)
{
    struct param_table then;
    void *memory = store_get_genes(s, &then, err);
    if (memory == NULL)
        return false;
    bool same = then.count == now->count;
    if (!same)
        error_set(err, "the run has %d genes, and there are %d now; put the old space file back",
                  then.count, now->count);
    for (int i = 0; same && i < now->count; i++)
        if (!same_gene(&then.params[i], &now->params[i]))
            same = error_set(err,
                             "the gene %s had %d bits from %d to %d, and now %s has %d bits from "
                             "%d to %d; put the old space file back",
                             then.params[i].name, then.params[i].bits, then.params[i].min,
                             then.params[i].max, now->params[i].name, now->params[i].bits,
                             now->params[i].min, now->params[i].max);
    free(memory);
    return same;
}

/* The recipe as the store has it, its paths absolute. */
static bool load_recipe(struct store *s, const char *path, struct recipe *recipe, struct error *err)
{
    char *text = store_get(s, "recipe"), directory[PATH_SIZE];
    bool loaded = text != NULL ? recipe_from_text(path, text, recipe, err)
                               : error_set(err, "%s is damaged (no recipe)", path);
    free(text);
    return loaded && path_directory(path, directory, err) &&
           rewrite_paths(recipe, path_absolute, directory, err);
}

/* The fitness of a stored run, on the data that it began with. */
static struct fitness *load_fitness(struct store *s, const char *path, const struct recipe *recipe,
                                    int threads, struct error *err)
{
    struct fitness *fitness = NULL;
    char directory[PATH_SIZE];
    if (path_directory(path, directory, err) && store_each_data(s, check_file, directory, err))
        fitness = fitness_create(recipe, threads, err);
    if (fitness != NULL && !check_genes(s, &fitness->space, err)) {
        fitness->method->destroy(fitness);
        fitness = NULL;
    }
    if (fitness == NULL)
        error_prefix(err, "%s: ", path);
    return fitness;
}

/* Goes on with an opened run. */
static enum run_end resume_store(struct store *store, const char *path, int threads,
                                 const struct run_observer *observer, struct error *err)
{
    struct recipe recipe;
    if (!load_recipe(store, path, &recipe, err))
        return RUN_REFUSED;
    if (store_last_generation(store) >= recipe.generations)
        return RUN_COMPLETE;
    struct fitness *fitness = load_fitness(store, path, &recipe, threads, err);
    if (fitness == NULL)
        return RUN_REFUSED;
    enum run_end end = run_loop(fitness, &recipe, store, observer, err);
    fitness->method->destroy(fitness);
    return end;
}

enum run_end run_resume(const char *store_path, int threads, const struct run_observer *observer,
                        struct error *err)
{
    struct store *store = store_open(store_path, STORE_WRITE, err);
    if (store == NULL)
        return RUN_REFUSED;
    enum run_end end = resume_store(store, store_path, threads, observer, err);
    store_close(store);
    return end;
}

/* ---- the replay ---- */

/* A replay in work: which genomes have been compared already. */
struct replay_state {
    struct run run;
    bool *measured, *held_out;   /* by id */
    bool *picked;                /* organisms of the present generation to measure */
    struct generation_row *rows; /* as stored */
    int row_count;
    struct run_verified *verified;
};

/* The population that evolution brought forth must be the stored one. */
static bool same_population(struct replay_state *p, struct error *err)
{
    struct run *r = &p->run;
    int generation = r->evolution.generation, population = r->recipe->ga.population;
    if (!store_get_organisms(r->store, generation, r->results, r->genomes, population, err))
        return false;
    for (int i = 0; i < population; i++) {
        int64_t id = r->genomes[i];
        if (id < 0 || (size_t)id >= r->memo.count ||
            !chromosome_equal(&r->evolution.organisms[i].chromosome,
                              &r->memo.entries[id].chromosome))
            return error_set(err,
                             "generation %d, organism %d: the stored chromosome does not "
                             "follow from the generation before",
                             generation, i);
        int64_t fitness = r->fitness->method->score(r->fitness, r->memo.entries[id].measure);
        if (fitness != r->results[i])
            return error_set(err,
                             "generation %d, organism %d: fitness %" PRId64
                             " is stored, and its measure gives %" PRId64,
                             generation, i, r->results[i], fitness);
    }
    p->verified->organisms += population;
    return true;
}

/* Chooses the organisms to measure: all, or `sample` of them and the best. */
static void pick(struct replay_state *p, int sample, int best)
{
    struct run *r = &p->run;
    int population = r->recipe->ga.population;
    bool all = sample <= 0 || sample >= population;
    for (int i = 0; i < population; i++)
        p->picked[i] = all;
    if (all)
        return;
    struct stream s;
    stream_init(&s, r->recipe->seed, STREAM_VERIFY, (uint64_t)r->evolution.generation, 0);
    p->picked[best] = true;
    for (int n = 1; n < sample;) {
        int i = (int)stream_below(&s, (uint64_t)population);
        n += !p->picked[i];
        p->picked[i] = true;
    }
}

/* The organism of the present generation that has this genome. */
static int organism_of(const struct run *r, int64_t id)
{
    int i = 0;
    while (r->genomes[i] != id)
        i++;
    return i;
}

/* Measures the picked genomes that have not been compared yet. */
static enum run_end same_measures(struct replay_state *p, struct error *err)
{
    struct run *r = &p->run;
    int count = 0;
    for (int i = 0; i < r->recipe->ga.population; i++)
        if (p->picked[i] && !p->measured[r->genomes[i]]) {
            p->measured[r->genomes[i]] = true;
            r->pending[count++] = r->genomes[i];
        }
    if (!measure(r, r->pending, count, r->results))
        return RUN_STOPPED;
    p->verified->measured += count;
    for (int n = 0; n < count; n++) {
        int64_t stored = r->memo.entries[r->pending[n]].measure;
        if (stored != r->results[n]) {
            error_set(err,
                      "generation %d, organism %d: %" PRId64 " %s are stored, and the replay "
                      "has %" PRId64,
                      r->evolution.generation, organism_of(r, r->pending[n]), stored,
                      r->fitness->method->measure, r->results[n]);
            return RUN_FAILED;
        }
    }
    return RUN_COMPLETE;
}

/* The stored row must be what the population gives. */
static bool same_row(const struct generation_row *stored, const struct generation_row *row,
                     struct error *err)
{
    const char *wrong = NULL;
    if (stored->best != row->best)
        wrong = "best organism";
    else if (stored->measure != row->measure)
        wrong = "best measure";
    else if (stored->mean != row->mean || stored->deviation != row->deviation)
        wrong = "mean or deviation";
    else if (stored->diversity != row->diversity)
        wrong = "diversity";
    return wrong == NULL || error_set(err,
                                      "generation %d, organism %d: the stored %s is not what the "
                                      "population gives",
                                      row->generation, row->best, wrong);
}

/* The best's held-out measure, in the row and in the memo. */
static bool same_held_out(struct replay_state *p, const struct generation_row *stored,
                          struct error *err)
{
    struct run *r = &p->run;
    int64_t id = r->genomes[stored->best];
    int64_t again = r->memo.entries[id].held_out;
    if (!p->held_out[id]) {
        again = r->fitness->held_out_size > 0 ? measure_held_out(r, id) : NOT_MEASURED;
        p->held_out[id] = true;
        p->verified->held_out += r->fitness->held_out_size > 0;
    }
    if (again == r->memo.entries[id].held_out && again == stored->held_out)
        return true;
    return error_set(err,
                     "generation %d, organism %d: %" PRId64 " held-out %s are stored, and the "
                     "replay has %" PRId64,
                     stored->generation, stored->best,
                     again == stored->held_out ? r->memo.entries[id].held_out : stored->held_out,
                     r->fitness->method->measure, again);
}

/* Compares the present generation. */
static enum run_end replay_generation(struct replay_state *p, int sample, struct error *err)
{
    struct run *r = &p->run;
    const struct generation_row *stored = &p->rows[r->evolution.generation];
    if (!same_population(p, err))
        return RUN_FAILED;
    score_population(r);
    struct generation_row row = describe_generation(r);
    pick(p, sample, row.best);
    enum run_end end = same_measures(p, err);
    if (end != RUN_COMPLETE)
        return end;
    if (!same_row(stored, &row, err))
        return RUN_FAILED;
    if (!same_held_out(p, stored, err))
        return asked_to_stop(r) ? RUN_STOPPED : RUN_FAILED;
    p->verified->generations++;
    return RUN_COMPLETE;
}

/* Compares one generation after the other. */
static enum run_end replay_all(struct replay_state *p, int sample, struct error *err)
{
    const struct run_observer *observer = p->run.observer;
    for (int g = 0; g < p->row_count; g++) {
        if (asked_to_stop(&p->run))
            return RUN_STOPPED;
        if (g > 0)
            evolution_step(&p->run.evolution);
        enum run_end end = replay_generation(p, sample, err);
        if (end != RUN_COMPLETE)
            return end;
        if (observer->generation != NULL &&
            !observer->generation(observer->context, &p->rows[g], p->row_count - 1) &&
            g + 1 < p->row_count)
            return RUN_STOPPED;
    }
    return RUN_COMPLETE;
}

/* Reads what the replay will be compared with. */
static bool replay_init(struct replay_state *p, struct error *err)
{
    struct run *r = &p->run;
    p->rows = store_get_rows(r->store, &p->row_count, err);
    if (p->rows == NULL || !store_get_genomes(r->store, &r->memo, err))
        return false;
    p->measured = calloc(r->memo.count + 1, sizeof *p->measured);
    p->held_out = calloc(r->memo.count + 1, sizeof *p->held_out);
    p->picked = calloc((size_t)r->recipe->ga.population, sizeof *p->picked);
    if (p->measured == NULL || p->held_out == NULL || p->picked == NULL)
        return error_set(err, "no memory for the replay");
    return true;
}

enum run_end run_replay(struct fitness *fitness, const struct recipe *recipe, struct store *store,
                        int sample, const struct run_observer *observer,
                        struct run_verified *verified, struct error *err)
{
    *verified = (struct run_verified){0};
    struct replay_state p = {.verified = verified};
    enum run_end end = RUN_REFUSED;
    if (run_init(&p.run, fitness, recipe, store, observer, err) && replay_init(&p, err)) {
        if (observer->begun != NULL)
            observer->begun(observer->context, recipe, fitness, 0);
        end = replay_all(&p, sample, err);
    }
    free(p.rows);
    free(p.measured);
    free(p.held_out);
    free(p.picked);
    run_release(&p.run);
    return end;
}

enum run_end run_verify(const char *store_path, int sample, int threads,
                        const struct run_observer *observer, struct run_verified *verified,
                        struct error *err)
{
    struct recipe recipe;
    struct fitness *fitness = NULL;
    struct store *store = store_open(store_path, STORE_READ, err);
    if (store != NULL && store_sound(store, err) && load_recipe(store, store_path, &recipe, err))
        fitness = load_fitness(store, store_path, &recipe, threads, err);
    enum run_end end = RUN_REFUSED;
    if (fitness != NULL) {
        end = run_replay(fitness, &recipe, store, sample, observer, verified, err);
        fitness->method->destroy(fitness);
    }
    store_close(store);
    return end;
}

/* ---- the summary ---- */

/* The decoded values of the run's best organism. */
static bool read_best(struct store *s, const char *path, struct run_summary *summary,
                      struct error *err)
{
    struct chromosome best;
    struct genome genome;
    if (!store_get_best(s, &summary->best_generation, &summary->best_index, &best, err))
        return false;
    if (summary->best_generation < 0 || summary->best_generation > summary->generation)
        return error_set(
            err, "%s is damaged (organisms of generation %d, which is none); go back to a copy",
            path, summary->best_generation);
    if (!genome_init(&genome, &summary->space, err))
        return error_prefix(err, "%s is damaged: ", path);
    summary->best = calloc((size_t)genome.count + 1, sizeof *summary->best);
    if (summary->best == NULL)
        return error_set(err, "no memory for the best organism");
    genome_decode(&genome, &best, summary->best);
    return true;
}

/* Everything of the summary, from an opened store. */
static bool read_summary(struct store *s, const char *path, struct run_summary *summary,
                         struct error *err)
{
    int count;
    if (!load_recipe(s, path, &summary->recipe, err))
        return false;
    summary->rows = store_get_rows(s, &count, err);
    if (summary->rows == NULL)
        return false;
    summary->generation = count - 1;
    summary->complete = summary->generation >= summary->recipe.generations;
    summary->running = store_running(s);
    char *measure = store_get(s, "measure");
    snprintf(summary->measure, sizeof summary->measure, "%s", measure == NULL ? "" : measure);
    free(measure);
    summary->unit = fitness_unit(&summary->recipe);
    summary->train_size = store_get_number(s, "train_size", 0);
    summary->held_out_size = store_get_number(s, "held_out_size", 0);
    summary->genomes = store_count_genomes(s);
    summary->space_memory = store_get_genes(s, &summary->space, err);
    if (summary->space_memory == NULL)
        return false;
    return count == 0 || read_best(s, path, summary, err);
}

bool run_summary_read(const char *store_path, struct run_summary *summary, struct error *err)
{
    *summary = (struct run_summary){.generation = -1};
    struct store *s = store_open(store_path, STORE_READ, err);
    bool read = s != NULL && read_summary(s, store_path, summary, err);
    store_close(s);
    if (!read)
        run_summary_free(summary);
    return read;
}

void run_summary_free(struct run_summary *summary)
{
    free(summary->rows);
    free(summary->best);
    free(summary->space_memory);
    *summary = (struct run_summary){.generation = -1};
}

/* ---- what a run wrote ---- */

/* The key under which the checksum of an outcome stands: the file's name, since runs get moved. */
static void written_key(const char *path, char *key, size_t size)
{
    const char *slash = strrchr(path, '/');
    snprintf(key, size, "wrote %s", slash == NULL ? path : slash + 1);
}

bool run_wrote(const char *store_path, const char *path)
{
    char key[RECIPE_PATH], found[CHECKSUM_MAX];
    struct store *s = store_open(store_path, STORE_READ, NULL);
    if (s == NULL)
        return false;
    written_key(path, key, sizeof key);
    char *stored = store_get(s, key);
    store_close(s);
    bool wrote = stored != NULL && checksum_file(path, found, NULL) && strcmp(stored, found) == 0;
    free(stored);
    return wrote;
}

bool run_note_written(const char *store_path, const char *path, struct error *err)
{
    char key[RECIPE_PATH], sha256[CHECKSUM_MAX];
    if (!checksum_file(path, sha256, err))
        return false;
    struct store *s = store_open(store_path, STORE_WRITE, err);
    written_key(path, key, sizeof key);
    bool noted =
        s != NULL && store_begin(s, err) && store_put(s, key, sha256, err) && store_commit(s, err);
    store_close(s);
    return noted;
}
