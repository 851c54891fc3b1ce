#include "suite_experiment.h"

#include "ratio.h"
#include "statistics.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A plan in progress. */
struct suite_experiment {
    struct experiment *x;
    const struct suite_table *table;
    const struct suite_plan *plan; /* the table's */
    struct search_params methods[SUITE_METHODS];
    const char *names[SUITE_METHODS];
    double ours[SUITE_ROWS][SUITE_METHODS];
    bool measured[SUITE_ROWS]; /* the first positions at least */
    size_t positions[SUITE_ROWS], whole[SUITE_ROWS];
    struct pairs pairs[SUITE_ROWS]; /* of positions solved */
    struct ratio ratio[SUITE_ROWS]; /* the table's, if it has one */
    char step[GRID_NOTE];           /* the name of the row that is searched, for people */
    struct grid grid;
};

/* ---- measuring ---- */

/* The figure of one search. */
static double figure_of(enum suite_figure figure, const struct suite_row *row,
                        const struct solved *s)
{
    int mate = score_mate_moves(s->score);
    switch (figure) {
    case FIGURE_NODES:
        return (double)s->nodes;
    case FIGURE_SOLVED:
        return s->stable.nodes > 0;
    default:
        return mate > 0 && mate <= row->mate;
    }
}

/* True if the table has a column for the ratio of two others. */
static bool has_ratio(const struct suite_table *table)
{
    return table->ratio[0] != table->ratio[1];
}

/* Finds the ratio of two columns in a row, position by position. */
static bool find_ratio(struct suite_experiment *e, int row, const struct solved *cells,
                       size_t count, struct error *err)
{
    const int methods = e->plan->method_count, *columns = e->table->ratio;
    double *logs = calloc(count + 1, sizeof *logs);
    if (logs == NULL)
        return error_set(err, "no memory for %zu ratios", count);
    for (size_t i = 0; i < count; i++, cells += methods)
        logs[i] = log((double)cells[columns[0]].nodes / (double)cells[columns[1]].nodes);
    e->ratio[row] = ratio_of_logs(logs, count);
    free(logs);
    return true;
}

/* Sums the searches of a row. */
static void sum_row(struct suite_experiment *e, int row, const struct solved *cells, size_t count)
{
    int methods = e->plan->method_count;
    for (size_t i = 0; i < count; i++) {
        bool solved[SUITE_METHODS];
        for (int m = 0; m < methods; m++) {
            double figure = figure_of(e->table->figure, &e->plan->rows[row],
                                      &cells[i * (size_t)methods + (size_t)m]);
            e->ours[row][m] += figure;
            solved[m] = figure > 0;
        }
        pairs_add(&e->pairs[row], solved, methods);
    }
    e->measured[row] = true;
    e->positions[row] = count;
}

/* The search of `count` positions from index `first` on. If each position has its own depth, that of
 * `first` applies. */
static struct experiment_search search_of(struct suite_experiment *e, const struct suite_row *r,
                                          const struct dataset *d, size_t first, size_t count)
{
    const size_t methods = (size_t)e->plan->method_count;
    return (struct experiment_search){
        .step = e->step,
        .positions = d->items + first,
        .position_count = count,
        .methods = e->methods,
        .method_count = e->plan->method_count,
        .limits = {.nodes = r->nodes,
                   .depth = r->depths != NULL ? r->depths[first] : r->depth,
                   .movetime = r->movetime},
        .before = first * methods,
        .of = d->count * methods,
    };
}

/* What is to be had of a row: nothing; at the usual size, what an overnight experiment that goes on in
 * stretches has searched until now; or all. */
enum row_part { ROW_NOT, ROW_KNOWN, ROW_WHOLE };

static enum row_part part_of(const struct experiment *x, const struct suite_row *r)
{
    if (r->nodes == 0 && r->depth == 0 && r->depths == NULL && r->movetime == 0)
        return ROW_NOT;
    if (x->size >= r->from)
        return ROW_WHOLE;
    return x->size == SIZE_USUAL && r->depths == NULL ? ROW_KNOWN : ROW_NOT;
}

