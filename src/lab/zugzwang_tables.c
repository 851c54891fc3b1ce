/* The effect of zugzwang on each null-move method: david-2008, section 4 and Table 7. Here no method requires a
 * minimum of material for the null move. */
#include "notation.h"
#include "reproduction.h"

#include <stdio.h>
#include <stdlib.h>

enum { METHODS = 9, BEYOND = 12 };

/* The methods of the table, each over its own base: lists of search, base, and name if it is another. */
static int list_methods(const struct lab_table *t, struct search_params methods[METHODS],
                        const char *names[METHODS])
{
    int count = 0;
    for (const struct yaml_node *n = lab_first(t, "methods"); n != NULL; n = n->next, count++) {
        methods[count] =
            data_search_params(t->x, data_text_at(n, 0), data_text_at(n, 1), &names[count]);
        names[count] = data_count(n) > 2 ? data_text_at(n, 2) : names[count];
    }
    return count;
}

/* True if the final move is right. */
static bool is_solved(const struct solved *s)
{
    return s->stable.nodes > 0;
}

/* ---- the suite ---- */

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
    struct search_params methods[METHODS];
    const char *names[METHODS];
    const int count = list_methods(t, methods, names);
    int solved[METHODS] = {0}, refuted[METHODS] = {0};
    if (!lab_positions(t, err))
        return false;
    struct dataset *d = &t->positions;
    size_t kept = 0; /* an earlier file may have a position too */
    for (size_t i = 0, j; i < d->count; i++) {
        for (j = 0; j < kept && d->items[j].position.key != d->items[i].position.key;)
            j++;
        if (j == kept)
            d->items[kept++] = d->items[i];
    }
    d->count = kept;
    for (int m = 0; m < count; m++)
        lab_column(t, names[m]);
    const struct experiment_search none = {
        .step = "zugzwangs without null move",
        .positions = d->items,
        .position_count = d->count,
        .methods = methods,
        .method_count = 1,
        .limits = {.nodes = (uint64_t)lab_number(t, "nodes without")},
    };
    struct solved *without = experiment_solve(t->x, &none, NULL, err);
    bool good = without != NULL;
    for (size_t i = 0; good && i < d->count; i++) {
        const int beyond = without[i].stable.depth + BEYOND;
        const int plies = beyond < MAX_DEPTH ? beyond : MAX_DEPTH;
        char step[GRID_NOTE];
        lab_row(t, "%s", d->items[i].id);
        depth_cell(t, &without[i], MAX_DEPTH);
        if (!is_solved(&without[i]))
            continue;
        solved[0]++;
        snprintf(step, sizeof step, "zugzwang %s", d->items[i].id);
        const struct experiment_search search = {
            .step = step,
            .positions = &d->items[i],
            .position_count = 1,
            .methods = methods + 1,
            .method_count = count - 1,
            .limits = {.nodes = (uint64_t)lab_number(t, "nodes with"), .depth = plies},
        };
        struct solved *with = experiment_solve(t->x, &search, NULL, err);
        good = with != NULL;
        for (int m = 1; good && m < count; m++) {
            depth_cell(t, &with[m - 1], plies);
            solved[m] += is_solved(&with[m - 1]);
            refuted[m] += !is_solved(&with[m - 1]) && with[m - 1].depth >= plies;
        }
        free(with);
    }
    lab_row(t, "solved");
    lab_cell(t, "%d of %zu", solved[0], d->count);
    for (int m = 1; m < count; m++) {
        lab_cell(t, "%d of %d", solved[m], solved[0]);
        lab_word(t, "method", "%s", names[m]);
        lab_word(t, "solved", "%d of %d", solved[m], solved[0]);
        lab_word(t, "refuted", "%d", refuted[m]);
        lab_word(t, "undecided", "%d", solved[0] - solved[m] - refuted[m]);
        lab_notes(t, "method note");
    }
    lab_count_word(t, "without", lab_number(t, "nodes without"));
    lab_count_word(t, "with", lab_number(t, "nodes with"));
    free(without);
    return good;
}

/* ---- Table 7 ---- */

/* True if the move is right and the score a mate; without a mate, it may be a lucky choice. */
static bool finds_the_mate(const struct solved *s)
{
    return is_solved(s) && score_mate_moves(s->score) > 0;
}

/* One position by each method, to each of some depths; two of the methods are those of the claim. */
bool mate_run(struct lab_table *t, struct error *err)
{
    static const char *const verdicts[] = {"does not find both", "finds both"};
    const struct yaml_node *claimed = lab_find(t, "claimed");
    struct search_params methods[METHODS];
    const char *names[METHODS];
    const int count = list_methods(t, methods, names);
    if (!lab_positions(t, err))
        return false;
    const struct epd *epd = t->positions.items;
    lab_rows(t, "published");
    for (const struct yaml_node *n = lab_first(t, "depths"); n != NULL; n = n->next) {
        const int depth = atoi(n->text);
        char step[GRID_NOTE];
        snprintf(step, sizeof step, "%s, %d plies", epd->id, depth);
        const struct experiment_search search = {
            .step = step,
            .positions = epd,
            .position_count = 1,
            .methods = methods,
            .method_count = count,
            .limits = {.depth = depth, .nodes = (uint64_t)lab_number(t, "nodes")},
        };
        struct solved *cells = experiment_solve(t->x, &search, NULL, err);
        if (cells == NULL)
            return false;
        for (int m = 0; m < count; m++) { /* "h3 (#15)", "h4 (0.00)" */
            const struct solved *s = &cells[m];
            const int mate = score_mate_moves(s->score);
            char san[SAN_MAX];
            move_to_san(&epd->position, s->best, san);
            lab_row(t, "%s, ours", names[m]);
            if (mate != 0)
                lab_cell(t, "%s (#%d)", san, mate);
            else
                lab_cell(t, "%s (%.2f)", san, s->score / 100.0);
            lab_cell(t, "%d", s->depth);
            lab_cell(t, "%.1f M", (double)s->nodes / 1e6);
        }
        const bool finds = finds_the_mate(&cells[(int)data_at(claimed, 0)]);
        const bool other = finds_the_mate(&cells[(int)data_at(claimed, 1)]);
        free(cells);
        lab_word(t, "plies", "%d", depth);
        lab_word(t, "verdict", finds && !other ? "holds" : "does not hold");
        lab_word(t, "finds", "%s", verdicts[finds]);
        lab_word(t, "other", "%s", verdicts[other]);
        lab_notes(t, "claim");
    }
    lab_count_word(t, "limit", lab_number(t, "nodes"));
    return true;
}
