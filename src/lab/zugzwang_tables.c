/* The effect of zugzwang on each null-move method: david-2008, section 4 and Table 7. Here no method requires a
 * minimum of material for the null move. */
#include "notation.h"
#include "reproduction.h"
#include "test_suites.h"

#include <stdio.h>
#include <stdlib.h>

enum { METHODS = 9, BEYOND = 12 };

/* A column, or a row: a search over its base, or that of the table. */
static struct search_params method_at(const struct lab_table *t, const struct yaml_node *methods,
                                      int i, const char **name)
{
    const struct yaml_node *n = methods->child;
    while (i-- > 0)
        n = n->next;
    const char *search = data_text_at(n, 0), *base = data_text_at(n, 1);
    *name = data_count(n) > 2 ? data_text_at(n, 2)
                              : data_text(t->x, data_entry(t->x, "searches", search), "name");
    return data_search_params(t->x, search, base);
}

/* True if the final move is right. */
static bool is_solved(const struct solved *s)
{
    return s->stable.nodes > 0;
}

/* ---- the suite ---- */

/* Removes positions that an earlier file has too. */
static void drop_repeated(struct dataset *d)
{
    size_t kept = 0;
    for (size_t i = 0; i < d->count; i++) {
        bool seen = false;
        for (size_t j = 0; j < kept; j++)
            seen = seen || d->items[j].position.key == d->items[i].position.key;
        if (!seen)
            d->items[kept++] = d->items[i];
    }
    d->count = kept;
}

/* "12": solved at that depth; "no": not solved within the plies; "no, 20 plies": the nodes were
 * used up after 20 plies. */
static void depth_cell(struct lab_table *t, const struct solved *s, int plies)
{
    if (is_solved(s))
        lab_cell(t, "%d", s->stable.depth);
    else if (s->depth >= plies)
        lab_cell(t, "no");
    else
        lab_cell(t, "no, %d plies", s->depth);
}

/* Searches all positions without null move, the first of the methods, as deep as the node limit allows; and
 * those which it solves with each of the others, twelve plies deeper. */
bool zugzwang_run(struct lab_table *t, struct error *err)
{
    struct experiment *x = t->x;
    const struct yaml_node *list = data_find(x, t->entry, "methods");
    const int count = data_count(list);
    struct search_params methods[METHODS];
    const char *names[METHODS];
    int solved[METHODS] = {0}, refuted[METHODS] = {0};
    struct dataset d = {0};
    if (!test_suite_load(x->data, data_text(x, t->entry, "suite"), x->suites, &d, err))
        return false;
    drop_repeated(&d);
    lab_begin(t, NULL);
    for (int m = 0; m < count; m++) {
        methods[m] = method_at(t, list, m, &names[m]);
        lab_column(t, names[m]);
    }
    struct solved *without = calloc(d.count + 1, sizeof *without);
    const struct experiment_search none = {
        .step = "zugzwangs without null move",
        .positions = d.items,
        .position_count = d.count,
        .methods = methods,
        .method_count = 1,
        .limits = {.nodes = (uint64_t)data_number(x, t->entry, "nodes without", 0)},
    };
    bool good = without != NULL || error_set(err, "no memory for %zu positions", d.count);
    good = good && experiment_solve(x, &none, without, err);
    for (size_t i = 0; good && i < d.count; i++) {
        const int beyond = without[i].stable.depth + BEYOND;
        const int plies = beyond < MAX_DEPTH ? beyond : MAX_DEPTH;
        struct solved with[METHODS];
        char step[GRID_NOTE];
        lab_row(t, "%s", d.items[i].id);
        depth_cell(t, &without[i], MAX_DEPTH);
        if (!is_solved(&without[i]))
            continue;
        solved[0]++;
        snprintf(step, sizeof step, "zugzwang %s", d.items[i].id);
        const struct experiment_search search = {
            .step = step,
            .positions = &d.items[i],
            .position_count = 1,
            .methods = methods + 1,
            .method_count = count - 1,
            .limits = {.nodes = (uint64_t)data_number(x, t->entry, "nodes with", 0),
                       .depth = plies},
        };
        good = experiment_solve(x, &search, with + 1, err);
        for (int m = 1; good && m < count; m++) {
            depth_cell(t, &with[m], plies);
            solved[m] += is_solved(&with[m]);
            refuted[m] += !is_solved(&with[m]) && with[m].depth >= plies;
        }
    }
    lab_row(t, "solved");
    lab_cell(t, "%d of %zu", solved[0], d.count);
    for (int m = 1; m < count; m++) {
        lab_cell(t, "%d of %d", solved[m], solved[0]);
        lab_word(t, "method", "%s", names[m]);
        lab_word(t, "solved", "%d of %d", solved[m], solved[0]);
        lab_word(t, "refuted", "%d", refuted[m]);
        lab_word(t, "undecided", "%d", solved[0] - solved[m] - refuted[m]);
        lab_notes(t, "method note");
    }
    lab_count_word(t, "without", data_number(x, t->entry, "nodes without", 0));
    lab_count_word(t, "with", data_number(x, t->entry, "nodes with", 0));
    lab_notes(t, "notes");
    if (good)
        lab_show(t);
    free(without);
    dataset_free(&d);
    return good;
}

