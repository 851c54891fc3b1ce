#include "lab_runs.h"

#include "checksum.h"
#include "run.h"
#include "store.h"
#include "values.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SETTINGS = 8, SETTING = 8 * RECIPE_PATH };

/* ---- whether a run that is kept is the one that a recipe asks for ----
 *
 * It has the values of the recipe, and its positions and parameter files are the recipe's by SHA-256.
 * Names and paths may differ. What the recipe's space says is compared by resuming; the organisms that it
 * begins with, and the opponent, which changes no generation, are not. */

/* Replaces a path, so that only its presence is compared. */
static bool hide_path(void *context, const char *role, char path[RECIPE_PATH], struct error *err)
{
    (void)context;
    (void)role;
    (void)err;
    memset(path, 0, RECIPE_PATH);
    memcpy(path, "file", sizeof "file");
    return true;
}

/* The text of a recipe without its name and paths. The caller frees it. */
static char *values_text(const struct recipe *recipe, struct error *err)
{
    struct recipe bare = *recipe;
    memset(bare.name, 0, sizeof bare.name);
    recipe_each_file(&bare, hide_path, NULL, err);
    char *text = recipe_text(&bare);
    if (text == NULL)
        error_set(err, "no memory for a recipe");
    return text;
}

/* The first line, without its indentation, that differs from another text. */
static const char *first_difference(const char *text, const char *other, int *length)
{
    size_t at = 0;
    while (text[at] != '\0' && text[at] == other[at])
        at++;
    while (at > 0 && text[at - 1] != '\n')
        at--;
    at += strspn(text + at, " ");
    *length = (int)strcspn(text + at, "\n");
    return text + at;
}

static bool same_values(const char *path, const struct recipe *kept, const struct recipe *wanted,
                        struct error *err)
{
    char *then = values_text(kept, err), *now = then == NULL ? NULL : values_text(wanted, err);
    bool good = now != NULL;
    if (good && strcmp(then, now) != 0) {
        int lengths[2];
        const char *had = first_difference(then, now, &lengths[0]);
        const char *asked = first_difference(now, then, &lengths[1]);
        good = error_set(err,
                         "%s is a run of another recipe than %s: it has \"%.*s\", and not "
                         "\"%.*s\"; move it away",
                         path, wanted->name, lengths[0], had, lengths[1], asked);
    }
    free(then);
    free(now);
    return good;
}

/* The files of a run, which are kept in the order of its recipe. */
struct checking {
    const char *path; /* of the run */
    struct store_rows rows;
};

/* Compares a file of the wanted recipe with the next of the run. */
static bool same_file(void *context, const char *role, char path[RECIPE_PATH], struct error *err)
{
    struct checking *c = context;
    const char *kept, *file, *sha256;
    char now[CHECKSUM_MAX];
    if (strcmp(role, "space") == 0 || strcmp(role, "seeds") == 0)
        return true;
    if (!store_next(&c->rows, "ttt", &kept, &file, &sha256) || strcmp(kept, role) != 0)
        return error_set(err, "%s has no %s, as %s; move it away", c->path, role, path);
    return strcmp(role, "opponent") == 0 ||
           (values_checksum(path, now, err) &&
            (strcmp(now, sha256) == 0 ||
             error_set(err,
                       "%s is a run on another %s (%s): its SHA-256 was %s and is %s; put the old "
                       "file back, or move the run away",
                       c->path, path, role, sha256, now)));
}

/* ---- evolving ---- */

/* A run in progress. */
struct evolving {
    struct experiment *x;
    const char *step;
};

static bool generation_done(void *context, const struct generation_row *row, int generations)
{
    struct evolving *e = context;
    const struct experiment_observer *o = e->x->observer;
    o->progress(o->context, "generation", e->step, row->generation, generations);
    return true;
}

/* True if the run of this name exists. `path` is its path, NAME.db or compressed NAME.db.zst; or, if it
 * does not exist, the path to create. */
static bool find_run(const struct experiment *x, const char *name, char path[RECIPE_PATH])
{
    static const char *const endings[] = {".db.zst", ".db"};
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
        snprintf(path, RECIPE_PATH, "%.900s/%s%s", x->runs, name, endings[i]);
        if (access(path, F_OK) == 0)
            return true;
    }
    return false;
}

