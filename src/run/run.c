#include "run_work.h"

#include "clock.h"
#include "data_kept.h"
#include "fitness_kinds.h"
#include "paths.h"
#include "run_defaults.h"
#include "run_genes.h"
#include "values.h"
#include "version.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* ---- the loop ---- */

/* Stores a generation in one transaction: new genomes, the best's held-out value, the organisms,
 * the row. */
static bool keep_generation(struct run *r, const struct generation_row *row, struct error *err)
{
    struct store *s = r->store;
    bool kept =
        store_begin(s, err) && store_put_genomes(s, &r->cache, r->stored, r->cache.count, err) &&
        (row->held_out == NOT_MEASURED ||
         store_put_held_out(s, r->genomes[row->best], row->held_out, err)) &&
        store_put_organisms(s, &r->optimiser, r->genomes, err) && store_put_row(s, row, err) &&
        run_faults_put(s, r->fitness, err) && store_commit(s, err);
    if (kept)
        r->stored = r->cache.count;
    return kept;
}

/* Measures the current generation and fills in its row. */
static enum run_end measure_generation(struct run *r, struct generation_row *row, struct error *err)
{
    enum run_end end = run_measure_generation(r, err);
    if (end != RUN_COMPLETE)
        return end;
    if (!run_score(r, err))
        return RUN_FAILED;
    *row = run_describe(r);
    struct measured *best = &r->cache.entries[r->genomes[row->best]];
    if (r->fitness->held_out_size > 0 && best->held_out == NOT_MEASURED) {
        if (!run_keep_now_and_then(r, err))
            return RUN_FAILED;
        best->held_out = run_measure_held_out(r, r->genomes[row->best]);
        if (best->held_out == NOT_MEASURED || r->cannot_keep)
            return run_end_unmeasured(r, err);
    }
    row->held_out = best->held_out;
    return run_note_best(r, row->best, err) ? RUN_COMPLETE : RUN_FAILED;
}

/* Tells the observer what the run has gained, if games show it. */
static bool tell_gain(struct run *r, int generation, struct error *err)
{
    struct run_gain gain;
    if (r->observer->gain == NULL)
        return true;
    if (!run_gain_read(r->store, r->recipe, generation, &gain, err))
        return false;
    r->observer->gain(r->observer->context, &gain);
    return true;
}

/* Runs from the generation after `last` (-1: from the beginning) to the end. */
static enum run_end run_generations(struct run *r, int last, struct error *err)
{
    const struct run_observer *observer = r->observer;
    int generations = r->recipe->generations;
    double start = clock_seconds();
    while (last < generations) {
        struct generation_row row;
        if (run_must_stop(r))
            return RUN_STOPPED;
        if (last >= 0)
            optimiser_step(&r->optimiser);
        enum run_end end = measure_generation(r, &row, err);
        if (end != RUN_COMPLETE)
            return end;
        double finish = clock_seconds();
        row.seconds = finish - start;
        row.ended = (int64_t)time(NULL);
        start = finish;
        if (!keep_generation(r, &row, err))
            return RUN_FAILED;
        end = run_defaults_compare(r, err);
        if (end != RUN_COMPLETE)
            return end;
        last = row.generation;
        if (!tell_gain(r, last, err))
            return RUN_FAILED;
        bool on = observer->generation == NULL ||
                  observer->generation(observer->context, &row, generations);
        if ((!on || observer->one_generation) && last < generations)
            return RUN_STOPPED;
    }
    return RUN_COMPLETE;
}

/* Refuses to continue a run whose original program measured differently, so many of a unit. */
static bool fail_measure(const struct run *r, const char *what, const char *unit, int64_t then,
                         int64_t now, struct error *err)
{
    char *version = store_get(r->store, "version");
    error_set(
        err,
        "generation %d, %s had %" PRId64 " %s and now has %" PRId64 ": grayling " GRAYLING_VERSION
        " measures differently from grayling %s, which began the "
        "run; resume with that version",
        r->optimiser.generation, what, then, unit, now, version == NULL ? "(unknown)" : version);
    free(version);
    return false;
}

