#include "night.h"

#include "clock.h"
#include "night_match.h"
#include "paths.h"
#include "version.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A night in progress. */
struct night {
    const char *path;
    const struct night_recipe *recipe;
    const struct night_observer *observer;
    int threads;
    double seconds; /* time of all stages */
    struct night_run_summary *runs;
    int run_count;
};

/* ---- the runs of a night ---- */

/* Reads the night's property "NAME.WHAT" of a run; malloc'ed, NULL if absent. */
static char *get_note(struct store *s, const struct night_run *run, const char *what)
{
    char key[STORE_STAGE + 16];
    snprintf(key, sizeof key, "%s.%s", run->name, what);
    return store_get(s, key);
}

/* Seconds spent on the complete generations of a run, known even if the run was killed. */
static double recorded_seconds(const struct night_run *run)
{
    int count = 0;
    double seconds = 0;
    struct store *s = store_open(run->path, STORE_READ, NULL);
    struct generation_row *rows = s == NULL ? NULL : store_get_rows(s, &count, NULL);
    for (int g = 0; g < count; g++)
        seconds += rows[g].seconds;
    free(rows);
    store_close(s);
    return seconds;
}

/* Reads the state of a run and its time. */
static void read_state(struct store *s, struct night_run_summary *r)
{
    char *ended = get_note(s, &r->run, "ended"), *seconds = get_note(s, &r->run, "seconds");
    r->state = ended != NULL ? strcmp(ended, "time") == 0 ? NIGHT_TIME : NIGHT_COMPLETE
               : night_run_has_store(&r->run) ? NIGHT_BEGUN
                                              : NIGHT_WAITING;
    r->seconds = seconds == NULL ? 0 : strtod(seconds, NULL);
    if (r->state == NIGHT_BEGUN)
        r->seconds = fmax(r->seconds, recorded_seconds(&r->run));
    free(ended);
    free(seconds);
}

/* Lists all runs of the night in order; malloc'ed, *count of them. */
static struct night_run_summary *list_runs(const char *path, const struct night_recipe *recipe,
                                           int *count, struct error *err)
{
    *count = 0;
    for (int i = 0; i < recipe->stage_count; i++)
        *count += night_stage_runs(&recipe->stages[i]);
    struct night_run_summary *runs = calloc((size_t)*count, sizeof *runs);
    struct store *s = store_open(path, STORE_READ, err);
    bool read = s != NULL && (runs != NULL || error_set(err, "no memory for the stages"));
    for (int i = 0, n = 0; read && i < recipe->stage_count; i++)
        for (int r = 0; r < night_stage_runs(&recipe->stages[i]); r++, n++) {
            runs[n].run = night_run_named(path, &recipe->stages[i], r);
            read_state(s, &runs[n]);
        }
    store_close(s);
    if (!read) {
        free(runs);
        return NULL;
    }
    return runs;
}

/* ---- time ---- */

/* A run's share of its stage's time. */
static double share_of(const struct night_run *run)
{
    return run->stage->share / night_stage_runs(run->stage);
}

/* The seconds that run `n` may still take: its share of the time left to all unfinished runs. */
static double time_for(const struct night *night, int n)
{
    double left = night->seconds, weights = 0;
    for (int i = 0; i < night->run_count; i++) {
        const struct night_run_summary *r = &night->runs[i];
        if (r->state == NIGHT_COMPLETE || r->state == NIGHT_TIME)
            left -= r->seconds;
        else
            weights += share_of(&r->run);
    }
    double seconds = left * share_of(&night->runs[n].run) / weights - night->runs[n].seconds;
    return seconds > 0 ? seconds : 0;
}

/* ---- a run ---- */

/* Makes the recipe of a run, with the outcome of the earlier stages that it reads. */
static bool prepare_recipe(const struct night *night, const struct night_run *run,
                           struct recipe *recipe, struct error *err)
{
    const struct night_stage *seeds = night_stage_find(night->recipe, run->stage->seeds);
    const struct night_stage *evaluation = night_stage_find(night->recipe, run->stage->evaluation);
    char directory[PATH_SIZE], path[NIGHT_PATH];
    *recipe = *run->stage->recipe;
    recipe->seed = night->recipe->seed + (uint64_t)run->index;
    if (!path_directory(night->path, directory, err))
        return false;
    for (int i = 0; seeds != NULL && i < night_stage_runs(seeds); i++) {
        struct night_run seed = night_run_named(night->path, seeds, i);
        const char *name = strrchr(seed.path, '/');
        if (!path_absolute(directory, name == NULL ? seed.path : name + 1, recipe->seeds[i], err))
            return false;
        recipe->seed_count = i + 1;
    }
    if (evaluation == NULL)
        return true;
    if (!night_best_run(night->path, evaluation, path, err))
        return false;
    const char *name = strrchr(path, '/');
    return path_absolute(directory, name == NULL ? path : name + 1, recipe->evaluation, err);
}

