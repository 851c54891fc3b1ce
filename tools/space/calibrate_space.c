#include "calibrate_space.h"

#include "command.h"

#include "command_line.h"
#include "engine_file.h"
#include "epd.h"
#include "movegen.h"
#include "space_engine.h"
#include "trust.h"
#include "values.h"

#include <math.h>

struct calibrator {
    const struct calibrate_options *options;
    const char *path, *output;
    struct space space;
    struct lineup lineup;
    struct position *positions;
    size_t count;
    int32_t *values;
    struct calibration result;
};

bool ordinary_positions(const char *name, size_t most, struct position **positions, size_t *count,
                        struct error *err)
{
    char path[PATH_SIZE];
    struct dataset all = {0};
    bool loaded =
        data_file_find(name, DATA_POSITIONS, path, err) && dataset_load(&all, path, EPD_ANY, err);
    size_t kept = 0;
    for (size_t i = 0; i < all.count; i++)
        if (movegen_count(&all.items[i].position) >= 2)
            all.items[kept++] = all.items[i];
    *count = kept < most ? kept : most;
    *positions = calloc(*count + 1, sizeof **positions);
    if (loaded && *count == 0)
        loaded = error_set(err, "%s: no position with two legal moves", path);
    if (loaded && *positions == NULL)
        loaded = error_set(err, "no memory for positions");
    for (size_t i = 0; loaded && i < *count; i++)
        (*positions)[i] = all.items[i * kept / *count].position;
    dataset_free(&all);
    return loaded;
}

/* Reads the space, the positions, and the values at which distances begin: those of the file of another engine are its
 * options. Describes the players as a recipe of games does. */
static bool load(struct calibrator *c, struct error *err)
{
    const struct calibrate_options *o = c->options;
    const struct param_table *table = &c->space.table;
    if (!trust_space(c->path, true, err) || !space_read(c->path, recipe_tables, &c->space, err) ||
        !ordinary_positions(o->positions, (size_t)o->count, &c->positions, &c->count, err))
        return false;
    const bool foreign = space_is_foreign(table);
    struct recipe r = {.hash = o->hash > 0 ? o->hash : foreign ? 16 : 1};
    snprintf(r.space, sizeof r.space, "%s", c->path);
    c->values = calloc((size_t)table->count + 1, sizeof *c->values);
    bool good = c->values != NULL || error_set(err, "no memory for the values");
    for (int i = 0; good && i < table->count; i++)
        c->values[i] = table->params[i].initial;
    if (good && o->values != NULL)
        good = values_read(o->values, table, c->values, err);
    for (int i = 0; good && i < table->count; i++)
        good = (c->values[i] >= table->params[i].min && c->values[i] <= table->params[i].max) ||
               error_set(err, "%s: %s is not within the range of the space", o->values,
                         table->params[i].name);
    if (good && !foreign) /* the half that the space has not */
        good = evaluation_table_of_kind(table->kind) != NULL
                   ? data_file_find(o->search, DATA_SEARCHES, r.search, err)
                   : data_file_find(o->evaluation, DATA_EVALUATIONS, r.evaluation, err);
    return good && lineup_read(&c->lineup, &r, err);
}

/* ---- the table ---- */

/* The larger share of a parameter's bounds. */
static double influence(const struct calibrated *g)
{
    return fmax(g->down, g->up);
}

static void print_advice(const struct calibrator *c, int i)
{
    char min[PARAM_TEXT], max[PARAM_TEXT], moves[COUNTED_MAX];
    const struct param *p = &c->space.table.params[i];
    const struct calibrated *g = &c->result.genes[i];
    param_value_text(p, p->min, min);
    param_value_text(p, p->max, max);
    if (calibration_is_idle(&c->result, i) && influence(g) == 0)
        printf("%s: no move of %s changes between %s and %s; fix it or leave it out\n", p->name,
               format_count((int64_t)c->count, moves), min, max);
    else if (calibration_is_idle(&c->result, i))
        printf(
            "%s: from %s to %s not more moves change than by the engine itself; fix it or leave it "
            "out\n",
            p->name, min, max);
    else if (g->weak)
        printf(
            "%s: fewer than %g %% of the moves change at %s and %s, on average; c is a quarter of "
            "the range\n",
            p->name, c->options->share, min, max);
}

