/* What a generation measures, when a write of it fails. */
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