/* Starts a run, or resumes it. */
static enum run_end start_or_resume(const struct night *night, const struct night_run *run,
                                    const struct run_observer *observer, struct error *err)
{
    struct recipe recipe;
    if (run->stage->is_match)
        return night_match_play(night->path, night->recipe, run, night->threads, observer, err);
    if (night_run_has_store(run))
        return run_resume(run->path, night->threads, observer, err);
    if (!prepare_recipe(night, run, &recipe, err))
        return RUN_FAILED;
    return run_evolve(&recipe, run->path, false, night->threads, observer, err);
}

/* Stores the time a run took and how it ended (NULL: not yet) in the night's own store. */
static bool note_run(const struct night *night, const struct night_run_summary *r,
                     const char *ended, struct error *err)
{
    char key[STORE_STAGE + 16], seconds[32];
    struct store *s = store_open(night->path, STORE_WRITE, err);
    if (s == NULL)
        return false;
    snprintf(key, sizeof key, "%s.seconds", r->run.name);
    snprintf(seconds, sizeof seconds, "%.3f", r->seconds);
    bool noted = store_begin(s, err) && store_put(s, key, seconds, err);
    snprintf(key, sizeof key, "%s.ended", r->run.name);
    noted = noted && (ended == NULL || store_put(s, key, ended, err)) && store_commit(s, err);
    store_close(s);
    return noted;
}

/* True if a run that is out of time has a result for later stages. */
static bool has_outcome(const struct night_run *run)
{
    struct store *s = store_open(run->path, STORE_READ, NULL);
    bool has = s != NULL && (run->stage->is_match || store_last_generation(s) >= 0);
    store_close(s);
    return has;
}

/* Runs until it completes or its time is over. If there is no result by then, continues to the end
 * of the first generation, so that a stage with too little time does not fail the night. */
static enum run_end run_in_time(struct night *night, const struct night_run *run, double seconds,
                                bool *time_up, struct error *err)
{
    const struct night_observer *o = night->observer;
    const struct run_observer *observer = o->begins(o->context, run, seconds);
    enum run_end end = start_or_resume(night, run, observer, err);
    *time_up = end == RUN_STOPPED && o->time_up(o->context);
    if (!*time_up || has_outcome(run))
        return end;
    o->overtime(o->context, run);
    struct run_observer first = *observer;
    first.one_generation = true;
    end = start_or_resume(night, run, &first, err);
    *time_up = end == RUN_STOPPED && has_outcome(run);
    return end;
}

/* Starts or resumes run `n` of the night. */
static enum run_end complete_run(struct night *night, int n, struct error *err)
{
    struct night_run_summary *r = &night->runs[n];
    bool time_up;
    double start = clock_seconds();
    enum run_end end = run_in_time(night, &r->run, time_for(night, n), &time_up, err);
    r->seconds += clock_seconds() - start;
    if (end != RUN_COMPLETE && !time_up) {
        note_run(night, r, NULL, NULL);
        return end == RUN_REFUSED ? RUN_FAILED : end;
    }
    r->state = time_up ? NIGHT_TIME : NIGHT_COMPLETE;
    if (!note_run(night, r, time_up ? "time" : "complete", err))
        return RUN_FAILED;
    night->observer->ends(night->observer->context, &r->run, !time_up);
    return RUN_COMPLETE;
}

/* ---- the night ---- */

/* Seconds that all runs took so far. */
static double spent_seconds(const struct night_run_summary *runs, int count)
{
    double spent = 0;
    for (int n = 0; n < count; n++)
        spent += runs[n].seconds;
    return spent;
}

/* The time limit of a night, in seconds. */
static double given_seconds(struct store *s, const struct night_recipe *recipe)
{
    char *text = store_get(s, "seconds");
    double given = text == NULL ? 3600 * recipe->hours : strtod(text, NULL);
    free(text);
    return given;
}

/* Sets and stores the time limit: `seconds` from now on if > 0, else the old limit. */
static bool set_time(struct night *night, double seconds, struct error *err)
{
    char text[32];
    struct store *s = store_open(night->path, STORE_WRITE, err);
    if (s == NULL)
        return false;
    night->seconds = seconds > 0 ? seconds + spent_seconds(night->runs, night->run_count)
                                 : given_seconds(s, night->recipe);
    snprintf(text, sizeof text, "%.3f", night->seconds);
    bool noted = store_begin(s, err) && store_put(s, "seconds", text, err) && store_commit(s, err);
    store_close(s);
    return noted;
}

