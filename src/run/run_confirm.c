#include "run_work.h"

#include "fitness.h"
#include "key_set.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- positions ---- */

/* The run's recipe for all training positions; their power may be too large. */
static struct recipe whole_recipe(const struct run_summary *s)
{
    struct recipe whole = s->recipe;
    whole.batch = 0;
    whole.power = 1;
    return whole;
}

/* Measures what a row of training positions lacks, and the defaults on held-out ones. */
static bool measure(struct fitness *f, const struct recipe *recipe, const struct run_summary *s,
                    run_own_values *own, const struct fitness_watcher *watcher,
                    struct confirm_row *train, struct confirm_row *held_out, struct error *err)
{
    struct run_rival rival;
    bool good = run_rival_open(&rival, f, recipe, own, err);
    if (good) {
        struct fitness *other = rival.fitness, *failed = other;
        train->size = f->train_size;
        good = other->method->measure_batch(other, rival.values, 1, watcher, &train->defaults);
        if (good && train->best == NOT_MEASURED) {
            failed = f;
            good = f->method->measure_batch(f, s->best, 1, watcher, &train->best);
        }
        if (good && held_out != NULL && held_out->size > 0) {
            failed = other;
            held_out->defaults = other->method->measure_held_out(other, rival.values, watcher);
            good = held_out->defaults != NOT_MEASURED;
        }
        if (!good)
            *err = failed->failed;
    }
    run_rival_close(&rival);
    return good;
}

/* Measures what the run does not keep of its own positions. */
static bool measure_own(const char *path, const struct run_summary *s, int threads,
                        run_own_values *own, const struct fitness_watcher *watcher,
                        struct confirm_row rows[CONFIRM_SETS], struct error *err)
{
    const struct recipe recipe = whole_recipe(s);
    struct store *store = store_open(path, STORE_READ, err);
    struct fitness *f = store == NULL ? NULL : run_load_fitness(store, path, &recipe, threads, err);
    bool measured = f != NULL && measure(f, &recipe, s, own, watcher, &rows[CONFIRM_TRAIN],
                                         &rows[CONFIRM_HELD_OUT], err);
    if (f != NULL)
        f->method->destroy(f);
    store_close(store);
    return measured;
}

/* Measures both on another suite: that is the training data, and nothing is held out. */
static bool measure_suite(const char *suite, const struct run_summary *s, int threads,
                          run_own_values *own, const struct fitness_watcher *watcher,
                          struct confirm_row *row, struct error *err)
{
    struct recipe recipe = whole_recipe(s);
    recipe.train_count = 1;
    recipe.held_out_count = 0;
    recipe.split = SPLIT_NONE;
    recipe.first = 0;
    if (snprintf(recipe.train[0], RECIPE_PATH, "%s", suite) >= RECIPE_PATH)
        return error_set(err, "%s: the path is too long", suite);
    struct fitness *f = fitness_create(&recipe, threads, err);
    if (f == NULL)
        return false;
    row->best = NOT_MEASURED;
    bool measured = measure(f, &recipe, s, own, watcher, row, NULL, err);
    f->method->destroy(f);
    return measured;
}

/* True if a row has its value of the defaults, or needs none. */
static bool is_known(const struct confirm_row *row)
{
    return row->size == 0 || row->defaults != NOT_MEASURED;
}

bool run_confirm(const char *path, const struct run_summary *s, const char *suite, int threads,
                 run_own_values *own, const struct fitness_watcher *watcher,
                 struct confirm_row rows[CONFIRM_SETS], struct error *err)
{
    memset(rows, 0, CONFIRM_SETS * sizeof *rows);
    if (s->recipe.measure == MEASURE_GAMES)
        return error_set(err, "%s measures games among its organisms, not positions", path);
    /* The run's own positions, from what it keeps. */
    const struct generation_row *best = &s->rows[s->best_generation];
    rows[CONFIRM_TRAIN] = (struct confirm_row){s->train_size, best->measure, s->defaults.measure};
    if (s->recipe.batch > 0)
        rows[CONFIRM_TRAIN].best = rows[CONFIRM_TRAIN].defaults = NOT_MEASURED;
    if (best->held_out != NOT_MEASURED)
        rows[CONFIRM_HELD_OUT] =
            (struct confirm_row){s->held_out_size, best->held_out, s->defaults.held_out};
    return ((is_known(&rows[CONFIRM_TRAIN]) && is_known(&rows[CONFIRM_HELD_OUT])) ||
            measure_own(path, s, threads, own, watcher, rows, err)) &&
           (suite == NULL ||
            measure_suite(suite, s, threads, own, watcher, &rows[CONFIRM_SUITE], err));
}

/* ---- openings ---- */

static bool add_played(struct store *store, int generation, const struct book *book,
                       struct key_set *played, int64_t *all, struct error *err)
{
    struct game_record *games;
    size_t count;
    bool good = store_get_games(store, generation, &games, &count, err);
    *all += (int64_t)count;
    for (size_t i = 0; good && i < count; i++)
        if (games[i].opening >= 0 && (size_t)games[i].opening < book->count)
            good = key_set_add(played, opening_end(&book->items[games[i].opening]).key) ||
                   error_set(err, "no memory for %zu openings", book->count);
    free(games);
    return good;
}

bool run_confirm_openings(const char *store_path, const struct run_summary *s, struct book *book,
                          int64_t *games, struct error *err)
{
    enum { PLIES = 16 }; /* as coevolution.c reads it */
    struct book own = {0};
    struct key_set played = {0};
    struct store *store = store_open(store_path, STORE_READ, err);
    bool good = store != NULL && book_read(&own, s->recipe.openings, PLIES, err);
    size_t fresh = 0;
    *games = 0;
    for (int g = 0; good && g <= s->generation + 1; g++)
        good = add_played(store, g, &own, &played, games, err);
    for (size_t i = 0; good && i < book->count; i++)
        if (!key_set_has(&played, opening_end(&book->items[i]).key))
            book->items[fresh++] = book->items[i];
    if (good)
        book->count = fresh;
    key_set_free(&played);
    book_free(&own);
    store_close(store);
    return good;
}
