#include "night_summary.h"

#include "data_kept.h"
#include "paths.h"
#include "text_stream.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the runs of stages ---- */

struct night_run night_run_named(const char *path, const struct night_stage *s, int index)
{
    struct night_run run = {.stage = s, .index = index};
    night_run_name(s, index, run.name);
    snprintf(run.path, sizeof run.path, "%.*s#%s", NIGHT_FILE_MAX, path, run.name);
    return run;
}

bool night_check_path(const char *path, struct error *err)
{
    return strlen(path) <= NIGHT_FILE_MAX ||
           error_set(err,
                     "%.60s...: the path is too long for a night; at most %d bytes are allowed",
                     path, NIGHT_FILE_MAX);
}

bool night_run_is_named(const struct night_run *run, const char *name)
{
    return strcmp(run->name, name) == 0 || strcmp(run->stage->name, name) == 0;
}

bool night_fail_name(const struct night_recipe *recipe, const char *name, struct error *err)
{
    char all[256] = "";
    for (int i = 0; i < recipe->stage_count; i++)
        text_add(all, sizeof all, "%s%s", i > 0 ? ", " : "", recipe->stages[i].name);
    return error_set(err, "no stage '%s'; the stages are %s", name, all);
}

bool night_run_has_store(const struct night_run *run)
{
    struct store *s = store_open(run->path, STORE_READ, NULL);
    store_close(s);
    return s != NULL;
}

/* The value that runs of a stage are compared by: held-out, else training. */
static int64_t value_of(const struct run_summary *s)
{
    const struct generation_row *row = &s->rows[s->best_generation];
    return row->held_out == NOT_MEASURED ? row->measure : row->held_out;
}

bool night_run_better(const struct run_summary *a, const struct run_summary *b)
{
    return objective_better(a->value, (double)value_of(a), (double)value_of(b));
}

bool night_best_run(const char *path, const struct night_stage *stage, char best[NIGHT_PATH],
                    struct error *err)
{
    struct run_summary ahead = {.generation = -1}, next;
    for (int r = 0; r < night_stage_runs(stage); r++) {
        struct night_run run = night_run_named(path, stage, r);
        bool read = run_summary_read(run.path, &next, err);
        if (!read || next.generation < 0) {
            if (read)
                error_set(err, "%s: no generation is complete", run.path);
            run_summary_free(&next);
            run_summary_free(&ahead);
            return false;
        }
        bool better = r == 0 || night_run_better(&next, &ahead);
        run_summary_free(better ? &ahead : &next);
        if (better) {
            ahead = next;
            snprintf(best, NIGHT_PATH, "%s", run.path);
        }
    }
    run_summary_free(&ahead);
    return true;
}

/* ---- notes ---- */

enum { NOTE_KEY = STORE_STAGE + 16 };

/* The property of a note: "evolve-3.seconds". */
static void note_key(const struct night_run *run, const char *what, char key[NOTE_KEY])
{
    snprintf(key, NOTE_KEY, "%s.%s", run->name, what);
}

/* Reads a number of seconds and releases the text; 0 if it is NULL. */
static double seconds_of(char *text)
{
    double seconds = text == NULL ? 0 : strtod(text, NULL);
    free(text);
    return seconds;
}

double night_get_seconds(struct store *s, const struct night_run *run, const char *what)
{
    char key[NOTE_KEY];
    note_key(run, what, key);
    return seconds_of(store_get(s, key));
}

bool night_put_note(struct store *s, const struct night_run *run, const char *what,
                    const char *text, struct error *err)
{
    char key[NOTE_KEY];
    note_key(run, what, key);
    return text == NULL ? store_remove(s, key, err) : store_put(s, key, text, err);
}

bool night_put_seconds(struct store *s, const struct night_run *run, const char *what,
                       double seconds, struct error *err)
{
    char text[32];
    snprintf(text, sizeof text, "%.3f", seconds);
    return night_put_note(s, run, what, text, err);
}

/* ---- the runs ---- */