/* Resumes an existing run. Refuses a run of another recipe, and leaves a complete one unchanged. */
static enum run_end go_on(struct experiment *x, const char *path, const struct recipe *wanted,
                          const struct run_observer *observer, struct error *err)
{
    struct run_summary there;
    struct recipe recipe = *wanted;
    if (!run_summary_read(path, &there, err))
        return RUN_REFUSED;
    struct store *s = store_open(path, STORE_READ, err);
    bool same = s != NULL && same_values(path, &there.recipe, wanted, err);
    if (same) {
        struct checking c = {path, store_data(s)};
        same = recipe_each_file(&recipe, same_file, &c, err);
        same = store_end(&c.rows, err) && same;
    }
    const bool complete = there.complete;
    store_close(s);
    run_summary_free(&there);
    if (!same)
        return RUN_REFUSED;
    return complete ? RUN_COMPLETE : run_resume(path, 0, x->threads, observer, err);
}

static void fill(struct lab_table *t, const struct yaml_node *entry, const char *key, char *text,
                 size_t size)
{
    lab_fill(t, entry, data_text(t->x, entry, key), text, size);
}

/* "["RUNS/paper-seed1.db", ...]": the paths of the runs of another entry. */
static bool paths_of(struct lab_table *t, const char *name, char paths[SETTING], struct error *err)
{
    const struct yaml_node *entry = data_entry(t->x, "runs", name);
    const int seeds = (int)data_number(t->x, entry, "seeds", 1);
    size_t used = 0;
    for (int seed = 1; seed <= seeds && used < SETTING; seed++) {
        char run[GRID_TEXT], path[RECIPE_PATH];
        lab_word(t, "seed", "%d", seed);
        fill(t, entry, "name", run, sizeof run);
        find_run(t->x, run, path);
        used += (size_t)snprintf(paths + used, SETTING - used, "%s\"%s\"%s", seed > 1 ? ", " : "[",
                                 path, seed == seeds ? "]" : "");
    }
    return used < SETTING || error_set(err, "the path of the runs, %s, is too long", t->x->runs);
}

/* The settings of an entry: those of the size, and those that begin with other runs' paths. */
static bool make_settings(struct lab_table *t, const struct yaml_node *entry, int seed,
                          char settings[SETTINGS][SETTING], int *count, struct error *err)
{
    static const char *const lists[] = {"settings", "more"};
    const char *begin_with = data_text(t->x, entry, "seeds of");
    char paths[SETTING];
    *count = 0;
    if (begin_with != NULL) {
        if (!paths_of(t, begin_with, paths, err))
            return false;
        snprintf(settings[(*count)++], SETTING, "ga.seeds=%.8000s", paths);
    }
    lab_word(t, "seed", "%d", seed);
    lab_word(t, "draw", "%d", (seed - 1) % 5 + 1);
    for (int list = 0; list < 2; list++) {
        const struct yaml_node *texts = data_find(t->x, entry, lists[list]);
        for (int i = 0; i < data_count(texts); i++)
            lab_fill(t, entry, data_text_at(texts, i), settings[(*count)++], SETTING);
    }
    return true;
}

static bool evolve_seed(struct lab_table *t, const struct yaml_node *entry, int seed,
                        struct run_summary *summary, struct error *err)
{
    struct experiment *x = t->x;
    char recipe_path[RECIPE_PATH], path[RECIPE_PATH], name[GRID_TEXT], step[GRID_TEXT];
    char(*texts)[SETTING] = malloc(SETTINGS * sizeof *texts);
    const char *settings[SETTINGS];
    struct recipe *recipe = malloc(sizeof *recipe);
    struct evolving evolving = {x, step};
    const struct run_observer observer = {
        .context = &evolving, .generation = generation_done, .stop = x->stop};
    int count = 0;
    bool good = (texts != NULL && recipe != NULL) || error_set(err, "no memory for a recipe");
    good = good && make_settings(t, entry, seed, texts, &count, err);
    for (int i = 0; i < count; i++)
        settings[i] = texts[i];
    fill(t, entry, "name", name, sizeof name);
    fill(t, entry, "step", step, sizeof step);
    snprintf(recipe_path, sizeof recipe_path, "%s/%s", x->recipes, data_text(x, entry, "recipe"));
    bool there = find_run(x, name, path);
    good = good && recipe_read(recipe_path, settings, count, recipe, err);
    if (good)
        good =
            (there ? go_on(x, path, recipe, &observer, err)
                   : run_evolve(recipe, path, false, x->threads, &observer, err)) == RUN_COMPLETE &&
            run_summary_read(path, summary, err);
    free(texts);
    free(recipe);
    return good;
}