/* Searches the positions of a row, or takes those that are known. */
static bool fill_cells(struct suite_experiment *e, const struct suite_row *r,
                       const struct dataset *d, struct solved *cells, size_t *count,
                       struct error *err)
{
    const size_t together = r->depths != NULL ? 1 : d->count;
    bool good = true;
    snprintf(e->step, sizeof e->step, "%s, %s %s", test_suite_title(r->suite), e->plan->row,
             r->label);
    if (part_of(e->x, r) == ROW_KNOWN) {
        const struct experiment_search search = search_of(e, r, d, 0, d->count);
        *count = experiment_known(e->x, &search, cells);
        return true;
    }
    for (size_t i = 0; good && i < d->count; i += together) {
        const struct experiment_search search = search_of(e, r, d, i, together);
        good = experiment_solve(e->x, &search, cells + i * (size_t)e->plan->method_count, err);
    }
    *count = d->count;
    return good;
}

/* Measures a row with its positions, and sums the results. */
static bool measure_positions(struct suite_experiment *e, int row, const struct dataset *d,
                              struct error *err)
{
    struct solved *cells = calloc(d->count * (size_t)e->plan->method_count, sizeof *cells);
    size_t count = 0;
    if (cells == NULL)
        return error_set(err, "no memory for %zu positions", d->count);
    bool good = fill_cells(e, &e->plan->rows[row], d, cells, &count, err);
    e->whole[row] = d->count;
    if (good && count > 0)
        sum_row(e, row, cells, count);
    if (good && count > 0 && has_ratio(e->table))
        good = find_ratio(e, row, cells, count, err);
    free(cells);
    return good;
}

/* The positions of a row at this size. */
static bool load_positions(const struct suite_experiment *e, const struct suite_row *r,
                           struct dataset *d, struct error *err)
{
    struct test_choice choice = e->plan->choice;
    if (e->x->size == SIZE_QUICK)
        choice.count = e->plan->quick;
    else if (r->from < SIZE_OVERNIGHT && e->x->size == SIZE_USUAL && e->plan->usual > 0)
        choice.count = e->plan->usual;
    if (!test_suite_load(r->suite, e->x->suites, d, err))
        return false;
    test_suite_choose(d, &choice);
    return r->from < SIZE_OVERNIGHT || r->depths != NULL || test_suite_spread(d, err);
}

/* Measures a row, as far as this size of the experiment has it. */
static bool measure_row(struct suite_experiment *e, int row, struct error *err)
{
    const struct suite_row *r = &e->plan->rows[row];
    struct dataset d = {0};
    if (part_of(e->x, r) == ROW_NOT)
        return true;
    bool good = load_positions(e, r, &d, err) && measure_positions(e, row, &d, err);
    dataset_free(&d);
    return good;
}

/* ---- showing ---- */

/* "449.7 M", "60": a figure; nodes are shortened. */
static void format_figure(enum suite_figure figure, double value, char text[GRID_TEXT])
{
    if (figure != FIGURE_NODES)
        snprintf(text, GRID_TEXT, "%.0f", value);
    else if (value < 1e6)
        snprintf(text, GRID_TEXT, "%.1f k", value / 1e3);
    else
        snprintf(text, GRID_TEXT, "%.1f M", value / 1e6);
}

/* Writes a row of figures, with how each compares with the reference. A method that the paper does not
 * have is left empty. */
static void show_figures(struct suite_experiment *e, int grid_row_number, const double *values,
                         bool published)
{
    const struct suite_table *table = e->table;
    double reference = table->compared ? values[table->reference] : 0;
    for (int m = 0; m < e->plan->method_count; m++) {
        char figure[GRID_TEXT];
        if (published && values[m] <= 0)
            continue;
        format_figure(table->figure, values[m], figure);
        if (reference > 0 && m != table->reference)
            grid_set(&e->grid, grid_row_number, m, "%.40s (%+.1f %%)", figure,
                     100 * (values[m] / reference - 1));
        else
            grid_set(&e->grid, grid_row_number, m, "%s", figure);
    }
}

