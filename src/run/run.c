#include "run_work.h"

#include "data_kept.h"
#include "fitness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- beginning ---- */

bool run_check_size(const struct recipe *recipe, const struct param_table *space, struct error *err)
{
    struct genome genome;
    return genome_init(&genome, space, err) && optimiser_fits(&recipe->optimiser, &genome, err);
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

/* Writes the seed that is fitted after those that were read (ga.fit). */
static bool add_fitted(const struct recipe *recipe, struct fitness *fitness, uint64_t *seeds,
                       const struct run_observer *observer, struct error *err)
{
    struct genome genome;
    int32_t *values = calloc((size_t)fitness->space.count + 1, sizeof *values);
    bool good = genome_init(&genome, &fitness->space, err) &&
                (values != NULL || error_set(err, "no memory for a fit"));
    for (int i = 0; good && i < genome.count; i++)
        values[i] = fitness->space.params[i].initial;
    if (good && recipe->seed_count > 0)
        genome_decode(&genome, seeds, values);
    if (good && !fitness->method->fit(fitness, recipe->fit, observer->stop, values)) {
        *err = fitness->failed;
        good = false;
    }
    if (good)
        genome_encode(&genome, values, genome_row(&genome, seeds, recipe->seed_count));
    free(values);
    return good;
}

/* Creates the store of a run whose fitness is loaded, and runs it. */
static enum run_end begin_run(const struct recipe *recipe, const char *path, bool force,
                              struct fitness *fitness, const struct run_observer *observer,
                              struct error *err)
{
    uint64_t *seeds = run_check_size(recipe, &fitness->space, err)
                          ? seeds_read(recipe, &fitness->space, err)
                          : NULL;
    if (seeds == NULL)
        return RUN_REFUSED;
    if (recipe->fit > 0 && !add_fitted(recipe, fitness, seeds, observer, err)) {
        free(seeds);
        return err->text[0] == '\0' ? RUN_STOPPED : RUN_REFUSED;
    }
    enum run_end end = RUN_FAILED;
    char *text = run_recipe_text(path, recipe, err);
    if (text != NULL && run_create_store(path, force, recipe, text, fitness, seeds, err)) {
        struct store *store = store_open(path, STORE_WRITE, err);
        if (store != NULL)
            end = run_loop(fitness, recipe, store, false, NULL, observer, err);
        if (end == RUN_REFUSED)
            end = RUN_FAILED; /* the run has begun: its store is there */
        store_close(store);
    } else if (!store_available(path, force, NULL))
        end = RUN_REFUSED; /* another process was faster */
    free(text);
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

/* ---- going on ---- */

bool run_put_generations(struct store *s, const char *path, const struct recipe *recipe,
                         struct error *err)
{
    char *text = run_recipe_text(path, recipe, err);
    bool put = text != NULL && store_begin(s, err) && store_put(s, "recipe", text, err) &&
               store_put_number(s, "generations", recipe->generations, err) && store_commit(s, err);
    free(text);
    return put;
}

/* True if nothing is left to do, not even its defaults. Older programs noted no state. */
static bool is_over(struct store *store, const struct recipe *recipe)
{
    const enum run_state state = run_state_noted(store);
    return store_last_generation(store) >= recipe->generations &&
           (state == RUN_STATE_COMPLETE || state == RUN_STATE_NEW);
}

/* Resumes a run, or with `check` only looks whether that would be refused. */
static enum run_end resume(const char *path, bool check, int generations, int threads,
                           const struct run_observer *observer, struct error *err)
{
    struct recipe recipe;
    struct fitness *fitness = NULL;
    enum run_end end = RUN_REFUSED;
    struct store *store = store_open(path, check ? STORE_READ : STORE_WRITE, err);
    if (store == NULL || !run_recipe_load(store, path, &recipe, err)) {
        store_close(store);
        return RUN_REFUSED;
    }
    const int before = recipe.generations;
    recipe.generations = generations > 0 ? generations : before;
    if (recipe.generations < before)
        error_set(err, "%s has %d generations; --generations takes a larger number", path, before);
    else if (!check && is_over(store, &recipe))
        end = RUN_COMPLETE;
    else if ((fitness = run_load_fitness(store, path, &recipe, threads, err)) != NULL) {
        end = run_loop(fitness, &recipe, store, check, recipe.generations > before ? path : NULL,
                       observer, err);
        fitness->method->destroy(fitness);
    }
    store_close(store);
    return end;
}

enum run_end run_resume(const char *store_path, int generations, int threads,
                        const struct run_observer *observer, struct error *err)
{
    return resume(store_path, false, generations, threads, observer, err);
}

enum run_end run_check_resume(const char *store_path, int generations, int threads,
                              const volatile sig_atomic_t *stop, struct error *err)
{
    return resume(store_path, true, generations, threads, &(struct run_observer){.stop = stop},
                  err);
}

enum run_end run_verify(const char *store_path, int sample, int threads,
                        const struct run_observer *observer, struct run_verified *verified,
                        struct error *err)
{
    struct recipe recipe;
    struct fitness *fitness = NULL;
    struct store *store = store_open(store_path, STORE_READ, err);
    if (store != NULL && store_sound(store, err) &&
        run_recipe_load(store, store_path, &recipe, err) &&
        (!recipe_is_timed(&recipe) ||
         error_set(err, "%s: time limits what it measures, which does not repeat", store_path)))
        fitness = run_load_fitness(store, store_path, &recipe, threads, err);
    enum run_end end = RUN_REFUSED;
    if (fitness != NULL) {
        end = run_replay(fitness, &recipe, store, sample, observer, verified, err);
        fitness->method->destroy(fitness);
    }
    store_close(store);
    return end;
}

/* ---- other sizes ---- */

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
