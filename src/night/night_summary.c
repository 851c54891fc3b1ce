#include "night_summary.h"

#include "data_kept.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- notes ---- */

enum { NOTE_KEY = STORE_STAGE + 16 };

/* The property of a note: "evolve-3.seconds". */
static void note_key(const struct night_run *run, const char *what, char key[NOTE_KEY])
{
    snprintf(key, NOTE_KEY, "%s.%s", run->name, what);
}

/* Reads a note; malloc'ed, NULL if absent. */
static char *get_note(struct store *s, const struct night_run *run, const char *what)
{
    char key[NOTE_KEY];
    note_key(run, what, key);
    return store_get(s, key);
}

double night_get_seconds(struct store *s, const struct night_run *run, const char *what)
{
    char *text = get_note(s, run, what);
    double seconds = text == NULL ? 0 : strtod(text, NULL);
    free(text);
    return seconds;
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
    char *played = s == NULL ? NULL : store_get(s, NIGHT_PLAYED);
    double seconds = played == NULL ? 0 : strtod(played, NULL);
    free(played);
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
    char *ended = get_note(s, &r->run, "ended");
    r->state = ended != NULL ? strcmp(ended, "time") == 0 ? NIGHT_TIME : NIGHT_COMPLETE
               : night_run_has_store(&r->run) ? NIGHT_BEGUN
                                              : NIGHT_WAITING;
    r->seconds = night_get_seconds(s, &r->run, "seconds");
    r->before = night_get_seconds(s, &r->run, "before");
    if (r->state == NIGHT_BEGUN)
        r->seconds = fmax(r->seconds, night_recorded_seconds(&r->run));
    free(ended);
}

/* Lists all runs of the night in order. */
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

/* The time limit of a night, in seconds. */
static double given_seconds(struct store *s, const struct night_recipe *recipe)
{
    char *text = store_get(s, "seconds");
    double given = text == NULL ? 3600 * recipe->hours : strtod(text, NULL);
    free(text);
    return given;
}

/* Reads the recipe of a night. */
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
        night->given = given_seconds(s, &night->recipe);
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