double night_recorded_seconds(const struct night_run *run)
{
    int count = 0;
    struct store *s = store_open(run->path, STORE_READ, NULL);
    double seconds = seconds_of(s == NULL ? NULL : store_get(s, NIGHT_PLAYED));
    struct generation_row *rows = s == NULL ? NULL : store_get_rows(s, &count, NULL);
    for (int g = 0; g < count; g++)
        seconds += rows[g].seconds;
    free(rows);
    store_close(s);
    return seconds;
}

static void read_state(struct store *s, struct night_run_summary *r)
{
    char key[NOTE_KEY];
    note_key(&r->run, "ended", key);
    char *ended = store_get(s, key);
    r->state = ended != NULL ? strcmp(ended, "time") == 0 ? NIGHT_TIME : NIGHT_COMPLETE
               : night_run_has_store(&r->run) ? NIGHT_BEGUN
                                              : NIGHT_WAITING;
    r->seconds = night_get_seconds(s, &r->run, "seconds");
    r->before = night_get_seconds(s, &r->run, "before");
    if (r->state == NIGHT_BEGUN)
        r->seconds = fmax(r->seconds, night_recorded_seconds(&r->run));
    free(ended);
}

static bool list_runs(struct store *s, const char *path, struct night_summary *night,
                      struct error *err)
{
    for (int i = 0; i < night->recipe.stage_count; i++)
        night->run_count += night_stage_runs(&night->recipe.stages[i]);
    night->runs = calloc((size_t)night->run_count, sizeof *night->runs);
    if (night->runs == NULL)
        return error_set(err, "no memory for the stages");
    struct night_run_summary *next = night->runs;
    for (int i = 0; i < night->recipe.stage_count; i++)
        for (int r = 0; r < night_stage_runs(&night->recipe.stages[i]); r++, next++) {
            next->run = night_run_named(path, &night->recipe.stages[i], r);
            read_state(s, next);
        }
    return true;
}

/* ---- the summary ---- */

static bool read_recipe(struct store *s, const char *path, struct night_recipe *recipe,
                        struct error *err)
{
    char *text = store_get(s, "night");
    bool read = text != NULL ? night_recipe_from_text(path, text, recipe, err)
                             : error_set(err, "%s is a run, not a night", path);
    free(text);
    return read &&
           night_recipe_each_file(recipe, data_kept_visit, &(struct data_kept_view){s, path}, err);
}

bool night_summary_read(const char *path, struct night_summary *night, struct error *err)
{
    *night = (struct night_summary){.running = false};
    if (!night_check_path(path, err))
        return false;
    struct store *s = store_open(path, STORE_READ, err);
    bool read =
        s != NULL && read_recipe(s, path, &night->recipe, err) && list_runs(s, path, night, err);
    if (read) {
        night->running = store_running(s);
        char *given = store_get(s, "seconds");
        night->given = given == NULL ? 3600 * night->recipe.hours : seconds_of(given);
        night->spent = night_spent(night);
        read = store_whole(s, err);
    }
    store_close(s);
    if (!read)
        night_summary_free(night);
    return read;
}

void night_summary_free(struct night_summary *night)
{
    night_recipe_free(&night->recipe);
    free(night->runs);
    *night = (struct night_summary){.running = false};
}

bool night_is_limited(const struct night_summary *night)
{
    return night->given < 3600 * NIGHT_UNLIMITED_HOURS;
}

bool night_has_ended(const struct night_summary *night, const struct night_stage *stage)
{
    for (int n = 0; n < night->run_count; n++)
        if (night->runs[n].run.stage == stage && night->runs[n].state < NIGHT_TIME)
            return false;
    return true;
}

double night_spent(const struct night_summary *night)
{
    double spent = 0;
    for (int n = 0; n < night->run_count; n++)
        spent += night->runs[n].seconds;
    return spent;
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

const char *night_split(const char *path, char file[NIGHT_PATH])
{
    const char *mark = strrchr(path, '#');
    if (mark == NULL || !path_is_stage_name(mark + 1) || mark - path >= NIGHT_PATH)
        return NULL;
    snprintf(file, NIGHT_PATH, "%.*s", (int)(mark - path), path);
    return night_is(file) ? mark + 1 : NULL;
}
