#include "night.h"

#include "clock.h"
#include "data_kept.h"
#include "night_games.h"
#include "night_match.h"
#include "paths.h"
#include "run.h"
#include "run_state.h"
#include "tuned_evaluation.h"
#include "version.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* A night in progress. */
struct night {
    const char *path;
    struct night_summary *summary;
    const struct night_observer *observer;
    int threads;
};

/* ---- time ---- */

/* A run's share of its stage's time. */
static double share_of(const struct night_run *run)
{
    return run->stage->share / night_stage_runs(run->stage);
}

/* True if the run goes on, or will. */
static bool is_open(const struct night_run_summary *r)
{
    return r->action != NIGHT_STAYS && r->state < NIGHT_TIME;
}

/* The seconds that run `n` may still take: its share of the time left to all open runs. */
static double time_for(const struct night_summary *night, int n)
{
    const struct night_run_summary *runs = night->runs;
    double left = night->given, weights = 0;
    for (int i = 0; i < night->run_count; i++) {
        left -= is_open(&runs[i]) ? runs[i].before : runs[i].seconds;
        weights += is_open(&runs[i]) ? share_of(&runs[i].run) : 0;
    }
    double seconds = left * share_of(&runs[n].run) / weights - (runs[n].seconds - runs[n].before);
    return seconds > 0 ? seconds : 0;
}

/* ---- a run ---- */

/* Writes an absolute path of a run in the night's file. */
static bool own_path(const struct night *night, const char *path, char out[RECIPE_PATH],
                     struct error *err)
{
    char directory[PATH_SIZE];
    return path_directory(night->path, directory, err) &&
           path_absolute(directory, path_name(path), out, err);
}

/* Writes where the best run of a stage is. A stage without a name leaves `out` as it is. */
static bool find_best(const struct night *night, const char *stage, char out[RECIPE_PATH],
                      struct error *err)
{
    char path[NIGHT_PATH];
    return stage[0] == '\0' ||
           (night_best_run(night->path, night_stage_find(&night->summary->recipe, stage), path,
                           err) &&
            own_path(night, path, out, err));
}

/* Makes the recipe of a run, with the outcome of the earlier stages that it reads. */
static bool prepare_recipe(const struct night *night, const struct night_run *run,
                           struct recipe *recipe, struct error *err)
{
    const struct night_recipe *all = &night->summary->recipe;
    const struct night_stage *seeds = night_stage_find(all, run->stage->seeds);
    *recipe = *run->stage->recipe;
    recipe->seed = all->seed + (uint64_t)run->index;
    if (!night_games_draw(night->path, all, run->stage, recipe, err))
        return false;
    for (int i = 0; seeds != NULL && i < night_stage_runs(seeds); i++) {
        struct night_run seed = night_run_named(night->path, seeds, i);
        if (!own_path(night, seed.path, recipe->seeds[i], err))
            return false;
        recipe->seed_count = i + 1;
    }
    return find_best(night, run->stage->evaluation, recipe->evaluation, err) &&
           find_best(night, run->stage->search, recipe->search, err);
}

/* Checks that a new run reads what the first of the stage's runs has read. */
static bool check_data(const struct night *night, const struct night_run *run, struct error *err)
{
    struct store *s = NULL;
    for (int i = 0; s == NULL && i < night_stage_runs(run->stage); i++)
        s = store_open(night_run_named(night->path, run->stage, i).path, STORE_READ, NULL);
    bool same = s == NULL || data_kept_check(s, run->path, "stage", "begin a new night", err);
    store_close(s);
    return same || error_prefix(err, "%s: ", run->name);
}

static enum run_end start_or_resume(const struct night *night, const struct night_run *run,
                                    const struct run_observer *observer, struct error *err)
{
    struct recipe recipe;
    if (run->stage->is_match)
        return night_match_play(night->path, &night->summary->recipe, run, false, night->threads,
                                observer, err);
    if (night_run_has_store(run))
        return run_resume(run->path, run->stage->recipe->generations, night->threads, observer,
                          err);
    if (!prepare_recipe(night, run, &recipe, err) || !check_data(night, run, err))
        return RUN_FAILED;
    return run_evolve(&recipe, run->path, false, night->threads, observer, err);
}