/* True if a measurement gave no value because it was stopped; false, with the reason, if it
 * failed. */
static bool was_stopped(const struct run *r, struct error *err)
{
    return run_unmeasured(r, err) == RUN_STOPPED;
}

/* True if this program measures a stored organism of the current generation as the original one did. `id`
 * is its genome. */
static bool same_organism(struct run *r, int organism, int64_t id, struct error *err)
{
    int64_t again;
    char name[32];
    if (!run_measure(r, &id, 1, &again))
        return was_stopped(r, err);
    if (again == r->cache.entries[id].measure)
        return true;
    snprintf(name, sizeof name, "organism %d", organism);
    return fail_measure(r, name, r->fitness->method->value->name, r->cache.entries[id].measure,
                        again, err);
}

/* The same of the best organism of the last complete generation. */
static bool same_best(struct run *r, struct error *err)
{
    const int best = optimiser_statistics(&r->optimiser).best;
    return same_organism(r, best, r->genomes[best], err);
}

/* True if the generation's organisms still have their fitness, on its batch. */
static bool same_batch(struct run *r, struct error *err)
{
    if (!run_compete(r, NULL))
        return was_stopped(r, err);
    for (int i = 0; i < r->optimiser.population; i++) {
        const int64_t then = r->optimiser.organisms[i].fitness;
        const int64_t now = r->fitness->method->score(r->fitness, r->measures[i]);
        char organism[32];
        snprintf(organism, sizeof organism, "organism %d", i);
        if (then != now)
            return fail_measure(r, organism, "of fitness", then, now, err);
    }
    return true;
}

/* Ends the games after the one that is compared: an unfinished generation has more to play. */
static bool end_games(struct run *r)
{
    (void)r;
    return false;
}

/* True if the first game of the generation still takes as many nodes and has the same result. */
static bool same_game(struct run *r, struct error *err)
{
    if (!run_load_games(r, err))
        return false;
    if (r->game_count == 0)
        return true;
    struct game_record then = r->games[0];
    memmove(r->games, r->games + 1, --r->game_count * sizeof *r->games);
    const size_t known = r->game_count;
    run_compete(r, end_games);
    if (r->game_count == known)
        return was_stopped(r, err);
    struct game_record now = r->games[known];
    if (now.number != then.number || now.nodes != then.nodes || now.result != then.result)
        return fail_measure(r, "its first game", "nodes", then.nodes, now.nodes, err);
    return was_stopped(r, err);
}

/* True if this program measures as the original one did what the store has of generation 0 before its end:
 * the first genomes, in the order of the organisms, or games. A batch is stored as a whole. */
static bool begins_as_before(struct run *r, struct error *err)
{
    if (run_plays(r))
        return run_find_genomes(r, err) >= 0 && same_game(r, err);
    return run_competes(r) || r->cache.count == 0 || same_organism(r, 0, 0, err);
}

/* `last` is the last complete generation; -1: none. Another engine need not repeat: Glaurung keeps a little
 * from one search to the next. */
static bool measures_as_before(struct run *r, int last, struct error *err)
{
    if (r->fitness->approximate)
        return true;
    if (last < 0)
        return begins_as_before(r, err);
    if (run_plays(r))
        return same_game(r, err);
    return run_competes(r) ? same_batch(r, err) : same_best(r, err);
}

/* run_generations, with the run's state in the store while it works and afterwards. A run that was
 * stopped while it measured its defaults measures them first. */
static enum run_end run_noted(struct run *r, int last, struct error *err)
{
    const struct run_observer *o = r->observer;
    if (!run_defaults_begin(r, err) || !run_state_begin(r->store, o->deadline, err))
        return RUN_FAILED;
    const int reserve = run_state_reserve(store_file(r->store));
    r->tells = true;
    if (o->begun != NULL)
        o->begun(o->context, r->recipe, r->fitness, last + 1);
    enum run_end end = last < 0 ? RUN_COMPLETE : run_defaults_compare(r, err);
    if (end == RUN_COMPLETE)
        end = run_generations(r, last, err);
    bool by_time = o->one_generation || (o->stop != NULL && *o->stop == SIGALRM);
    const bool failed = end == RUN_FAILED;
    run_state_release(reserve);
    if (!run_state_end(r->store, end, by_time, failed ? err->text : NULL, failed ? NULL : err))
        end = RUN_FAILED;
    return end;
}

