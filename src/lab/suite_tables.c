/* Most tables: several methods search the same suites of test positions under the same limits. A table
 * shows the nodes needed, or the positions solved; these are followed by a table of each pair of methods.
 *
 * A row of the overnight size takes hours. It is searched in an order that spreads any beginning of it
 * over the suite, so that the usual size can show what several nights have searched until now. */
#include "comparisons.h"
#include "lab_runs.h"
#include "reproduction.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { METHODS = 8, PAIRS = METHODS * (METHODS - 1) / 2, ROWS = 16 };

/* The figure: nodes searched; positions whose final move is right; positions whose final score is a mate,
 * at most as long as the row says. */
enum figure { FIGURE_NODES, FIGURE_SOLVED, FIGURE_MATES };

struct row {
    const struct yaml_node *entry;
    const char *label, *suite;
    const struct yaml_node *depths, *published; /* NULL: none */
    int from;                                   /* the smallest size that searches it whole */
    size_t count, all;                          /* positions searched until now, and all */
    double ours[METHODS];
    int alone[METHODS][METHODS]; /* [a][b]: positions solved by a and not by b */
    struct ratio ratio;          /* the table's, if it has one */
};

struct suite_table {
    struct lab_table *t;
    const struct yaml_node *way; /* the entry, or the other way of doing it */
    enum figure figure;
    int method_count, reference, ratio[2]; /* columns; -1: none */
    const char *names[METHODS];
    struct search_params params[METHODS];
    const struct eval_weights *weights[METHODS]; /* NULL: the experiment's */
    struct evolved_engine engines[EVOLVED_ENGINES];
    struct row rows[ROWS];
    int row_count;
    char step[GRID_NOTE]; /* the name of the row that is searched, for people */
};

/* ---- reading the entry ---- */

/* The column of a method by its name in the entry, or -1. */
static int column_of(const struct suite_table *s, const char *name)
{
    const struct yaml_node *methods = lab_find(s->t, "methods");
    for (int m = 0; name != NULL && m < s->method_count; m++)
        if (strcmp(data_text_at(methods, m), name) == 0)
            return m;
    return -1;
}

/* A setting of the other way of doing a table, or of its entry. */
static const struct yaml_node *setting(const struct suite_table *s, const char *key)
{
    const struct yaml_node *own = data_find(s->t->x, s->way, key);
    return own != NULL ? own : lab_find(s->t, key);
}

static bool make_columns(struct suite_table *s, struct error *err)
{
    struct lab_table *t = s->t;
    const struct yaml_node *methods = setting(s, "methods"), *base = setting(s, "base");
    const struct yaml_node *ratio = lab_find(t, "ratio");
    char head[3 * GRID_TEXT];
    s->method_count = data_count(methods);
    if (base == NULL && !evolved_engines(t, s->engines, err))
        return false;
    for (int m = 0; m < s->method_count; m++) {
        const struct evolved_engine *e = &s->engines[m];
        s->weights[m] = base != NULL ? NULL : &e->weights;
        s->names[m] = e->name;
        s->params[m] = base != NULL ? data_search_params(t->x, data_text_at(methods, m), base->text,
                                                         &s->names[m])
                                    : e->params;
        lab_column(t, s->names[m]);
    }
    s->reference = column_of(s, lab_text(t, "compared"));
    for (int i = 0; i < 2; i++)
        s->ratio[i] = ratio != NULL ? column_of(s, data_text_at(ratio, i)) : -1;
    if (ratio != NULL) {
        snprintf(head, sizeof head, "%s / %s, geometric mean (95 %%)", s->names[s->ratio[0]],
                 s->names[s->ratio[1]]);
        lab_column(t, head);
    }
    return true;
}

/* The smallest size that searches a row whole: as the row says; the other way has the first row at any size,
 * and at the usual one those whose numbers it names. */