/* Writes the ratio of a row of ours, or that of the totals of a published row. */
static void show_ratio(struct suite_experiment *e, int grid_row_number, int row,
                       const double *published)
{
    const int column = e->plan->method_count, *columns = e->table->ratio;
    const struct ratio *ratio = &e->ratio[row];
    if (!has_ratio(e->table))
        return;
    if (published != NULL)
        grid_set(&e->grid, grid_row_number, column, "%.2f of the totals",
                 published[columns[0]] / published[columns[1]]);
    else
        grid_set(&e->grid, grid_row_number, column, "%.2f (%.2f to %.2f)", ratio->mean, ratio->low,
                 ratio->high);
}

/* The paper's figures for a row, or NULL. */
static const double *published_of(const struct suite_experiment *e, int row)
{
    const struct suite_row *r = &e->plan->rows[row];
    const double *published =
        e->table->figure == FIGURE_NODES ? r->published_nodes : r->published_solved;
    for (int m = 0; m < e->plan->method_count; m++)
        if (published[m] > 0)
            return published;
    return NULL;
}

/* True if only the first positions of a row are known until now. */
static bool is_partial(const struct suite_experiment *e, int row)
{
    return e->positions[row] < e->whole[row];
}

/* True if a row has been measured with all its positions. */
static bool is_whole(const struct suite_experiment *e, int row)
{
    return e->measured[row] && !is_partial(e, row);
}

/* True if any row has been measured, but not with all its positions. */
static bool is_any_partial(const struct suite_experiment *e)
{
    bool any = false;
    for (int r = 0; r < e->plan->row_count; r++)
        any = any || (e->measured[r] && is_partial(e, r));
    return any;
}

/* Writes the published figures and ours, row by row. */
static void show_rows(struct suite_experiment *e)
{
    for (int r = 0; r < e->plan->row_count; r++) {
        const char *label = e->plan->rows[r].label;
        const double *published = published_of(e, r);
        if (published != NULL) {
            int row = grid_row(&e->grid, "%s, published", label);
            show_figures(e, row, published, true);
            show_ratio(e, row, r, published);
        }
        if (e->measured[r]) {
            int row = grid_row(&e->grid, "%s, ours (%zu positions%s)", label, e->positions[r],
                               is_partial(e, r) ? " until now" : "");
            show_figures(e, row, e->ours[r], false);
            show_ratio(e, row, r, NULL);
        }
    }
}

/* ---- the paper's claims ---- */

/* The number of measured rows, or of steps between them, for which a claim is true. */
struct verdict {
    int held, rows;
};

/* True if a claim holds for the figures of one row. */
static bool holds(const struct suite_claim *c, const double *figures)
{
    double a = figures[c->columns[0]], b = figures[c->columns[1]];
    switch (c->kind) {
    case CLAIM_MORE:
    case CLAIM_MORE_ON_AVERAGE:
        return a > b;
    case CLAIM_NO_LESS:
        return a >= b;
    case CLAIM_NEARER:
        return fabs(a - b) < fabs(a - figures[c->columns[2]]);
    default:
        return a < b;
    }
}

/* Checks a claim on the sum of all rows that are whole. Of fewer positions, single ones decide a sum. */
static struct verdict judge_total(const struct suite_experiment *e, const struct suite_claim *c)
{
    double total[SUITE_METHODS] = {0};
    int rows = 0;
    for (int r = 0; r < e->plan->row_count; r++) {
        if (!is_whole(e, r))
            continue;
        rows++;
        for (int m = 0; m < e->plan->method_count; m++)
            total[m] += e->ours[r][m];
    }
    return (struct verdict){rows > 0 && holds(c, total), rows > 0};
}

/* True if two measured rows have the same positions: the same number of those of the same choice. */
static bool have_same_positions(const struct suite_experiment *e, int a, int b)
{
    return e->plan->rows[a].suite == e->plan->rows[b].suite && e->whole[a] == e->whole[b] &&
           e->positions[a] == e->positions[b];
}

/* The ratio of a claim's first two columns in a row. */
static double ratio_in(const struct suite_experiment *e, const struct suite_claim *c, int row)
{
    return e->ours[row][c->columns[0]] / e->ours[row][c->columns[1]];
}