/* Moves a run to generation `last` of its store (-1: its beginning). Refuses a program that measures
 * differently. Call run_release even on failure. */
static bool catch_up(struct run *r, struct fitness *fitness, const struct recipe *recipe,
                     struct store *store, int last, const struct run_observer *observer,
                     struct error *err)
{
    if (!run_init(r, fitness, recipe, store, observer, err))
        return false;
    run_report_beside(r);
    return run_load_genomes(r, err) && (last < 0 || run_load_generation(r, last, err)) &&
           measures_as_before(r, last, err);
}

/* run_loop. `longer` is the path of a run whose recipe has more generations than its store; else
 * NULL. */
static enum run_end loop(struct fitness *fitness, const struct recipe *recipe, struct store *store,
                         const char *longer, const struct run_observer *observer, struct error *err)
{
    struct run r;
    int last = store_last_generation(store);
    enum run_end end = RUN_REFUSED;
    if (catch_up(&r, fitness, recipe, store, last, observer, err)) {
        end = longer == NULL || run_put_generations(store, longer, recipe, err)
                  ? run_noted(&r, last, err)
                  : RUN_FAILED;
    }
    run_release(&r);
    return end;
}

enum run_end run_loop(struct fitness *fitness, const struct recipe *recipe, struct store *store,
                      const struct run_observer *observer, struct error *err)
{
    return loop(fitness, recipe, store, NULL, observer, err);
}

/* ---- starting and resuming ---- */

static bool put_seed(struct store *s, uint64_t seed, struct error *err)
{
    char text[32];
    snprintf(text, sizeof text, "%" PRIu64, seed);
    return store_put(s, "seed", text, err);
}

/* Keeps a file of the recipe. The space and the initial population have tables of their own. */
static bool put_file(void *context, const char *role, char path[RECIPE_PATH], struct error *err)
{
    return strcmp(role, "space") == 0 || strcmp(role, "seeds") == 0 ||
           data_kept_put(context, role, path, err);
}

/* Stores the initial population, with the paths of its files relative to the store. */
static bool put_seeds(struct store *s, const char *directory, const struct recipe *recipe,
                      const struct param_table *space, const uint64_t *seeds, struct error *err)
{
    struct genome genome;
    if (!genome_init(&genome, space, err))
        return false;
    for (int i = 0; i < recipe->seed_count; i++) {
        char relative[PATH_SIZE];
        if (!path_relative(directory, recipe->seeds[i], relative, err) ||
            !store_put_seed(s, i, relative, seeds + (size_t)i * (size_t)genome.words, genome.words,
                            err))
            return false;
    }
    return true;
}

bool run_create_store(const char *path, bool force, const struct recipe *recipe,
                      const char *recipe_text, const struct fitness *fitness, const uint64_t *seeds,
                      struct error *err)
{
    char directory[PATH_SIZE];
    struct recipe files = *recipe;
    struct store *s = path_directory(path, directory, err) ? store_create(path, force, err) : NULL;
    if (s == NULL)
        return false;
    if (store_put(s, "version", GRAYLING_VERSION, err) && store_put_moment(s, "created", err) &&
        store_put(s, "recipe", recipe_text, err) && store_put(s, "name", recipe->name, err) &&
        put_seed(s, recipe->seed, err) &&
        store_put_number(s, "generations", recipe->generations, err) &&
        store_put(s, "fitness", fitness->method->name, err) &&
        store_put(s, "measure", fitness->method->value->name, err) &&
        store_put_number(s, "train_size", fitness->train_size, err) &&
        store_put_number(s, "held_out_size", fitness->held_out_size, err) &&
        recipe_each_file(&files, put_file, &(struct data_kept_view){s, path}, err) &&
        data_kept_begin(s, path, err) && run_genes_put(s, recipe, &fitness->space, err) &&
        run_put_champion(s, recipe, fitness, err) &&
        put_seeds(s, directory, recipe, &fitness->space, seeds, err))
        return store_publish(s, err);
    store_close(s);
    return false;
}