static int size_of_row(const struct suite_table *s, int row, const struct yaml_node *entry)
{
    const char *from = data_text(s->t->x, entry, "from");
    const struct yaml_node *usual = yaml_find(s->way, "usual rows");
    int size = from == NULL ? SIZE_QUICK : strcmp(from, "usual") == 0 ? SIZE_USUAL : SIZE_OVERNIGHT;
    if (s->way == s->t->entry)
        return size;
    size = row == 0 ? SIZE_QUICK : SIZE_OVERNIGHT;
    for (int i = 0; i < data_count(usual) && row > 0; i++)
        size = (int)data_at(usual, i) == row ? SIZE_USUAL : size;
    return size;
}

static void make_rows(struct suite_table *s)
{
    static const char *const figures[] = {"nodes", "solved", "mates"};
    struct experiment *x = s->t->x;
    const char *suite = lab_text(s->t, "suite");
    while (strcmp(figures[s->figure], lab_text(s->t, "figure")) != 0)
        s->figure++;
    for (const struct yaml_node *n = lab_first(s->t, "rows"); n != NULL; n = n->next) {
        assert(s->row_count < ROWS);
        s->rows[s->row_count] =
            (struct row){.entry = n,
                         .label = data_text(x, n, "label"),
                         .suite = suite != NULL ? suite : data_text(x, n, "suite"),
                         .depths = data_find(x, n, "depths"),
                         .published = data_find(
                             x, n, s->figure == FIGURE_NODES ? "nodes there" : "solved there"),
                         .from = size_of_row(s, s->row_count, n)};
        s->row_count++;
    }
}

/* ---- measuring ---- */

static double figure_of(const struct suite_table *s, const struct row *r, const struct solved *cell)
{
    int mate = score_mate_moves(cell->score);
    switch (s->figure) {
    case FIGURE_NODES:
        return (double)cell->nodes;
    case FIGURE_SOLVED:
        return cell->stable.nodes > 0;
    default:
        return mate > 0 && mate <= data_number(s->t->x, r->entry, "mate", 0);
    }
}

/* Sums the searches of a row, cells[position * methods + method]. */
static bool sum_row(const struct suite_table *s, struct row *r, const struct solved *cells,
                    struct error *err)
{
    const int methods = s->method_count;
    double *logs = calloc(r->count + 1, sizeof *logs);
    if (logs == NULL)
        return error_set(err, "no memory for %zu ratios", r->count);
    for (size_t i = 0; i < r->count; i++, cells += methods) {
        double figures[METHODS];
        for (int m = 0; m < methods; m++)
            r->ours[m] += figures[m] = figure_of(s, r, &cells[m]);
        for (int a = 0; a < methods; a++)
            for (int b = 0; b < methods; b++)
                r->alone[a][b] += figures[a] > 0 && figures[b] <= 0;
        if (s->ratio[0] >= 0)
            logs[i] = log((double)cells[s->ratio[0]].nodes / (double)cells[s->ratio[1]].nodes);
    }
    if (s->ratio[0] >= 0)
        r->ratio = ratio_of_logs(logs, r->count);
    free(logs);
    return true;
}

/* Searches the positions of a row; or without `anew` takes what is known of the first. Methods that have the
 * same weights are searched together. Others take their turns slice by slice overnight, so that an interrupted
 * night leaves figures that can be compared. */
