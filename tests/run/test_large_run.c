/* A run of 4,096 genes: it is stored, stopped, resumed and verified like any other. */
#include "many_genes.h"
#include "run.h"
#include "temporary.h"

#include <criterion/criterion.h>

enum { POPULATION = 20, GENERATIONS = 4 };

static bool measure_batch(struct fitness *f, const int32_t *values, int count,
                          const struct fitness_watcher *watcher, int64_t *measures)
{
    (void)f;
    (void)watcher;
    for (int o = 0; o < count; o++)
        measures[o] = many_genes_measure(values + (size_t)o * MANY_GENES);
    return true;
}

static int64_t score(const struct fitness *f, int64_t measure)
{
    (void)f;
    return measure;
}

static const struct objective_value value = {
    .name = "nearness",
    .across_generations = true,
    .over_positions = true,
    .words = &objective_position_words,
};

static const struct fitness_method method = {
    .name = "many_genes", .value = &value, .measure_batch = measure_batch, .score = score};

/* Creates the run at `path` and goes on until it ends, `generations` at a time. */
static void evolve(const char *path, struct fitness *fitness, const struct recipe *recipe,
                   bool piecewise)
{
    struct error err = {""};
    const struct run_observer observer = {.one_generation = piecewise};
    cr_assert(run_create_store(path, true, recipe, "text", fitness, NULL, &err), "%s", err.text);
    for (enum run_end end = RUN_STOPPED; end != RUN_COMPLETE;) {
        struct store *s = store_open(path, STORE_WRITE, &err);
        cr_assert_not_null(s, "%s", err.text);
        end = run_loop(fitness, recipe, s, &observer, &err);
        cr_assert(end == RUN_COMPLETE || (piecewise && end == RUN_STOPPED), "%s", err.text);
        store_close(s);
    }
}

/* The best organism of a run. */
static void read_best(const char *path, int words, uint64_t *best)
{
    struct error err = {""};
    int generation, index;
    struct store *s = store_open(path, STORE_READ, &err);
    cr_assert_not_null(s, "%s", err.text);
    cr_assert(store_get_best(s, false, &generation, &index, best, words, &err), "%s", err.text);
    store_close(s);
}

static void verify(const char *path, struct fitness *fitness, const struct recipe *recipe)
{
    struct error err = {""};
    struct run_verified verified;
    const struct run_observer nobody = {0};
    struct store *s = store_open(path, STORE_READ, &err);
    cr_assert_not_null(s, "%s", err.text);
    cr_assert_eq(run_replay(fitness, recipe, s, 0, &nobody, &verified, &err), RUN_COMPLETE, "%s",
                 err.text);
    cr_assert_eq(verified.organisms, POPULATION * (GENERATIONS + 1));
    store_close(s);
}

Test(large_run, goes_on_where_it_stopped)
{
    struct temporary t = temporary_make();
    struct param *genes = many_genes_make();
    struct fitness fitness = {
        .method = &method, .space = {"many", genes, MANY_GENES}, .threads = 1};
    struct recipe recipe = {.name = "many", .seed = 7, .generations = GENERATIONS};
    uint64_t best[2][MANY_GENES * MANY_BITS / 64];
    const int words = sizeof best[0] / sizeof best[0][0];
    recipe.optimiser = optimiser_default_settings(OPTIMISER_GENETIC);
    recipe.optimiser.population = POPULATION;
    recipe.optimiser.defaults = 0.2;
    for (int piecewise = 0; piecewise < 2; piecewise++) {
        const char *path = temporary_file(&t, "run.db");
        evolve(path, &fitness, &recipe, piecewise);
        verify(path, &fitness, &recipe);
        read_best(path, words, best[piecewise]);
    }
    cr_assert(chromosome_equal(best[0], best[1], words));
    free(genes);
    temporary_remove(&t);
}