/* Creates the store with every value of the recipe spelled out and paths relative to the store. */
static bool create_store(const char *path, bool force, const struct recipe *recipe,
                         const struct fitness *fitness, const uint64_t *seeds, struct error *err)
{
    char *text = run_recipe_text(path, recipe, err);
    bool created = text != NULL && run_create_store(path, force, recipe, text, fitness, seeds, err);
    free(text);
    return created;
}

bool run_check_size(const struct recipe *recipe, const struct param_table *space, struct error *err)
{
    struct genome genome;
    return genome_init(&genome, space, err) && optimiser_fits(&recipe->optimiser, &genome, err);
}

/* Creates the store of a run whose fitness is loaded, and runs it. */
static enum run_end begin_run(const struct recipe *recipe, const char *store_path, bool force,
                              struct fitness *fitness, const struct run_observer *observer,
                              struct error *err)
{
    uint64_t *seeds = run_check_size(recipe, &fitness->space, err)
                          ? seeds_read(recipe, &fitness->space, err)
                          : NULL;
    if (seeds == NULL)
        return RUN_REFUSED;
    enum run_end end = RUN_FAILED;
    if (create_store(store_path, force, recipe, fitness, seeds, err)) {
        struct store *store = store_open(store_path, STORE_WRITE, err);
        if (store != NULL)
            end = run_loop(fitness, recipe, store, observer, err);
        if (end == RUN_REFUSED)
            end = RUN_FAILED; /* the run has begun: its store is there */
        store_close(store);
    } else if (!store_available(store_path, force, NULL))
        end = RUN_REFUSED; /* another process was faster */
    free(seeds);
    return end;
}

enum run_end run_evolve(const struct recipe *recipe, const char *store_path, bool force,
                        int threads, const struct run_observer *observer, struct error *err)
{
    if (!store_available(store_path, force, err))
        return RUN_REFUSED;
    struct fitness *fitness = fitness_create(recipe, threads, err);
    if (fitness == NULL)
        return RUN_REFUSED;
    enum run_end end = begin_run(recipe, store_path, force, fitness, observer, err);
    fitness->method->destroy(fitness);
    return end;
}

bool run_check(const struct recipe *recipe, int threads, struct error *err)
{
    struct fitness *fitness = fitness_create(recipe, threads, err);
    if (fitness == NULL)
        return false;
    const bool fits = run_check_size(recipe, &fitness->space, err);
    fitness->method->destroy(fitness);
    return fits;
}

struct fitness *run_load_fitness(struct store *s, const char *path, const struct recipe *recipe,
                                 int threads, struct error *err)
{
    struct fitness *fitness = NULL;
    if (data_kept_check(s, path, "run", "begin a new run", NULL, err))
        fitness = fitness_create(recipe, threads, err);
    if (fitness != NULL && !run_genes_check(s, &fitness->space, err)) {
        fitness->method->destroy(fitness);
        fitness = NULL;
    }
    if (fitness == NULL)
        error_prefix(err, "%s: ", path);
    return fitness;
}

/* True if nothing of a run is left to do. One that was stopped after its last generation may lack its
 * defaults. Older programs noted no state. */
static bool is_over(struct store *store, const struct recipe *recipe)
{
    const enum run_state state = run_state_noted(store);
    return store_last_generation(store) >= recipe->generations &&
           (state == RUN_STATE_COMPLETE || state == RUN_STATE_NEW);
}