static bool search_row(struct suite_table *s, struct row *r, const struct dataset *d, bool anew,
                       struct solved *cells, struct error *err)
{
    struct experiment *x = s->t->x;
    const bool night = r->from == SIZE_OVERNIGHT && anew && s->weights[0] != NULL;
    const size_t slice = r->depths != NULL ? 1 : night ? EXPERIMENT_SLICE : d->count;
    const size_t methods = (size_t)s->method_count;
    size_t end = 0;
    for (size_t first = 0; first < d->count; first = end) {
        end = first + slice < d->count ? first + slice : d->count;
        for (size_t m = 0, alike = 1; m < methods; m += alike, alike = 1) {
            while (m + alike < methods && s->weights[m + alike] == s->weights[m])
                alike++;
            const struct experiment_search search = {
                .step = s->step,
                .weights = s->weights[m],
                .positions = d->items + first,
                .position_count = end - first,
                .methods = s->params + m,
                .method_count = (int)alike,
                .limits = {.nodes = (uint64_t)data_number(x, r->entry, "nodes", 0),
                           .depth = r->depths != NULL ? (int)data_at(r->depths, (int)first)
                                                      : (int)data_number(x, r->entry, "depth", 0),
                           .movetime = (int)data_number(x, r->entry, "movetime", 0)},
                .before = first * methods,
                .of = d->count * methods,
            };
            size_t known = end - first;
            struct solved *found = experiment_solve(x, &search, anew ? NULL : &known, err);
            if (found == NULL)
                return false;
            end = first + known;
            for (size_t i = first; i < end; i++)
                memcpy(&cells[i * methods + m], &found[(i - first) * alike], alike * sizeof *found);
            free(found);
        }
        if (!anew)
            break;
    }
    r->count = end;
    return true;
}

/* Measures a row, as far as this size of the experiment has it: all, or at the usual size what an overnight
 * experiment that goes on in stretches has searched until now, or nothing. */
static bool measure_row(struct suite_table *s, struct row *r, struct error *err)
{
    struct experiment *x = s->t->x;
    const bool whole = (int)x->size >= r->from, night = r->from == SIZE_OVERNIGHT;
    const struct yaml_node *positions = setting(s, "positions");
    const bool choose = positions != NULL && !(night && x->size == SIZE_USUAL);
    struct dataset d = {0};
    if (!whole && (x->size != SIZE_USUAL || r->depths != NULL))
        return true;
    snprintf(s->step, sizeof s->step, "%s, %s %s",
             data_text(x, data_entry(x, "suites", r->suite), "title"), s->t->grid.corner, r->label);
    bool good = test_suite_load(x->data, r->suite, x->suites, &d, err);
    test_suite_choose(&d, choose ? atoi(positions->text) : 0,
                      lab_text(s->t, "with pieces") != NULL);
    good = good && (!night || r->depths != NULL || test_suite_spread(&d, err));
    struct solved *cells = calloc(d.count * (size_t)s->method_count + 1, sizeof *cells);
    if (good && cells == NULL)
        good = error_set(err, "no memory for %zu positions", d.count);
    r->all = d.count;
    good = good && search_row(s, r, &d, whole, cells, err) && sum_row(s, r, cells, err);
    free(cells);
    dataset_free(&d);
    return good;
}

/* ---- showing ---- */

/* Writes a row of figures, with how each compares with the reference: "449.7 M (+4.0 %)", "60". A method that
 * the paper does not have is left empty. */
static void show_figures(const struct suite_table *s, const double values[METHODS], bool published)
{
    const double reference = s->reference >= 0 ? values[s->reference] : 0;
    for (int m = 0; m < s->method_count; m++) {
        char figure[32], beside[32] = "";
        if (s->figure != FIGURE_NODES)
            snprintf(figure, sizeof figure, "%.0f", values[m]);
        else if (values[m] < 1e6)
            snprintf(figure, sizeof figure, "%.1f k", values[m] / 1e3);
        else
            snprintf(figure, sizeof figure, "%.1f M", values[m] / 1e6);
        if (reference > 0 && m != s->reference)
            snprintf(beside, sizeof beside, " (%+.1f %%)", 100 * (values[m] / reference - 1));
        if (published && values[m] <= 0)
            figure[0] = beside[0] = '\0';
        lab_cell(s->t, "%s%s", figure, beside);
    }
}