/* Checks a claim on each pair of consecutive measured rows with the same positions. */
static struct verdict judge_steps(const struct suite_experiment *e, const struct suite_claim *c)
{
    struct verdict v = {0};
    int before = -1;
    for (int r = 0; r < e->plan->row_count; r++) {
        if (!e->measured[r])
            continue;
        if (before >= 0 && have_same_positions(e, before, r)) {
            v.rows++;
            v.held += ratio_in(e, c, r) < ratio_in(e, c, before);
        }
        before = r;
    }
    return v;
}

static struct verdict judge_rows(const struct suite_experiment *e, const struct suite_claim *c)
{
    struct verdict v = {0};
    for (int r = 0; r < e->plan->row_count; r++) {
        v.rows += e->measured[r];
        v.held += e->measured[r] && holds(c, e->ours[r]);
    }
    return v;
}

/* Notes whether a claim holds, and in how many rows. */
static void show_claim(struct grid *g, const struct suite_experiment *e,
                       const struct suite_claim *c)
{
    bool total = c->kind == CLAIM_LESS_ON_AVERAGE || c->kind == CLAIM_MORE_ON_AVERAGE;
    bool steps = c->kind == CLAIM_FALLS;
    struct verdict v = total ? judge_total(e, c) : steps ? judge_steps(e, c) : judge_rows(e, c);
    bool enough = v.held == v.rows || (v.held > 0 && c->kind == CLAIM_SOMETIMES_LESS);
    const char *verdict = enough ? "Holds" : v.held > 0 ? "Holds only in part" : "Does not hold";
    if (v.rows == 0)
        grid_note(g, "Claim: %s. Not measured at this size.", c->text);
    else if (total)
        grid_note(g, "Claim: %s. %s here, all %srows together.", c->text, verdict,
                  is_any_partial(e) ? "complete " : "");
    else
        grid_note(g, "Claim: %s. %s here: in %d of %d %s.", c->text, verdict, v.held, v.rows,
                  steps ? "steps from row to row" : "rows");
}

static void show_claims(struct suite_experiment *e)
{
    for (int i = 0; i < SUITE_CLAIMS && e->table->claims[i].text != NULL; i++)
        show_claim(&e->grid, e, &e->table->claims[i]);
}

/* Notes how much of the full experiment was searched. */
static void show_reduction(struct suite_experiment *e)
{
    static const char *const sizes[] = {"quick", "usual", "overnight"};
    int left = 0;
    for (int r = 0; r < e->plan->row_count; r++)
        left += !e->measured[r];
    if (e->x->size == SIZE_QUICK)
        grid_note(&e->grid, "Reduced: %d positions of each suite, and %d of %d rows.",
                  e->plan->quick, e->plan->row_count - left, e->plan->row_count);
    else if (left > 0)
        grid_note(&e->grid, "Size %s: %d of %d rows are searched.", sizes[e->x->size],
                  e->plan->row_count - left, e->plan->row_count);
}

/* ---- pairs of methods ---- */

/* The last row that the paper has figures for, or -1. */
static int last_published(const struct suite_experiment *e)
{
    int last = -1;
    for (int r = 0; r < e->plan->row_count; r++)
        last = published_of(e, r) != NULL ? r : last;
    return last;
}

/* The last row of ours that has all its positions, or -1. */
static int last_whole(const struct suite_experiment *e)
{
    int last = -1;
    for (int r = 0; r < e->plan->row_count; r++)
        last = is_whole(e, r) ? r : last;
    return last;
}

/* Notes how many positions the published difference between two methods needs, if they disagree as
 * often as in the last row of ours that is whole. */
static void note_needed(struct suite_experiment *e)
{
    const int a = e->table->needed[0], b = e->table->needed[1];
    const int there = last_published(e), here = last_whole(e);
    if (a == b || there < 0 || here < 0)
        return;
    const double *published = published_of(e, there);
    const struct pairs *p = &e->pairs[here];
    double difference = fabs(published[a] - published[b]);
    double share = difference / (double)test_suite_size(e->plan->rows[there].suite);
    double discordant = (double)(p->alone[a][b] + p->alone[b][a]) / (double)p->positions;
    if (share > 0 && share <= discordant)
        grid_note(
            &e->grid,
            "The paper has a difference of %.0f between %s and %s. If they disagree on %.1f %% of "
            "the positions, as at %s here, it takes %.0f positions to detect it (McNemar's test, "
            "5 %% level, 80 %% power).",
            difference, e->names[a], e->names[b], 100 * discordant, e->plan->rows[here].label,
            sign_test_positions(discordant, share));
}

