#include "run_work.h"

#include "fitness_kinds.h"
#include "key_set.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Reports why a measurement has no result. */
static bool fail(const struct fitness *f, struct error *err)
{
    *err = f->failed;
    return false;
}

/* ---- the positions of the run ---- */

/* Measures one organism on all positions. */
static bool measure(struct fitness *f, const int32_t *genes, const struct fitness_watcher *watcher,
                    int64_t *value, struct error *err)
{
    return f->method->measure_batch(f, genes, 1, watcher, value) || fail(f, err);
}

/* Measures what the rows lack: the defaults, and the best organism of a run on batches. */
static bool measure_own(struct fitness *f, const int32_t *best, const struct run_rival *rival,
                        const struct fitness_watcher *watcher,
                        struct confirm_row rows[CONFIRM_SETS], struct error *err)
{
    struct confirm_row *train = &rows[CONFIRM_TRAIN], *held_out = &rows[CONFIRM_HELD_OUT];
    struct fitness *other = rival->fitness;
    train->size = f->train_size;
    if (!measure(other, rival->values, watcher, &train->defaults, err) ||
        (train->best == NOT_MEASURED && !measure(f, best, watcher, &train->best, err)))
        return false;
    if (held_out->size == 0)
        return true;
    held_out->defaults = other->method->measure_held_out(other, rival->values, watcher);
    return held_out->defaults != NOT_MEASURED || fail(other, err);
}

/* Makes of the run's recipe the one for all its training positions: those of a batch are of one
 * generation. There is no fitness, whose power may be too large for so many. */
static void whole_recipe(const struct run_summary *s, struct recipe *whole)
{
    *whole = s->recipe;
    whole->batch = 0;
    whole->power = 1;
}

/* Measures what the run does not keep. */
static bool measure_rows(const char *path, const struct run_summary *s, int threads,
                         run_own_values *own, const struct fitness_watcher *watcher,
                         struct confirm_row rows[CONFIRM_SETS], struct error *err)
{
    struct recipe recipe;
    struct run_rival rival;
    whole_recipe(s, &recipe);
    struct store *store = store_open(path, STORE_READ, err);
    struct fitness *f = store == NULL ? NULL : run_load_fitness(store, path, &recipe, threads, err);
    bool measured = false;
    if (f != NULL) {
        measured = run_rival_open(&rival, f, &recipe, own, err) &&
                   measure_own(f, s->best, &rival, watcher, rows, err);
        run_rival_close(&rival);
        f->method->destroy(f);
    }
    store_close(store);
    return measured;
}

/* Fills the rows of the run's own positions, from what it keeps. */
static void recall(const struct run_summary *s, struct confirm_row rows[CONFIRM_SETS])
{
    const struct generation_row *best = &s->rows[s->best_generation];
    rows[CONFIRM_TRAIN] = (struct confirm_row){s->train_size, best->measure, s->defaults.measure};
    if (s->recipe.batch > 0)
        rows[CONFIRM_TRAIN].best = rows[CONFIRM_TRAIN].defaults = NOT_MEASURED;
    if (best->held_out != NOT_MEASURED)
        rows[CONFIRM_HELD_OUT] =
            (struct confirm_row){s->held_out_size, best->held_out, s->defaults.held_out};
}

/* True if a row has its value of the defaults, or needs none. */
static bool is_known(const struct confirm_row *row)
{
    return row->size == 0 || row->defaults != NOT_MEASURED;
}

/* ---- another suite ---- */

/* The run's recipe, with the suite for its training data and nothing held out. */
static bool suite_recipe(const struct run_summary *s, const char *suite, struct recipe *recipe,
                         struct error *err)
{
    whole_recipe(s, recipe);
    recipe->train_count = 1;
    recipe->held_out_count = 0;
    recipe->split = SPLIT_NONE;
    recipe->first = 0;
    int length = snprintf(recipe->train[0], RECIPE_PATH, "%s", suite);
    return length < RECIPE_PATH || error_set(err, "%s: the path is too long", suite);
}

/* Measures both on the suite. */
static bool measure_suite(const struct recipe *recipe, const struct run_summary *s,
                          run_own_values *own, int threads, const struct fitness_watcher *watcher,
                          struct confirm_row *row, struct error *err)
{
    struct run_rival rival;
    struct fitness *f = fitness_create(recipe, threads, err);
    if (f == NULL)
        return false;
    row->size = f->train_size;
    bool measured = run_rival_open(&rival, f, recipe, own, err) &&
                    measure(rival.fitness, rival.values, watcher, &row->defaults, err) &&
                    measure(f, s->best, watcher, &row->best, err);
    run_rival_close(&rival);
    f->method->destroy(f);
    return measured;
}

/* ---- both ---- */

bool run_confirm(const char *path, const struct run_summary *s, const char *suite, int threads,
                 run_own_values *own, const struct fitness_watcher *watcher,
                 struct confirm_row rows[CONFIRM_SETS], struct error *err)
{
    struct recipe recipe;
    memset(rows, 0, CONFIRM_SETS * sizeof *rows);
    if (s->recipe.measure == MEASURE_GAMES)
        return error_set(err, "%s measures games among its organisms, not positions", path);
    recall(s, rows);
    if ((!is_known(&rows[CONFIRM_TRAIN]) || !is_known(&rows[CONFIRM_HELD_OUT])) &&
        !measure_rows(path, s, threads, own, watcher, rows, err))
        return false;
    return suite == NULL ||
           (suite_recipe(s, suite, &recipe, err) &&
            measure_suite(&recipe, s, own, threads, watcher, &rows[CONFIRM_SUITE], err));
}

/* ---- openings ---- */

/* The key of the position in which an opening ends. */
static uint64_t end_of(const struct opening *o)
{
    struct position p = o->start;
    for (int i = 0; i < o->plies; i++) {
        struct undo undo;
        position_make(&p, o->moves[i], &undo);
    }
    return p.key;
}

/* Adds the openings of a generation's games. */
static bool add_played(struct store *store, int generation, const struct book *book,
                       struct key_set *played, int64_t *all, struct error *err)
{
    struct game_record *games;
    size_t count;
    bool good = store_get_games(store, generation, &games, &count, err);
    *all += (int64_t)count;
    for (size_t i = 0; good && i < count; i++)
        if (games[i].opening >= 0 && (size_t)games[i].opening < book->count)
            good = key_set_add(played, end_of(&book->items[games[i].opening])) ||
                   error_set(err, "no memory for %zu openings", book->count);
    free(games);
    return good;
}

bool run_confirm_openings(const char *store_path, const struct run_summary *s,
                          const struct book *book, bool *fresh, size_t *count, int64_t *games,
                          struct error *err)
{
    enum { PLIES = 16 }; /* as coevolution.c reads it */
    struct book own = {0};
    struct key_set played = {0};
    struct store *store = store_open(store_path, STORE_READ, err);
    bool good = store != NULL && book_read(&own, s->recipe.openings, PLIES, err);
    *games = 0;
    *count = 0;
    for (int g = 0; good && g <= s->generation + 1; g++)
        good = add_played(store, g, &own, &played, games, err);
    for (size_t i = 0; good && i < book->count; i++)
        *count += fresh[i] = !key_set_has(&played, end_of(&book->items[i]));
    key_set_free(&played);
    book_free(&own);
    store_close(store);
    return good;
}