/* Writes the published figures and ours, row by row. */
static void show_rows(const struct suite_table *s)
{
    for (const struct row *r = s->rows; r < s->rows + s->row_count; r++) {
        if (r->published != NULL) {
            double values[METHODS];
            for (int m = 0; m < s->method_count; m++)
                values[m] = data_at(r->published, m);
            lab_row(s->t, "%s, published", r->label);
            show_figures(s, values, true);
            if (s->ratio[0] >= 0)
                lab_cell(s->t, "%.2f of the totals", values[s->ratio[0]] / values[s->ratio[1]]);
        }
        if (r->count > 0) {
            lab_row(s->t, "%s, ours (%zu positions%s)", r->label, r->count,
                    r->count < r->all ? " until now" : "");
            show_figures(s, r->ours, false);
            if (s->ratio[0] >= 0)
                lab_cell(s->t, "%.2f (%.2f to %.2f)", r->ratio.mean, r->ratio.low, r->ratio.high);
        }
    }
}

/* ---- the paper's claims ---- */

/* True if a claim holds for its columns' figures; "nearer": a is nearer b than c. */
static bool holds(const char *claim, double a, double b, double c)
{
    return strcmp(claim, "nearer") == 0     ? fabs(a - b) < fabs(a - c)
           : strcmp(claim, "no less") == 0  ? a >= b
           : strncmp(claim, "more", 4) == 0 ? a > b
                                            : a < b;
}

/* Notes whether a claim holds, and in how many rows: "less", "more", "no less" or "nearer"; one row is enough
 * for "sometimes less". Or in how many steps between rows of the same positions: "falls", the ratio of the
 * columns. "less on average" and "more on average" are for all complete rows together: of fewer positions,
 * single ones decide a sum. */
static void show_claim(const struct suite_table *s, const struct yaml_node *entry)
{
    const char *claim = entry->child->key;
    const bool average = strstr(claim, "on average") != NULL, falls = strcmp(claim, "falls") == 0,
               once = strcmp(claim, "sometimes less") == 0;
    const struct row *before = NULL;
    double total[3] = {0}, last = 0;
    int held = 0, rows = 0;
    bool partial = false;
    for (const struct row *r = s->rows; r < s->rows + s->row_count; r++) {
        double figures[3] = {0};
        if (r->count == 0)
            continue;
        for (int i = 0; i < data_count(entry->child); i++)
            figures[i] = r->ours[column_of(s, data_text_at(entry->child, i))];
        const double ratio = figures[0] / figures[1];
        partial = partial || r->count < r->all;
        if (average) {
            for (int i = 0; i < 3 && r->count == r->all; i++)
                total[i] += figures[i];
            rows += r->count == r->all;
        } else if (!falls) {
            rows++;
            held += holds(claim, figures[0], figures[1], figures[2]);
        } else if (before != NULL && strcmp(before->suite, r->suite) == 0 &&
                   before->all == r->all && before->count == r->count) {
            rows++;
            held += ratio < last;
        }
        before = r;
        last = ratio;
    }
    if (average)
        held = rows > 0 && holds(claim, total[0], total[1], 0) ? rows : 0;
    struct lab_table *t = s->t;
    lab_word(t, "claim", "%s", data_text(t->x, entry, "text"));
    lab_word(t, "verdict", "%s", verdict_held(once && held > 0 ? rows : held, rows));
    lab_word(t, "held", "in %d of %d %s", held, rows, falls ? "steps from row to row" : "rows");
    lab_note(t, rows == 0  ? "Claim: {claim}. Not measured at this size."
                : !average ? "Claim: {claim}. {verdict} here: {held}."
                : partial  ? "Claim: {claim}. {verdict} here, all complete rows together."
                           : "Claim: {claim}. {verdict} here, all rows together.");
}