/* Shows for each pair of methods the positions that one of them solves alone. */
static void show_pairs(struct suite_experiment *e, const char *title)
{
    pairs_begin(&e->grid, title, e->plan->row, e->names, e->plan->method_count);
    for (int r = 0; r < e->plan->row_count; r++)
        if (e->measured[r])
            pairs_column(&e->grid, e->plan->rows[r].label, &e->pairs[r], e->plan->method_count,
                         e->whole[r]);
    note_needed(e);
    e->x->observer->show(e->x->observer->context, &e->grid);
}

/* Makes the columns: their names and parameters. */
static void make_methods(struct suite_experiment *e)
{
    const struct suite_plan *plan = e->plan;
    const struct search_params base = plan->base();
    for (int m = 0; m < plan->method_count; m++) {
        const enum null_move_method null_move = plan->methods[m];
        const struct suite_method method =
            plan->method != NULL ? plan->method(m, &base)
                                 : (struct suite_method){null_move_method_name(null_move),
                                                         null_move_method_params(null_move, &base)};
        e->methods[m] = method.params;
        e->names[m] = method.name;
        grid_column(&e->grid, method.name);
    }
}

/* Makes the column of the ratio, if the table has one. */
static void make_ratio(struct suite_experiment *e)
{
    const int *columns = e->table->ratio;
    char head[3 * GRID_TEXT];
    if (!has_ratio(e->table))
        return;
    snprintf(head, sizeof head, "%s / %s, geometric mean (95 %%)", e->grid.heads[columns[0]],
             e->grid.heads[columns[1]]);
    grid_column(&e->grid, head);
}

/* Searches the rows of a plan and shows a grid. */
static bool run_plan(struct experiment *x, const struct suite_table *table,
                     const struct suite_plan *plan, const char *title, struct error *err)
{
    struct suite_experiment *e = calloc(1, sizeof *e);
    if (e == NULL)
        return error_set(err, "no memory for an experiment");
    e->x = x;
    e->table = table;
    e->plan = plan;
    grid_begin(&e->grid, title, e->plan->row);
    make_methods(e);
    make_ratio(e);
    bool good = true;
    for (int row = 0; good && row < e->plan->row_count; row++)
        good = measure_row(e, row, err);
    if (good) {
        show_rows(e);
        show_claims(e);
        show_reduction(e);
        grid_note(&e->grid, "Differs: %s", e->plan->differs);
        x->observer->show(x->observer->context, &e->grid);
    }
    if (good && e->table->figure != FIGURE_NODES)
        show_pairs(e, title);
    free(e);
    return good;
}

/* The smallest size that searches a row in the other way. */
static enum experiment_size other_size(const struct suite_way *way, int row)
{
    if (row == 0)
        return SIZE_QUICK;
    return way->first <= row && row < way->end ? SIZE_USUAL : SIZE_OVERNIGHT;
}

/* The plan in its other way. */
static struct suite_plan other_way(const struct suite_plan *plan)
{
    const struct suite_way *way = plan->again;
    struct suite_plan other = *plan;
    other.base = way->base;
    memcpy(other.methods, way->methods, sizeof other.methods);
    other.usual = way->count;
    other.differs = way->differs;
    for (int row = 0; row < plan->row_count; row++)
        other.rows[row].from = other_size(way, row);
    return other;
}

bool suite_experiment_run(struct experiment *x, const struct reproduction *r, struct error *err)
{
    const struct suite_table *table = r->plan;
    const struct suite_plan *plan = table->plan;
    char title[GRID_NOTE];
    if (!run_plan(x, table, plan, r->title, err))
        return false;
    if (plan->again == NULL)
        return true;
    const struct suite_plan other = other_way(plan);
    snprintf(title, sizeof title, "%s, %s", r->title, plan->again->title);
    return run_plan(x, table, &other, title, err);
}
