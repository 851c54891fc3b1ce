#include "source.h"

#include "file_kind.h"
#include "format.h"
#include "games_plan.h"
#include "params_file.h"
#include "paths.h"
#include "values.h"
#include "version.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BEGINNING = 4096 };

/* Recognises the kind of a file by its beginning. What is compressed and no run holds positions. */
static bool recognise(const char *path, enum source_kind *kind, struct error *err)
{
    char text[BEGINNING];
    const char *why;
    if (store_is_database(path)) {
        *kind = SOURCE_RUN;
        return true;
    }
    FILE *file = regular_file_open(path, &why);
    if (file == NULL)
        return error_set(err, "%s: cannot open: %s", path, why);
    size_t length = fread(text, 1, BEGINNING, file);
    bool failed = ferror(file);
    int reason = errno;
    fclose(file);
    if (failed)
        return error_set(err, "%s: cannot read: %s", path, strerror(reason));
    const enum file_kind found = file_kind_of(text, length);
    *kind = found == FILE_POSITIONS || found == FILE_PACKED ? SOURCE_POSITIONS : SOURCE_PARAMS;
    return found == FILE_PACKED ||
           file_kind_expect(path, text, length, FILE_RUN | FILE_YAML | FILE_POSITIONS, err);
}

bool source_recognise(const char *name, enum source_kind *kind, char path[PATH_SIZE],
                      struct error *err)
{
    return data_file_find(name, DATA_VALUES, path, err) && recognise(path, kind, err);
}

static void print_value(FILE *out, const struct run_summary *s, const char *name, int width,
                        int64_t value, int64_t size)
{
    char text[FORMAT_MAX];
    if (value != NOT_MEASURED)
        fprintf(out, "  %-*s%s\n", width, name, objective_full(s->value, value, size, text));
}

static void print_pair(FILE *out, const struct run_summary *s, int width, int64_t measure,
                       int64_t held_out)
{
    print_value(out, s, "train", width, measure, s->train_size);
    print_value(out, s, "held-out", width, held_out, s->held_out_size);
}

static void print_values(FILE *out, const struct run_summary *s, int width)
{
    const struct generation_row *row = &s->rows[s->best_generation];
    const struct defaults_kept *d = &s->defaults;
    char gain[RUN_GAIN_TEXT];
    if (run_gain_known(&s->gain)) {
        fprintf(out, "  %-*s%s\n", width, "gain", run_gain_text(&s->gain, gain));
        return;
    }
    print_pair(out, s, width, row->measure, row->held_out);
    if (d->measure == NOT_MEASURED)
        return;
    fputs("and by the defaults:\n", out);
    print_pair(out, s, width, d->measure, d->held_out);
}

void result_lines(FILE *out, const struct run_summary *s, int width)
{
    char bounds[GAMES_WARNING];
    print_values(out, s, width);
    if (s->generation > 0 && games_plan_bounds(&s->recipe, &s->space, s->best, bounds))
        fprintf(out, "  %-*s%s\n", width, "warning", bounds);
}

bool source_describe(const struct run_summary *run, char comment[SOURCE_COMMENT], struct error *err)
{
    char generation[FORMAT_MAX];
    FILE *out = fmemopen(comment, SOURCE_COMMENT - 1, "w"); /* what has no room is cut off */
    if (out == NULL)
        return error_set(err, "no memory for the description of a run");
    fprintf(out,
            "Evolved by grayling " GRAYLING_VERSION " from the recipe %s, seed %" PRIu64
            ":\nthe best after generation %s.\n%s%s:\n",
            run->recipe.name, run->recipe.seed,
            format_generation(run->generation, run->recipe.generations, generation),
            run->value->name, objective_note(run->value));
    result_lines(out, run, 10);
    fclose(out);
    comment[SOURCE_COMMENT - 2] = '\0';
    comment[strlen(comment) - 1] = '\0'; /* the last newline */
    return true;
}

static bool reserve_values(struct source *s, int count, struct error *err)
{
    s->values = calloc((size_t)count + 1, sizeof *s->values);
    return s->values != NULL || error_set(err, "no memory for %d values", count);
}

static bool open_run(struct source *s, const char *path, struct error *err)
{
    if (!values_of_run(path, &s->run, err))
        return false;
    s->table = s->run.space;
    if (!reserve_values(s, s->table.count, err))
        return false;
    memcpy(s->values, s->run.best, (size_t)s->table.count * sizeof s->values[0]);
    return source_describe(&s->run, s->comment, err);
}

/* Reads the values of a parameter file. Those of another engine are the space's constants and defaults. */
static bool open_params(struct source *s, const char *path, struct error *err)
{
    if (!space_file_is_foreign(path)) {
        const struct param_table *table = reserve_values(s, VALUES_MAX, err)
                                              ? params_read_any(path, recipe_tables, s->values, err)
                                              : NULL;
        if (table != NULL)
            s->table = *table;
        return table != NULL;
    }
    if (!space_read(path, recipe_tables, &s->space, err) ||
        !reserve_values(s, s->space.table.count, err))
        return false;
    s->table = s->space.table;
    for (int i = 0; i < s->table.count; i++)
        s->values[i] = s->table.params[i].initial;
    return true;
}

bool source_open(struct source *s, const char *name, enum data_kind files, struct error *err)
{
    enum source_kind kind = SOURCE_PARAMS;
    const char *path = s->path;
    *s = (struct source){0};
    if (!data_file_find(name, files, s->path, err) ||
        (strcmp(path, "-") != 0 && !recognise(path, &kind, err)))
        return false;
    if (kind == SOURCE_RUN ? open_run(s, path, err)
        : kind == SOURCE_PARAMS
            ? open_params(s, path, err)
            : error_set(err, "%s: positions, not parameters; expected a parameter file or a run",
                        path))
        return true;
    source_close(s);
    return false;
}

/* Finds a file of parameters, whose path is not empty. */
static bool find_half(const char *name, enum data_kind half, char path[PATH_SIZE],
                      struct error *err)
{
    return data_file_find(name, half, path, err) &&
           (path[0] != '\0' || error_set(err, "the name of a parameter file is empty"));
}

bool source_read_evaluation(const char *name, struct evaluation *e, struct error *err)
{
    char path[PATH_SIZE];
    return name == NULL ||
           (find_half(name, DATA_EVALUATIONS, path, err) && values_evaluation(path, e, err));
}

bool source_read_search(const char *name, struct search_params *params, struct error *err)
{
    char path[PATH_SIZE];
    return name == NULL ||
           (find_half(name, DATA_SEARCHES, path, err) && values_search_params(path, params, err));
}

bool source_options(const struct source *s, struct source_options *o, struct error *err)
{
    if (search_table_of_kind(s->table.kind) == NULL) {
        const struct param_table *own = evaluation_table_of_kind(s->table.kind);
        o->table = own != NULL && own->count == s->table.count ? own : &s->table;
        o->values = s->values;
        return true;
    }
    o->table = &search_all_table;
    o->values = o->search.value;
    if (s->run.best != NULL)
        return values_search_params(s->path, &o->search, err);
    o->search = search_params_from(&s->table, s->values);
    return true;
}

void source_close(struct source *s)
{
    run_summary_free(&s->run);
    space_free(&s->space);
    free(s->values);
    *s = (struct source){0};
}