/* Notes all claims, how much of the full experiment was searched, and how it differs from the paper's. */
static void show_notes(const struct suite_table *s)
{
    struct lab_table *t = s->t;
    int searched = 0;
    for (const struct yaml_node *n = lab_first(t, "claims"); n != NULL; n = n->next)
        show_claim(s, n);
    for (int i = 0; i < s->row_count; i++)
        searched += s->rows[i].count > 0;
    lab_word(t, "searched", "%d of %d rows", searched, s->row_count);
    if (t->x->size == SIZE_QUICK)
        lab_note(t, "Reduced: {positions} positions of each suite, and {searched}.");
    else if (searched < s->row_count)
        lab_note(t, t->x->size == SIZE_USUAL ? "Size usual: {searched} are searched."
                                             : "Size overnight: {searched} are searched.");
    lab_notes(t, "notes");
    lab_word(t, "difference", "%s", setting(s, "differs")->text);
    lab_note(t, "Differs: {difference}");
}

/* ---- pairs of methods ---- */

/* Notes how many positions the published difference between two methods needs, if they disagree as often as
 * in the last row of ours that is whole. */
static void note_needed(const struct suite_table *s)
{
    struct lab_table *t = s->t;
    const struct yaml_node *needed = lab_find(t, "needed");
    const struct row *there = NULL, *here = NULL;
    for (const struct row *r = s->rows; r < s->rows + s->row_count; r++) {
        there = r->published != NULL ? r : there;
        here = r->count > 0 && r->count == r->all ? r : here;
    }
    if (needed == NULL || there == NULL || here == NULL)
        return;
    const int a = column_of(s, data_text_at(needed, 0)), b = column_of(s, data_text_at(needed, 1));
    const double difference = fabs(data_at(there->published, a) - data_at(there->published, b));
    const double share = difference / (double)test_suite_size(t->x->data, there->suite);
    const double discordant = (double)(here->alone[a][b] + here->alone[b][a]) / (double)here->count;
    if (share <= 0 || share > discordant)
        return;
    lab_word(t, "difference", "%.0f between %s and %s", difference, s->names[a], s->names[b]);
    lab_word(t, "discordant", "%.1f %%", 100 * discordant);
    lab_word(t, "row", "%s", here->label);
    lab_word(t, "needed", "%.0f", sign_test_positions(discordant, share));
    lab_note(t, "{needed note}");
}

/* Shows for each pair of methods how many positions each solves that the other does not, and whether that is
 * more than chance: "12 : 5 (p = 0.14)", with a star where the difference is significant at 5 % after Holm's
 * correction for all pairs of the row. */
static void show_pairs(const struct suite_table *s, const char *title)
{
    struct lab_table *t = s->t;
    const int methods = s->method_count;
    char text[GRID_TEXT + GRID_NOTE];
    snprintf(text, sizeof text, "%.400s: pairs of methods", title);
    lab_begin(t, text, "corner", "columns");
    lab_note(t, "{pairs note}");
    for (int a = 0; a < methods; a++)
        for (int b = a + 1; b < methods; b++)
            lab_row(t, "%.28s : %.28s", s->names[a], s->names[b]);
    for (const struct row *r = s->rows; r < s->rows + s->row_count; r++) {
        double single[PAIRS], adjusted[PAIRS];
        int pair = 0;
        if (r->count == 0)
            continue;
        for (int a = 0; a < methods; a++)
            for (int b = a + 1; b < methods; b++, pair++)
                single[pair] = adjusted[pair] = sign_test(r->alone[a][b], r->alone[b][a]);
        holm_adjust(adjusted, pair);
        pair = 0;
        for (int a = 0; a < methods; a++)
            for (int b = a + 1; b < methods; b++, pair++)
                snprintf(t->grid.rows[pair].cells[t->grid.columns], GRID_TEXT,
                         "%d : %d (p = %.2g)%s", r->alone[a][b], r->alone[b][a], single[pair],
                         adjusted[pair] < 0.05 ? " *" : "");
        snprintf(text, sizeof text, "%.30s (%zu positions)", r->label, r->count);
        lab_column(t, r->count < r->all ? text : r->label);
    }
    note_needed(s);
    lab_show(t, NULL);
}

