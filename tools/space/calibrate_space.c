#include "calibrate_space.h"

#include "command.h"

#include "calibration.h"
#include "command_line.h"
#include "count.h"
#include "data_files.h"
#include "epd.h"
#include "interrupt.h"
#include "movegen.h"
#include "output.h"
#include "progress.h"
#include "space_engine.h"
#include "space_file.h"
#include "terminal.h"
#include "trust.h"
#include "values.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* All that is needed. */
struct calibrator {
    const struct calibrate_options *options;
    const char *path, *output;
    struct space space;
    struct lineup lineup;
    struct position *positions;
    size_t count;
    int32_t *values;
    struct calibration result;
    struct progress progress;
    char comment[256];
};

/* ---- what is calibrated ---- */

bool ordinary_positions(const char *name, size_t most, struct position **positions, size_t *count,
                        struct error *err)
{
    char path[PATH_SIZE];
    struct dataset all = {0};
    bool loaded =
        data_file_find(name, DATA_POSITIONS, path, err) && dataset_load(&all, path, true, err);
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

/* Reads the values at which distances begin. Those of the file of another engine are its options. */
static bool load_values(struct calibrator *c, struct error *err)
{
    const struct param_table *table = &c->space.table;
    c->values = calloc((size_t)table->count + 1, sizeof *c->values);
    if (c->values == NULL)
        return error_set(err, "no memory for the values");
    for (int i = 0; i < table->count; i++)
        c->values[i] = table->params[i].initial;
    if (c->options->values == NULL)
        return true;
    if (!values_read(c->options->values, table, c->values, err))
        return false;
    for (int i = 0; i < table->count; i++)
        if (c->values[i] < table->params[i].min || c->values[i] > table->params[i].max)
            return error_set(err, "%s: %s is not within the range of the space", c->options->values,
                             table->params[i].name);
    return true;
}

/* Describes the players as a recipe of games does. */
static bool load_players(struct calibrator *c, struct error *err)
{
    const bool foreign = space_is_foreign(&c->space.table);
    struct recipe *r = calloc(1, sizeof *r);
    char evaluation[PATH_SIZE] = "", search[PATH_SIZE] = "";
    if (r == NULL)
        return error_set(err, "no memory for a recipe");
    r->hash = c->options->hash > 0 ? c->options->hash : foreign ? 16 : 1;
    bool ours_evaluation = evaluation_table_of_kind(c->space.table.kind) != NULL;
    bool good = foreign ||
                (ours_evaluation
                     ? data_file_find(c->options->search, DATA_SEARCHES, search, err)
                     : data_file_find(c->options->evaluation, DATA_EVALUATIONS, evaluation, err));
    snprintf(r->space, sizeof r->space, "%s", c->path);
    snprintf(r->evaluation, sizeof r->evaluation, "%s", evaluation);
    snprintf(r->search, sizeof r->search, "%s", search);
    good = good && lineup_read(&c->lineup, r, err);
    free(r);
    return good;
}

static bool load(struct calibrator *c, struct error *err)
{
    return trust_space(c->path, true, err) && space_read(c->path, recipe_tables, &c->space, err) &&
           ordinary_positions(c->options->positions, (size_t)c->options->count, &c->positions,
                              &c->count, err) &&
           load_values(c, err) && load_players(c, err);
}

/* ---- the table ---- */

/* The larger share of a parameter's bounds. */
static double influence(const struct calibrated *g)
{
    return fmax(g->down, g->up);
}

/* Orders the genes by influence, the largest first; returns how many there are. */
static int rank(const struct calibrator *c, int *order)
{
    int count = 0;
    for (int i = 0; i < c->space.table.count; i++) {
        if (c->space.table.params[i].bits == 0)
            continue;
        int at = count++;
        for (;
             at > 0 && influence(&c->result.genes[order[at - 1]]) < influence(&c->result.genes[i]);
             at--)
            order[at] = order[at - 1];
        order[at] = i;
    }
    return count;
}

/* Prints a bound, if there is room, and the share of moves that change there. */
static void print_bound(FILE *out, const char *bound, double share)
{
    fprintf(out, "  %9s %6.1f %%", bound, 100 * share);
}

/* The table of the parameters. */
struct calibrated_table {
    const struct calibrator *calibrator;
    const int *order;
    int count, width; /* of the rows; of the names */
};

static void print_row(FILE *out, const struct calibrator *c, int i, int width)
{
    char text[PARAM_TEXT], distance[32] = "-";
    const struct param *p = &c->space.table.params[i];
    const struct calibrated *g = &c->result.genes[i];
    const bool choice = param_is_choice(p);
    if (g->c > 0)
        snprintf(distance, sizeof distance, "%g", g->c / pow(10, p->decimals));
    fprintf(out, "%-*s" COLUMN(2) "  %9s" COLUMN(1) "  %8s" COLUMN(3), width, p->name,
            param_value_text(p, c->values[i], text), distance);
    if (choice || c->values[i] == p->min)
        fprintf(out, "  %9s %8s", "", "");
    else
        print_bound(out, param_value_text(p, p->min, text), g->down);
    fputs(COLUMN(4), out);
    if (choice)
        print_bound(out, "others", g->up);
    else if (c->values[i] < p->max)
        print_bound(out, param_value_text(p, p->max, text), g->up);
    putc('\n', out);
}

static void print_rows(FILE *out, const void *context)
{
    const struct calibrated_table *t = context;
    fprintf(
        out,
        "%-*s" COLUMN(2) "  %9s" COLUMN(1) "  %8s" COLUMN(3) "  %9s %8s" COLUMN(4) "  %9s %8s\n",
        t->width, "parameter", "value", "c", "at min", "changed", "at max", "changed");
    for (int i = 0; i < t->count; i++)
        print_row(out, t->calibrator, t->order[i], t->width);
}

/* Names a parameter that does nothing, or little. */
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
    char positions[COUNTED_MAX], nodes[COUNTED_MAX], searches[COUNTED_MAX], faults[COUNTED_MAX];
    int width = (int)strlen("parameter");
    for (int i = 0; i < count; i++) {
        int length = (int)strlen(c->space.table.params[order[i]].name);
        width = length > width ? length : width;
    }
    printf(
        "moves that change in %s at %s: %.1f %% with the same values again, %.1f %% with 1 %% more "
        "nodes\n\n",
        format_things((int64_t)c->count, "position", positions),
        format_things((int64_t)c->options->nodes, "node", nodes), 100 * c->result.again,
        100 * c->result.more);
    terminal_table(stdout, print_rows, &(struct calibrated_table){c, order, count, width});
    putchar('\n');
    for (int i = 0; i < count; i++)
        print_advice(c, order[i]);
    printf("%s searches, %s of the engine\n", format_count(c->result.searches, searches),
           format_things(c->result.faults, "fault", faults));
}

