/* What a generation measures, when a write of it fails; and the champions of all generations. */
#include "run_work.h"

#include "one_max.h"
#include "temporary.h"

#include <criterion/criterion.h>
#include <math.h>

enum { POPULATION = 4 };

/* Tells of the work on each organism, and then its value. */
static bool measure_batch(struct fitness *f, const int32_t *values, int count,
                          const struct fitness_watcher *watcher, int64_t *measures)
{
    (void)f;
    for (int o = 0; o < count; o++) {
        fitness_tell_worked(watcher, o + 1, count);
        measures[o] = one_max_ones(values + o * ONE_MAX_GENES, 1, 6);
        if (!watcher->measured(watcher->context, o, measures[o]))
            return false;
    }
    return true;
}

static const struct fitness_method method = {
    .name = "told",
    .value = &one_max_value,
    .work = "organism",
    .measure_batch = measure_batch,
    .measure_held_out = one_max_held_out,
    .score = one_max_score,
};

/* A file that refuses the first write, and takes the second. */
struct moody {
    struct run *run;
    int told;
};

/* A transaction that is open refuses another one. Each write is due: nothing depends on the clock. */
static void open_or_close(void *context, const struct run_progress *p)
{
    struct moody *m = context;
    struct error err = {""};
    (void)p;
    m->told++;
    if (m->told == 1)
        cr_assert(store_begin(m->run->store, &err), "%s", err.text);
    else if (m->told == 2)
        cr_assert(store_commit(m->run->store, &err), "%s", err.text);
    m->run->told_at = m->run->kept_at = -INFINITY;
}

/* The value that follows is not written at once, but it does not make the failure good. */
Test(run_work, a_write_that_failed_ends_the_generation)
{
    struct temporary t = temporary_make();
    struct error err = {""};
    struct run r;
    struct moody moody = {.run = &r};
    const struct recipe recipe = one_max_recipe(POPULATION, 1);
    const struct run_observer observer = {.context = &moody, .progress = open_or_close};
    struct one_max m = one_max_make(1, true);
    m.base.method = &method;
    const char *path = temporary_file(&t, "run.db");
    cr_assert(run_create_store(path, false, &recipe, "name: ones\n", &m.base, NULL, &err), "%s",
              err.text);
    struct store *s = store_open(path, STORE_WRITE, &err);
    cr_assert_not_null(s, "%s", err.text);
    cr_assert(run_init(&r, &m.base, &recipe, s, &observer, &err), "%s", err.text);
    r.tells = true;
    cr_assert_eq(run_measure_generation(&r, &err), RUN_FAILED);
    cr_assert_eq(moody.told, 1, "it went on after the failure");
    cr_assert_not_null(strstr(err.text, "transaction"), "%s", err.text);
    run_release(&r);
    store_close(s);
    temporary_remove(&t);
}

static const struct fitness_method playing = {
    .name = "playing",
    .value = &one_max_value,
    .plays = true,
    .score = one_max_score,
};

/* The genes that stand in for a generation's best. */
static void expect_champion(const struct run *r, int generation)
{
    int32_t genes[ONE_MAX_GENES];
    const uint64_t *chromosome = r->optimiser.organisms[generation % POPULATION].chromosome;
    genome_decode(&r->genome, chromosome, genes);
    cr_assert_arr_eq(r->champions + generation * ONE_MAX_GENES, genes, sizeof genes,
                     "generation %d", generation);
}

/* However many the run may come to have. */
Test(run_work, champions_take_the_memory_of_the_generations_that_there_are)
{
    enum { GENERATIONS = 100 };
    struct temporary t = temporary_make();
    struct error err = {""};
    struct run r;
    const struct recipe recipe = one_max_recipe(POPULATION, 1000000);
    const struct run_observer nobody = {0};
    struct one_max m = one_max_make(1, true);
    m.base.method = &playing;
    const char *path = temporary_file(&t, "run.db");
    cr_assert(run_create_store(path, false, &recipe, "name: ones\n", &m.base, NULL, &err), "%s",
              err.text);
    struct store *s = store_open(path, STORE_WRITE, &err);
    cr_assert_not_null(s, "%s", err.text);
    cr_assert(run_init(&r, &m.base, &recipe, s, &nobody, &err), "%s", err.text);
    cr_assert_null(r.champions);
    cr_assert_eq(run_find_genomes(&r, &err), POPULATION, "%s", err.text);
    for (int g = 0; g < GENERATIONS; g++) {
        r.optimiser.generation = g;
        cr_assert(run_note_best(&r, g % POPULATION, &err), "%s", err.text);
        cr_assert(g < r.champion_room && r.champion_room <= 2 * GENERATIONS + 16);
    }
    for (int g = 0; g < GENERATIONS; g++)
        expect_champion(&r, g);
    run_release(&r);
    store_close(s);
    temporary_remove(&t);
}