/* Notes in the night's store which run goes on; with `ended`, its time and how it ended ("": not yet). */
static bool note_run(const struct night *night, const struct night_run_summary *r,
                     const char *ended, struct error *err)
{
    struct store *s = store_open(night->path, STORE_WRITE, err);
    bool noted = s != NULL && store_begin(s, err) &&
                 (ended == NULL ? store_put(s, "current", r->run.name, err)
                                : night_put_seconds(s, &r->run, "seconds", r->seconds, err) &&
                                      night_put_note(s, &r->run, "ended",
                                                     ended[0] == '\0' ? NULL : ended, err)) &&
                 store_commit(s, err);
    store_close(s);
    return noted;
}

static int last_generation(const struct night_run *run)
{
    struct store *s = store_open(run->path, STORE_READ, NULL);
    int last = s == NULL ? -1 : store_last_generation(s);
    store_close(s);
    return last;
}

/* True if a run is past generation `before`, or is a match with its first games. */
static bool has_gone_on(const struct night_run *run, int before)
{
    return run->stage->is_match ? night_match_has_first_games(run) : last_generation(run) > before;
}

/* Runs until it completes or its time is over. If it has not gone on by then, continues to the end of a generation, the
 * first with the organisms that are measured, or the first games of a match. */
static enum run_end run_in_time(struct night *night, const struct night_run *run, double seconds,
                                bool *time_up, struct error *err)
{
    const struct night_observer *o = night->observer;
    const struct run_observer *observer =
        o->begins != NULL ? o->begins(o->context, run, seconds) : o->each;
    int before = last_generation(run);
    enum run_end end = start_or_resume(night, run, observer, err);
    *time_up = end == RUN_STOPPED && o->time_up != NULL && o->time_up(o->context);
    if (!*time_up || has_gone_on(run, before))
        return end;
    if (!run->stage->is_match && night_run_has_store(run) && !run_settle(run->path, err))
        return RUN_FAILED;
    if (o->overtime != NULL)
        o->overtime(o->context, run);
    struct run_observer first = *observer;
    first.one_generation = true;
    end = start_or_resume(night, run, &first, err);
    *time_up = end == RUN_STOPPED && has_gone_on(run, before);
    return end;
}

static enum run_end complete_run(struct night *night, int n, struct error *err)
{
    struct night_run_summary *r = &night->summary->runs[n];
    bool time_up;
    double start = clock_elapsed();
    if (!note_run(night, r, NULL, err))
        return RUN_FAILED;
    if (night->observer->until > 0) /* the clock may have been set since the limit was */
        night->summary->given =
            difftime(night->observer->until, time(NULL)) + night_spent(night->summary);
    enum run_end end = run_in_time(night, &r->run, time_for(night->summary, n), &time_up, err);
    const struct night_stage *stage = r->run.stage;
    /* It has not ended before: a night that was killed here writes the games when it goes on. */
    if ((end == RUN_COMPLETE || time_up) && stage->keeps &&
        !night_games_write(night->path, stage, err)) {
        end = RUN_FAILED;
        time_up = false;
    }
    r->seconds += clock_elapsed() - start;
    if (end != RUN_COMPLETE && !time_up) {
        note_run(night, r, "", NULL);
        return end == RUN_REFUSED ? RUN_FAILED : end;
    }
    r->state = time_up ? NIGHT_TIME : NIGHT_COMPLETE;
    if (!note_run(night, r, time_up ? "time" : "complete", err))
        return RUN_FAILED;
    if (night->observer->ends != NULL)
        night->observer->ends(night->observer->context, &r->run, !time_up);
    return RUN_COMPLETE;
}

/* ---- the plan ---- */