/* ---- Table 7 ---- */

/* True if the move is right and the score a mate; without a mate, it may be a lucky choice. */
static bool finds_the_mate(const struct solved *s)
{
    return is_solved(s) && score_mate_moves(s->score) > 0;
}

/* "h3 (#15)", "h4 (0.00)". */
static void move_cells(struct lab_table *t, const struct epd *epd, const struct solved *s)
{
    char san[SAN_MAX];
    int mate = score_mate_moves(s->score);
    move_to_san(&epd->position, s->best, san);
    if (mate != 0)
        lab_cell(t, "%s (#%d)", san, mate);
    else
        lab_cell(t, "%s (%.2f)", san, s->score / 100.0);
    lab_cell(t, "%d", s->depth);
    lab_cell(t, "%.1f M", (double)s->nodes / 1e6);
}

/* One position by each method, to each of some depths; two of the methods are those of the claim. */
bool mate_run(struct lab_table *t, struct error *err)
{
    static const char *const verdicts[] = {"does not find both", "finds both"};
    struct experiment *x = t->x;
    const struct yaml_node *list = data_find(x, t->entry, "methods");
    const struct yaml_node *depths = data_find(x, t->entry, "depths");
    const struct yaml_node *claimed = data_find(x, t->entry, "claimed");
    const int count = data_count(list);
    struct search_params methods[METHODS];
    const char *names[METHODS];
    struct dataset d = {0};
    bool good = test_suite_load(x->data, data_text(x, t->entry, "suite"), x->suites, &d, err);
    lab_begin(t, NULL);
    for (const struct yaml_node *n = data_find(x, t->entry, "published")->child; n != NULL;
         n = n->next) {
        lab_row(t, "%s, published", data_text_at(n, 0));
        lab_cell(t, "%s", data_text_at(n, 1));
        lab_cell(t, "%s", data_text_at(n, 2));
    }
    for (int m = 0; m < count; m++)
        methods[m] = method_at(t, list, m, &names[m]);
    const int64_t nodes = data_number(x, t->entry, "nodes", 0);
    for (int i = 0; good && i < data_count(depths); i++) {
        const int depth = (int)data_at(depths, i);
        struct solved cells[METHODS];
        char step[GRID_NOTE];
        snprintf(step, sizeof step, "%s, %d plies", d.items[0].id, depth);
        const struct experiment_search search = {
            .step = step,
            .positions = d.items,
            .position_count = 1,
            .methods = methods,
            .method_count = count,
            .limits = {.depth = depth, .nodes = (uint64_t)nodes},
        };
        good = experiment_solve(x, &search, cells, err);
        if (!good)
            break;
        for (int m = 0; m < count; m++) {
            lab_row(t, "%s, ours", names[m]);
            move_cells(t, &d.items[0], &cells[m]);
        }
        const bool finds = finds_the_mate(&cells[(int)data_at(claimed, 0)]);
        const bool other = finds_the_mate(&cells[(int)data_at(claimed, 1)]);
        lab_word(t, "plies", "%d", depth);
        lab_word(t, "verdict", finds && !other ? "holds" : "does not hold");
        lab_word(t, "finds", "%s", verdicts[finds]);
        lab_word(t, "other", "%s", verdicts[other]);
        lab_notes(t, "claim");
    }
    lab_count_word(t, "limit", nodes);
    lab_notes(t, "notes");
    if (good)
        lab_show(t);
    dataset_free(&d);
    return good;
}