/* Does an entry in one way, and shows the grid, or two. */
static bool run_way(struct lab_table *t, const struct yaml_node *way, const char *title,
                    struct error *err)
{
    struct suite_table *s = calloc(1, sizeof *s);
    if (s == NULL)
        return error_set(err, "no memory for an experiment");
    s->t = t;
    s->way = way;
    lab_begin(t, title, "corner", "columns");
    bool good = make_columns(s, err);
    if (good)
        make_rows(s);
    for (int row = 0; good && row < s->row_count; row++)
        good = measure_row(s, &s->rows[row], err);
    if (good) {
        show_rows(s);
        show_notes(s);
        lab_show(t, NULL);
    }
    if (good && s->figure != FIGURE_NODES)
        show_pairs(s, title);
    free(s);
    return good;
}

/* A table in its own way, and in the other: another base, as many methods, fewer positions. */
bool suite_table_run(struct lab_table *t, struct error *err)
{
    const struct yaml_node *again = lab_find(t, "again");
    char title[GRID_NOTE];
    if (!run_way(t, t->entry, t->title, err))
        return false;
    if (again == NULL)
        return true;
    snprintf(title, sizeof title, "%.400s, %s", t->title, data_text(t->x, again, "title"));
    return run_way(t, again, title, err);
}

/* ---- one difference after another ---- */

/* Each row another pair of methods on the same positions: the first with its base, and a ratio. */
bool differences_run(struct lab_table *t, struct error *err)
{
    struct experiment *x = t->x;
    const struct yaml_node *rows = lab_find(t, "rows");
    const struct dataset *d = &t->positions;
    double ratio = 0;
    size_t row = 0;
    if (!lab_positions(t, err))
        return false;
    double *logs = calloc(d->count + 1, sizeof *logs);
    bool good = logs != NULL || error_set(err, "no memory for %zu positions", d->count);
    lab_rows(t, "published");
    for (const struct yaml_node *n = rows->child; good && n != NULL; n = n->next, row++) {
        struct search_params methods[2];
        double nodes[2] = {0};
        int solved[2] = {0};
        data_search(x, n, &methods[0]);
        methods[1] = methods[0];
        data_search(x, data_entry(x, "searches", lab_text(t, "standard")), &methods[0]);
        data_search(x, data_entry(x, "searches", yaml_text_at(n, "verified")), &methods[1]);
        const struct experiment_search search = {
            .step = yaml_text_at(n, "label"),
            .positions = d->items,
            .position_count = d->count,
            .methods = methods,
            .method_count = 2,
            .limits = {.depth = (int)lab_number(t, "depth")},
            .before = row * d->count * 2,
            .of = (size_t)data_count(rows) * d->count * 2,
        };
        struct solved *cells = experiment_solve(x, &search, NULL, err);
        good = cells != NULL;
        for (size_t i = 0; good && i < d->count; i++) {
            logs[i] = log((double)cells[2 * i + 1].nodes / (double)cells[2 * i].nodes);
            for (size_t m = 0; m < 2; m++) {
                nodes[m] += (double)cells[2 * i + m].nodes;
                solved[m] += cells[2 * i + m].stable.nodes > 0;
            }
        }
        free(cells);
        const struct ratio mean = ratio_of_logs(logs, d->count);
        ratio = nodes[1] / nodes[0];
        lab_row(t, "%s", search.step);
        lab_cell(t, "%.1f M", nodes[0] / 1e6);
        lab_cell(t, "%.1f M", nodes[1] / 1e6);
        lab_cell(t, "%.2f", ratio);
        lab_cell(t, "%.2f (%.2f to %.2f)", mean.mean, mean.low, mean.high);
        lab_cell(t, "%d", solved[0]);
        lab_cell(t, "%d", solved[1]);
    }
    lab_word(t, "verdict", "%s", verdict_held(ratio < 1, 1));
    lab_word(t, "ratio", "%.2f", ratio);
    free(logs);
    return good;
}