static void print_table(const struct calibrator *c, const int *order, int count)
{
    char positions[COUNTED_MAX], nodes[COUNTED_MAX], text[PARAM_TEXT];
    struct table t;
    printf(
        "moves that change in %s at %s: %.1f %% with the same values again, %.1f %% with 1 %% more "
        "nodes\n\n",
        format_things((int64_t)c->count, "position", positions),
        format_things((int64_t)c->options->nodes, "node", nodes), 100 * c->result.again,
        100 * c->result.more);
    table_begin(&t,
                "<0parameter|>2    value|>1       c|>3   at min|>3 changed|>4   at max|>4 changed");
    for (int k = 0; k < count; k++) {
        const int i = order[k];
        const struct param *p = &c->space.table.params[i];
        const struct calibrated *g = &c->result.genes[i];
        const bool choice = param_is_choice(p);
        fprintf(t.rows, "%s\t%s\t", p->name, param_value_text(p, c->values[i], text));
        if (g->c > 0)
            fprintf(t.rows, "%g\t", g->c / pow(10, p->decimals));
        else
            fputs("-\t", t.rows);
        if (choice || c->values[i] == p->min)
            fputs("\t\t", t.rows);
        else
            fprintf(t.rows, "%s\t%.1f %%\t", param_value_text(p, p->min, text), 100 * g->down);
        if (choice || c->values[i] < p->max)
            fprintf(t.rows, "%s\t%.1f %%", choice ? "others" : param_value_text(p, p->max, text),
                    100 * g->up);
        putc('\n', t.rows);
    }
    table_end(&t, stdout);
    putchar('\n');
    for (int i = 0; i < count; i++)
        print_advice(c, order[i]);
    printf("%s searches, %s of the engine\n", format_count(c->result.searches, positions),
           format_things(c->result.faults, "fault", nodes));
}

/* ---- the work ---- */

static void show(void *progress, size_t done, size_t count)
{
    progress_show(progress, (int64_t)done, (int64_t)(count > done ? count : done), "");
}

enum jobs_end calibrate_shown(struct calibration_settings *settings, struct calibration *result,
                              struct error *err)
{
    struct progress progress = {.unit = NULL};
    settings->progress = show;
    settings->context = &progress;
    progress_begin(&progress, "block of searches", 0);
    const enum jobs_end end = calibrate(settings, result, err);
    progress_end(&progress);
    return end;
}

/* Prints what was found, and writes the space with c. */
static int tell(struct calibrator *c)
{
    struct error err;
    char comment[256];
    int *order = calloc((size_t)c->space.table.count + 1, sizeof *order);
    if (order == NULL)
        return command_fail(EXIT_FAILED, &(struct error){"no memory for a table"});
    int count = 0; /* the genes by influence, the largest first */
    for (int i = 0; i < c->space.table.count; i++) {
        if (c->space.table.params[i].bits == 0)
            continue;
        const struct calibrated *genes = c->result.genes;
        int at = count++;
        for (; at > 0 && influence(&genes[order[at - 1]]) < influence(&genes[i]); at--)
            order[at] = order[at - 1];
        order[at] = i;
    }
    print_table(c, order, count);
    free(order);
    if (c->output == NULL)
        return EXIT_DONE;
    for (int i = 0; i < c->space.table.count; i++)
        c->space.params[i].c = c->result.genes[i].c;
    snprintf(
        comment, sizeof comment,
        "Calibrated: a parameter that moves by c changes %g %% of the moves in %zu positions at "
        "%llu nodes.",
        c->options->share, c->count, (unsigned long long)c->options->nodes);
    return command_wrote(space_file_write(c->output, &c->space, comment, &err), "space", c->output,
                         &err);
}

static int run(struct calibrator *c)
{
    struct error err = {""};
    struct calibration_settings settings = {.lineup = &c->lineup,
                                            .values = c->values,
                                            .positions = c->positions,
                                            .count = c->count,
                                            .nodes = c->options->nodes,
                                            .share = c->options->share / 100,
                                            .rounds = CALIBRATION_ROUNDS,
                                            .threads = c->options->threads,
                                            .stop = interrupt_watch()};
    const enum jobs_end end = calibrate_shown(&settings, &c->result, &err);
    if (end == JOBS_FAILED)
        return command_fail(EXIT_FAILED, &err);
    return end == JOBS_DONE
               ? tell(c)
               : command_fail(EXIT_INTERRUPTED,
                              &(struct error){"interrupted before all parameters were calibrated"});
}

int calibrate_space(const char *path, const struct calibrate_options *options, const char *output)
{
    struct error err;
    struct calibrator c = {.options = options, .path = path, .output = output};
    int code = load(&c, &err) ? run(&c) : command_fail(EXIT_BAD, &err);
    calibration_free(&c.result);
    lineup_free(&c.lineup);
    space_free(&c.space);
    free(c.positions);
    free(c.values);
    return code;
}