/* Removes the runs that are computed anew, and opens those that go on although they had ended. */
static bool open_runs(struct night_summary *night, struct store *s, struct error *err)
{
    for (int n = 0; n < night->run_count; n++) {
        struct night_run_summary *r = &night->runs[n];
        bool anew = r->action == NIGHT_ANEW;
        if (!anew && r->action != NIGHT_REOPENS)
            continue;
        if (!night_put_note(s, &r->run, "ended", NULL, err) ||
            (anew && (!night_put_note(s, &r->run, "seconds", NULL, err) ||
                      !night_put_note(s, &r->run, "before", NULL, err) ||
                      !store_remove_stage(s, r->run.name, err))))
            return false;
        r->state = anew ? NIGHT_WAITING : NIGHT_BEGUN;
        r->seconds = anew ? 0 : r->seconds;
        r->before = anew ? 0 : r->before;
    }
    return true;
}

/* Sets and stores the time limit: `seconds` from now on if > 0, else the old limit. */
static bool set_time(struct night_summary *night, struct store *s, double seconds,
                     struct error *err)
{
    char text[32];
    if (seconds > 0)
        night->given = seconds + night_spent(night);
    for (int n = 0; seconds > 0 && n < night->run_count; n++) {
        struct night_run_summary *r = &night->runs[n];
        r->before = r->seconds;
        if (!night_put_seconds(s, &r->run, "before", r->before, err))
            return false;
    }
    snprintf(text, sizeof text, "%.3f", night->given);
    return store_put(s, "seconds", text, err);
}

/* Stores the recipe, with paths relative to the store. */
static bool put_recipe(struct store *s, const char *path, struct night_recipe *recipe,
                       struct error *err)
{
    char directory[PATH_SIZE];
    struct path_view to = {path_relative, directory}, back = {path_absolute, directory};
    if (!path_directory(path, directory, err) ||
        !night_recipe_each_file(recipe, recipe_view_path, &to, err))
        return false;
    char *text = night_recipe_text(recipe);
    bool put = text != NULL ? store_put(s, "night", text, err) && data_kept_begin(s, path, err)
                            : error_set(err, "no memory for the recipe");
    free(text);
    return night_recipe_each_file(recipe, recipe_view_path, &back, err) && put;
}

/* Prepares the store for the planned runs, and notes that this process runs them until when. */
static bool apply_plan(const struct night *night, double seconds, struct error *err)
{
    struct store *s = store_open(night->path, STORE_WRITE, err);
    bool applied = s != NULL && store_begin(s, err) &&
                   put_recipe(s, night->path, &night->summary->recipe, err) &&
                   open_runs(night->summary, s, err) && set_time(night->summary, s, seconds, err) &&
                   store_commit(s, err);
    const double left = night->summary->given - night_spent(night->summary);
    applied =
        applied &&
        run_state_begin(
            s, night_is_limited(night->summary) ? (int64_t)time(NULL) + (int64_t)left : 0, err);
    store_close(s);
    return applied;
}

/* ---- what goes on although it had ended ---- */

/* Checks the first run of each stage that the plan opens again, before later ones are removed. */
static enum run_end check_reopened(const struct night *night, struct error *err)
{
    const struct run_observer observer = {.stop = night->observer->stop};
    const struct night_stage *checked = NULL;
    enum run_end end = RUN_COMPLETE;
    for (int n = 0; n < night->summary->run_count && end == RUN_COMPLETE; n++) {
        const struct night_run_summary *r = &night->summary->runs[n];
        const struct night_stage *stage = r->run.stage;
        if (r->action != NIGHT_REOPENS || stage == checked)
            continue;
        checked = stage;
        end = stage->is_match ? night_match_play(night->path, &night->summary->recipe, &r->run,
                                                 true, night->threads, &observer, err)
                              : run_check_resume(r->run.path, stage->recipe->generations,
                                                 night->threads, observer.stop, err);
    }
    return end;
}

/* ---- the night ---- */

static enum run_end run_open(struct night *night, double seconds, struct error *err)
{
    struct night_summary *summary = night->summary;
    if (night->observer->planned != NULL)
        night->observer->planned(night->observer->context, summary);
    const int reserve = run_state_reserve(night->path);
    enum run_end end = apply_plan(night, seconds, err) ? RUN_COMPLETE : RUN_FAILED;
    for (int n = 0; n < summary->run_count && end == RUN_COMPLETE; n++)
        if (is_open(&summary->runs[n]))
            end = complete_run(night, n, err);
    run_state_release(reserve);
    /* The night's own store has how it ended: by its time, if that ended a run; or why it failed. */
    bool cut = false;
    for (int n = 0; n < summary->run_count; n++)
        cut = cut || summary->runs[n].state == NIGHT_TIME;
    cut = cut && end == RUN_COMPLETE;
    struct store *s = store_open(night->path, STORE_WRITE, NULL);
    if (s != NULL)
        run_state_end(s, cut ? RUN_STOPPED : end, cut, end == RUN_FAILED ? err->text : NULL, NULL);
    store_close(s);
    return end;
}

