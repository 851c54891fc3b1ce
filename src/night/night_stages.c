#include "night_stages.h"

#include <stdio.h>
#include <string.h>

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
        snprintf(all + strlen(all), sizeof all - strlen(all), "%s%s", i > 0 ? ", " : "",
                 recipe->stages[i].name);
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

/* Reads the summary of a run; fails when no generation is complete. */
static bool read_outcome(const struct night_run *run, struct run_summary *s, struct error *err)
{
    if (!run_summary_read(run->path, s, err))
        return false;
    if (s->generation >= 0)
        return true;
    run_summary_free(s);
    return error_set(err, "%s: no generation is complete", run->path);
}

bool night_best_run(const char *path, const struct night_stage *stage, char best[NIGHT_PATH],
                    struct error *err)
{
    struct run_summary ahead = {.generation = -1}, next;
    bool read = true;
    for (int r = 0; read && r < night_stage_runs(stage); r++) {
        struct night_run run = night_run_named(path, stage, r);
        read = read_outcome(&run, &next, err);
        if (!read)
            break;
        bool better = r == 0 || night_run_better(&next, &ahead);
        run_summary_free(better ? &ahead : &next);
        if (better) {
            ahead = next;
            snprintf(best, NIGHT_PATH, "%s", run.path);
        }
    }
    run_summary_free(&ahead);
    return read;
}