/* Resumes an open run. */
static enum run_end resume_store(struct store *store, const char *path, int generations,
                                 int threads, const struct run_observer *observer,
                                 struct error *err)
{
    struct recipe recipe;
    if (!run_recipe_load(store, path, &recipe, err))
        return RUN_REFUSED;
    const int before = recipe.generations;
    if (generations > 0 && !run_lengthen(&recipe, path, generations, err))
        return RUN_REFUSED;
    if (is_over(store, &recipe))
        return RUN_COMPLETE;
    struct fitness *fitness = run_load_fitness(store, path, &recipe, threads, err);
    if (fitness == NULL)
        return RUN_REFUSED;
    const char *longer = recipe.generations > before ? path : NULL;
    enum run_end end = loop(fitness, &recipe, store, longer, observer, err);
    fitness->method->destroy(fitness);
    return end;
}

enum run_end run_resume_longer(const char *store_path, int generations, int threads,
                               const struct run_observer *observer, struct error *err)
{
    struct store *store = store_open(store_path, STORE_WRITE, err);
    if (store == NULL)
        return RUN_REFUSED;
    enum run_end end = resume_store(store, store_path, generations, threads, observer, err);
    store_close(store);
    return end;
}

/* Checks an open run, to be read, whose data is loaded. */
static enum run_end check_store(struct store *store, const struct recipe *recipe,
                                struct fitness *fitness, const struct run_observer *observer,
                                struct error *err)
{
    struct run r;
    enum run_end end = RUN_REFUSED;
    if (catch_up(&r, fitness, recipe, store, store_last_generation(store), observer, err))
        end = run_must_stop(&r) ? RUN_STOPPED : RUN_COMPLETE;
    run_release(&r);
    return end;
}

enum run_end run_check_resume(const char *store_path, int generations, int threads,
                              const volatile sig_atomic_t *stop, struct error *err)
{
    struct recipe recipe;
    struct fitness *fitness = NULL;
    const struct run_observer observer = {.stop = stop};
    struct store *store = store_open(store_path, STORE_READ, err);
    if (store != NULL && run_recipe_load(store, store_path, &recipe, err) &&
        (generations == 0 || run_lengthen(&recipe, store_path, generations, err)))
        fitness = run_load_fitness(store, store_path, &recipe, threads, err);
    enum run_end end = RUN_REFUSED;
    if (fitness != NULL) {
        end = check_store(store, &recipe, fitness, &observer, err);
        fitness->method->destroy(fitness);
    }
    store_close(store);
    return end;
}

enum run_end run_resume(const char *store_path, int threads, const struct run_observer *observer,
                        struct error *err)
{
    return run_resume_longer(store_path, 0, threads, observer, err);
}

/* ---- other lengths and sizes ---- */

bool run_put_generations(struct store *s, const char *path, const struct recipe *recipe,
                         struct error *err)
{
    char number[32];
    snprintf(number, sizeof number, "%d", recipe->generations);
    char *text = run_recipe_text(path, recipe, err);
    bool put = text != NULL && store_begin(s, err) && store_put(s, "recipe", text, err) &&
               store_put(s, "generations", number, err) && store_commit(s, err);
    free(text);
    return put;
}

bool run_lengthen(struct recipe *recipe, const char *path, int generations, struct error *err)
{
    if (generations < recipe->generations)
        return error_set(err, "%s has %d generations; --generations takes a larger number", path,
                         recipe->generations);
    recipe->generations = generations;
    return true;
}

/* Reduces a population to so many organisms, or the next number that its optimiser takes. */
static bool reduce(struct recipe *recipe, int64_t measured)
{
    struct optimiser_settings *o = &recipe->optimiser;
    const int all = o->population;
    for (o->population = (int)measured; o->population < all; o->population++)
        if (o->population >= recipe->seed_count && optimiser_check(o, NULL))
            return true;
    return false;
}

bool run_settle(const char *store_path, struct error *err)
{
    struct recipe recipe;
    struct store *s = store_open(store_path, STORE_WRITE, err);
    bool settled = s != NULL && run_recipe_load(s, store_path, &recipe, err);
    if (settled && store_last_generation(s) < 0 && recipe.measure != MEASURE_GAMES &&
        recipe.batch == 0 && reduce(&recipe, store_count_genomes(s)))
        settled = run_put_generations(s, store_path, &recipe, err);
    store_close(s);
    return settled;
}
