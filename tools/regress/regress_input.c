#include "regress.h"

#include "own_evaluators.h"
#include "prune.h"
#include "regular_file.h"
#include "suite.h"
#include "trust.h"
#include "values.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Finds the file of a space; the kind of a table stands for itself. */
static bool find_space(const char *name, char path[PATH_SIZE], struct error *err)
{
    if (!values_is_kind(name))
        return data_file_find(name, DATA_SPACES, path, err);
    snprintf(path, PATH_SIZE, "%s", name);
    return true;
}

/* Opens the evaluation whose weights are fitted. */
static bool open_evaluation(struct regress *r, struct error *err)
{
    char path[PATH_SIZE] = "";
    if ((r->space != NULL &&
         (!find_space(r->space, path, err) || !trust_space(path, false, err))) ||
        !tuned_evaluation_open(&r->evaluation, path, err))
        return false;
    const struct param_table *genes = &r->evaluation.genes;
    r->weights = calloc((size_t)genes->count + 1, sizeof *r->weights);
    r->rows = calloc((size_t)genes->count + 1, sizeof *r->rows);
    r->settings.start = r->weights;
    r->settings.table = &r->table;
    if (r->weights == NULL || r->rows == NULL)
        return error_set(err, "no memory for the weights");
    memcpy(r->rows, genes->params, (size_t)genes->count * sizeof *r->rows);
    r->table = *genes;
    r->table.params = r->rows;
    return true;
}

/* Checks that the least number of weights can be reached. */
static bool check_targets(const struct regress *r, struct error *err)
{
    struct error why;
    return r->prune.count == 0 || prune_check(&r->table, r->prune.keep[r->prune.count - 1], &why) ||
           error_set(err, "--prune: %s", why.text);
}

/* Sets the initial weights and the number of steps. */
static bool choose_start(struct regress *r, struct error *err)
{
    struct regression_settings *s = &r->settings;
    const struct param_table *table = &r->evaluation.genes;
    bool random = strcmp(r->from, "random") == 0;
    s->steps = r->steps >= 0 ? r->steps : s->method->steps * (random ? 3 : 1);
    if (random)
        regression_random_start(table, r->settings.seed, r->weights);
    else
        regression_initial_start(table, r->weights);
    char path[PATH_SIZE];
    return random || strcmp(r->from, "initial") == 0 ||
           (data_file_find(r->from, DATA_EVALUATIONS, path, err) &&
            values_read(path, table, r->weights, err));
}

static bool has_need(const struct epd *epd, enum epd_need need)
{
    return need == EPD_NEED_BEST ? epd->best_count > 0 : epd->result != PGN_UNKNOWN;
}

/* Counts the positions that have the data needed. */
static size_t count_having(const struct dataset *d, enum epd_need need)
{
    size_t count = 0;
    for (size_t i = 0; i < d->count; i++)
        count += has_need(&d->items[i], need);
    return count;
}

/* Reports a file of which some positions lack the data needed: the first of them by its line, if the file
 * can be read again. */
static bool fail_some(const char *path, const struct dataset *d, enum epd_need need,
                      struct error *err)
{
    struct dataset again = {0};
    bool named = regular_file_is(path) && !dataset_load_needed(&again, path, need, err);
    dataset_free(&again);
    return !named && error_set(err, "%s: %zu of %zu positions have %s; expected all, or none", path,
                               count_having(d, need), d->count,
                               need == EPD_NEED_BEST ? "a best move" : "a result");
}

/* Checks that all positions have it, or none. */
static bool all_or_none(const char *path, const struct dataset *d, enum epd_need need, bool *all,
                        struct error *err)
{
    size_t count = count_having(d, need);
    *all = count == d->count;
    return *all || count == 0 || fail_some(path, d, need, err);
}

/* Loads a held-out file. Its data decides what is measured on it. */
static bool load_held_out(const struct regress *r, const char *name, struct subject *s,
                          struct error *err)
{
    char path[PATH_SIZE];
    s->name = name;
    if (!data_file_find(name, DATA_POSITIONS, path, err) ||
        !dataset_load(&s->positions, path, true, err) ||
        !all_or_none(path, &s->positions, EPD_NEED_BEST, &s->has_moves, err) ||
        !all_or_none(path, &s->positions, r->settings.method->need, &s->has_loss, err))
        return false;
    return (s->positions.count > 0 && (s->has_moves || s->has_loss)) ||
           error_set(err, "%s: nothing to measure; expected positions with bm MOVE;%s", path,
                     r->settings.method->need == EPD_NEED_RESULT ? " or c9 \"RESULT\";" : "");
}

/* Whether the moves matched in the training positions can be counted for little: by the set that is fitted, if
 * it has all moves, or by searches. */
static bool counts_train_moves(const struct regress *r, const struct dataset *train)
{
    const struct evaluator_source *source = tuned_evaluation_source(&r->evaluation);
    return (r->likely == 0 || own_evaluator_kind(source) != EVALUATION_KINDS) &&
           count_having(train, EPD_NEED_BEST) == train->count;
}

/* Appends the positions of a file to the training positions, and notes their origin. */
static bool load_file(struct regress *r, const char *name, struct origin *origin, struct error *err)
{
    struct dataset *d = &r->subjects[0].positions;
    const size_t before = d->count;
    char path[PATH_SIZE];
    if (!data_file_find(name, DATA_POSITIONS, path, err))
        return false;
    origin->is_file = regular_file_is(path);
    if ((origin->is_file && !checksum_file(path, origin->checksum, err)) ||
        !dataset_load_needed(d, path, r->settings.method->need, err))
        return false;
    const struct suite part = {.positions = {.items = before < d->count ? d->items + before : NULL,
                                             .count = d->count - before}};
    return origin->is_file || suite_checksum(&part, origin->checksum, err);
}

/* Loads all positions. */
static bool load(struct regress *r, struct error *err)
{
    struct subject *train = &r->subjects[0];
    train->name = "train";
    for (int i = 0; i < r->file_count; i++)
        if (!load_file(r, r->files[i], &r->origins[i], err))
            return false;
    if (train->positions.count == 0)
        return error_set(err, "%s: no positions", r->files[0]);
    train->has_loss = true;
    train->has_moves = counts_train_moves(r, &train->positions);
    for (int i = 0; i < r->held_out.count; i++)
        if (!load_held_out(r, r->held_out.items[i], &r->subjects[1 + i], err))
            return false;
    return true;
}

bool regress_load(struct regress *r, struct error *err)
{
    return open_evaluation(r, err) && check_targets(r, err) && choose_start(r, err) && load(r, err);
}