/* ---- the space ---- */

/* Writes the space with c. */
static bool write_space(struct calibrator *c, struct error *err)
{
    struct param *params = c->space.params;
    for (int i = 0; i < c->space.table.count; i++)
        params[i].c = c->result.genes[i].c;
    snprintf(
        c->comment, sizeof c->comment,
        "Calibrated: a parameter that moves by c changes %g %% of the moves in %zu positions at "
        "%llu nodes.",
        c->options->share, c->count, (unsigned long long)c->options->nodes);
    return space_file_write(c->output, &c->space, c->comment, err);
}

/* ---- the work ---- */

static void show(void *context, size_t done, size_t count)
{
    struct calibrator *c = context;
    progress_show(&c->progress, (int64_t)done, (int64_t)(count > done ? count : done), "");
}

/* Prints what was found, and writes the space. */
static int tell(struct calibrator *c)
{
    struct error err;
    int *order = calloc((size_t)c->space.table.count + 1, sizeof *order);
    if (order == NULL)
        return command_fail(EXIT_FAILED, &(struct error){"no memory for a table"});
    print_table(c, order, rank(c, order));
    free(order);
    if (c->output == NULL)
        return EXIT_DONE;
    if (!write_space(c, &err))
        return command_fail(EXIT_FAILED, &err);
    command_tell("space", c->output);
    return EXIT_DONE;
}

/* Calibrates what was loaded. */
static int run(struct calibrator *c)
{
    struct error err = {""};
    const struct calibration_settings settings = {.lineup = &c->lineup,
                                                  .values = c->values,
                                                  .positions = c->positions,
                                                  .count = c->count,
                                                  .nodes = c->options->nodes,
                                                  .share = c->options->share / 100,
                                                  .rounds = CALIBRATION_ROUNDS,
                                                  .threads = c->options->threads,
                                                  .stop = interrupt_watch(),
                                                  .progress = show,
                                                  .context = c};
    progress_begin(&c->progress, "block of searches", 0);
    const enum jobs_end end = calibrate(&settings, &c->result, &err);
    progress_end(&c->progress);
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