/* Plans the night as requested, and runs everything that is open. */
static enum run_end go_on(struct night *night, const struct night_request *request,
                          struct error *err)
{
    if (!night_plan(night->summary, request, err))
        return RUN_REFUSED;
    enum run_end end = check_reopened(night, err);
    if (end == RUN_REFUSED)
        return RUN_REFUSED;
    if (end == RUN_COMPLETE)
        end = run_open(night, request->seconds, err);
    if (night->observer->over != NULL)
        night->observer->over(night->observer->context, end, err);
    return end;
}

enum run_end night_resume(const char *path, const struct night_request *request, int threads,
                          const struct night_observer *observer, struct error *err)
{
    struct night_summary summary;
    struct night night = {
        .path = path, .summary = &summary, .observer = observer, .threads = threads};
    struct store *hold = store_hold(path, err); /* before anything is read that a plan rests on */
    enum run_end end = RUN_REFUSED;
    if (hold != NULL && night_summary_read(path, &summary, err)) {
        end = go_on(&night, request, err);
        night_summary_free(&summary);
    }
    store_close(hold);
    return end;
}

static bool create_store(const char *path, bool force, struct night_recipe *recipe,
                         struct error *err)
{
    struct store *s = store_create(path, force, err);
    bool created = s != NULL && store_put(s, "version", GRAYLING_VERSION, err) &&
                   store_put_moment(s, "created", err) && put_recipe(s, path, recipe, err) &&
                   store_put(s, "name", recipe->name, err) &&
                   store_put_number(s, "seed", (int64_t)recipe->seed, err);
    if (created)
        return store_publish(s, err);
    store_close(s);
    return false;
}

enum run_end night_evolve(struct night_recipe *recipe, const char *path, bool force, double seconds,
                          int threads, const struct night_observer *observer, struct error *err)
{
    const struct night_request request = {.seconds = seconds};
    if (!night_check_path(path, err) || !store_available(path, force, err) ||
        !create_store(path, force, recipe, err))
        return RUN_REFUSED;
    return night_resume(path, &request, threads, observer, err);
}

/* ---- what is known before it begins ---- */

/* The recipe of a stage as known now, with names for seeds and initial values for the other half. */
static void foresee(const struct night_recipe *night, const struct night_stage *stage,
                    struct recipe *recipe)
{
    const struct night_stage *seeds = night_stage_find(night, stage->seeds);
    *recipe = *stage->recipe;
    for (int i = 0; seeds != NULL && i < night_stage_runs(seeds); i++) {
        night_run_name(seeds, i, recipe->seeds[i]);
        recipe->seed_count = i + 1;
    }
    if (stage->evaluation[0] != '\0')
        recipe->evaluation[0] = '\0';
    if (stage->search[0] != '\0')
        recipe->search[0] = '\0';
}

/* Checks a stage whose training positions are not known. */
static bool check_learner(const struct recipe *recipe, struct error *err)
{
    struct tuned_evaluation evaluation;
    if (!tuned_evaluation_open(&evaluation, recipe->space, err))
        return false;
    const bool fits = run_check_size(recipe, &evaluation.genes, err);
    tuned_evaluation_close(&evaluation);
    return fits;
}

bool night_check_stages(const struct night_recipe *night, int threads, struct error *err)
{
    for (int i = 0; i < night->stage_count; i++) {
        const struct night_stage *stage = &night->stages[i];
        struct recipe recipe;
        if (stage->is_match)
            continue;
        foresee(night, stage, &recipe);
        if (stage->result_count > 0 ? !check_learner(&recipe, err)
                                    : !run_check(&recipe, threads, err))
            return error_prefix(err, "stage %s: ", stage->name);
    }
    return true;
}