const struct lab_runs *lab_runs_evolve(struct lab_table *t, const char *name, struct error *err)
{
    struct experiment *x = t->x;
    const struct yaml_node *entry = data_entry(x, "runs", name);
    const char *needs = data_text(x, entry, "needs");
    const enum experiment_size size = x->size;
    struct dataset d = {0};
    struct lab_runs *runs = calloc(1, sizeof *runs);
    if (runs == NULL)
        return error_null(err, "no memory for the runs of %s", name);
    runs->next = t->runs;
    t->runs = runs;
    bool good = needs == NULL || test_suite_load(x->data, needs, x->suites, &d, err);
    dataset_free(&d);
    lab_word(t, "recipes", "%s", x->recipes);
    lab_word(t, "suites", "%s", x->suites);
    /* A complete run of the paper's size serves the usual size too. */
    if (size == SIZE_USUAL && data_text(x, entry, "complete one serves") != NULL) {
        char overnight[GRID_TEXT], path[RECIPE_PATH];
        struct run_summary there = {0};
        struct error ignored;
        x->size = SIZE_OVERNIGHT;
        fill(t, entry, "name", overnight, sizeof overnight);
        if (!find_run(x, overnight, path) || !run_summary_read(path, &there, &ignored) ||
            !there.complete)
            x->size = size;
        run_summary_free(&there);
    }
    const int seeds = (int)data_number(x, entry, "seeds", 1);
    while (good && runs->count < seeds) {
        good = evolve_seed(t, entry, runs->count + 1, &runs->of[runs->count], err);
        runs->count += good;
    }
    x->size = size;
    return good ? runs : NULL;
}

void lab_runs_free(struct lab_runs *runs)
{
    while (runs != NULL) {
        struct lab_runs *next = runs->next;
        while (runs->count > 0)
            run_summary_free(&runs->of[--runs->count]);
        free(runs);
        runs = next;
    }
}

/* ---- what has evolved ---- */

struct eval_weights evolved_weights(const struct run_summary *run)
{
    struct eval_weights w;
    memcpy(w.value, run->best, sizeof w.value);
    return w;
}

bool evolved_engines(struct lab_table *t, struct evolved_engine of[EVOLVED_ENGINES],
                     struct error *err)
{
    const char *star = lab_text(t, "coevolution");
    const struct lab_runs *coevolution = NULL, *search;
    const struct lab_runs *paper = lab_runs_evolve(t, "paper", err);
    if (paper == NULL || (star != NULL && (coevolution = lab_runs_evolve(t, star, err)) == NULL) ||
        (search = lab_runs_evolve(t, "search", err)) == NULL)
        return false;
    const struct run_summary *winner = &paper->of[0], *s = &search->of[0];
    const struct search_params params = search_params_from(&s->space, s->best);
    for (int i = 1; i < paper->count; i++)
        if (paper->of[i].rows[paper->of[i].generation].held_out >
            winner->rows[winner->generation].held_out)
            winner = &paper->of[i];
    of[EVOL_STAR] = (struct evolved_engine){.name = "EVOL*", .params = params};
    if (star != NULL) {
        of[EVOL_STAR].weights = evolved_weights(&coevolution->of[0]);
        lab_word(t, "coevolved", "%d", coevolution->of[0].generation);
    }
    of[EVOL_0] = (struct evolved_engine){"EVOL0", evolved_weights(winner), params};
    of[PUBLISHED] = (struct evolved_engine){"published values", eval_initial_weights(),
                                            search_initial_params()};
    lab_word(t, "runs", "%d", paper->count);
    lab_word(t, "search generations", "%d", s->generation);
    lab_count_word(t, "search nodes", s->recipe.limit);
    return true;
}