/* Runs everything that has not ended. */
static enum run_end complete_runs(struct night *night, double seconds, struct error *err)
{
    night->runs = list_runs(night->path, night->recipe, &night->run_count, err);
    if (night->runs == NULL)
        return RUN_FAILED;
    enum run_end end = set_time(night, seconds, err) ? RUN_COMPLETE : RUN_FAILED;
    for (int n = 0; n < night->run_count && end == RUN_COMPLETE; n++)
        if (night->runs[n].state != NIGHT_COMPLETE && night->runs[n].state != NIGHT_TIME)
            end = complete_run(night, n, err);
    free(night->runs);
    return end;
}

/* Creates the night's own store with every value of the recipe spelled out and paths relative to
 * the store. */
static bool create_store(const char *path, bool force, struct night_recipe *recipe,
                         struct error *err)
{
    char directory[PATH_SIZE];
    struct path_view to = {path_relative, directory}, back = {path_absolute, directory};
    if (!path_directory(path, directory, err))
        return false;
    if (!night_recipe_each_file(recipe, recipe_view_path, &to, err))
        return false;
    char *text = night_recipe_text(recipe), seed[32];
    snprintf(seed, sizeof seed, "%llu", (unsigned long long)recipe->seed);
    struct store *s = text == NULL ? NULL : store_create(path, force, err);
    bool created = s != NULL && store_put(s, "version", GRAYLING_VERSION, err) &&
                   store_put_moment(s, "created", err) && store_put(s, "night", text, err) &&
                   store_put(s, "name", recipe->name, err) && store_put(s, "seed", seed, err);
    created = created ? store_publish(s, err) : (store_close(s), false);
    free(text);
    return night_recipe_each_file(recipe, recipe_view_path, &back, err) && created;
}

/* Loads the recipe of a night, with absolute paths. */
static bool load_recipe(const char *path, struct night_recipe *recipe, bool *running, double *given,
                        struct error *err)
{
    char directory[PATH_SIZE];
    struct path_view to = {path_absolute, directory};
    struct store *s = store_open(path, STORE_READ, err);
    char *text = s == NULL ? NULL : store_get(s, "night");
    bool loaded = s != NULL && (text != NULL || error_set(err, "%s is a run, not a night", path));
    if (s != NULL)
        *running = store_running(s);
    loaded = loaded && night_recipe_from_text(path, text, recipe, err);
    if (loaded)
        *given = given_seconds(s, recipe);
    store_close(s);
    free(text);
    if (loaded && path_directory(path, directory, err) &&
        night_recipe_each_file(recipe, recipe_view_path, &to, err))
        return true;
    if (loaded)
        night_recipe_free(recipe);
    return false;
}

enum run_end night_evolve(struct night_recipe *recipe, const char *path, bool force, double seconds,
                          int threads, const struct night_observer *observer, struct error *err)
{
    struct night night = {.path = path, .recipe = recipe, .observer = observer, .threads = threads};
    if (!store_available(path, force, err) || !create_store(path, force, recipe, err))
        return RUN_REFUSED;
    return complete_runs(&night, seconds, err);
}

enum run_end night_resume(const char *path, double seconds, int threads,
                          const struct night_observer *observer, struct error *err)
{
    struct night_recipe recipe;
    bool running;
    double given;
    if (!load_recipe(path, &recipe, &running, &given, err))
        return RUN_REFUSED;
    struct night night = {
        .path = path, .recipe = &recipe, .observer = observer, .threads = threads};
    enum run_end end = complete_runs(&night, seconds, err);
    night_recipe_free(&recipe);
    return end;
}

bool night_is(const char *path)
{
    struct store *s = store_is_database(path) ? store_open(path, STORE_READ, NULL) : NULL;
    char *text = s == NULL ? NULL : store_get(s, "night");
    bool is = text != NULL;
    free(text);
    store_close(s);
    return is;
}

/* ---- summary ---- */

bool night_summary_read(const char *path, struct night_summary *night, struct error *err)
{
    *night = (struct night_summary){.running = false};
    if (!load_recipe(path, &night->recipe, &night->running, &night->given, err))
        return false;
    night->runs = list_runs(path, &night->recipe, &night->run_count, err);
    if (night->runs == NULL) {
        night_recipe_free(&night->recipe);
        return false;
    }
    night->spent = spent_seconds(night->runs, night->run_count);
    return true;
}

void night_summary_free(struct night_summary *night)
{
    night_recipe_free(&night->recipe);
    free(night->runs);
    *night = (struct night_summary){.running = false};
}
