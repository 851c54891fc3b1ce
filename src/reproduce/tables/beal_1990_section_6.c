/* Beal 1990, section 6: on material, first-order QUIESCE is the tree of captures plus a fringe of
 * one ply. This file implements both as plainly as the paper does, and compares them. */
#include "balance.h"
#include "count.h"
#include "movegen.h"
#include "reproduction.h"

#include <inttypes.h>
#include <stdlib.h>

/* Limit of moves per position; in some positions the tree of captures explodes. */
enum { BUDGET = 2000000 };

/* The moves that a search considers besides passing, and its remaining budget. */
struct quiesce {
    bool captures_only;
    int64_t left;
};

/* QUIESCE (Figure 3): the value of passing is the evaluation; moves are searched while the best
 * value is below `upper`. Fail-soft. */
static int32_t quiesce(struct quiesce *q, struct position *p, int32_t upper)
{
    struct move_list list;
    struct undo undo;
    int32_t best = balance(p);
    if (best >= upper)
        return best;
    movegen_legal(p, &list);
    for (int i = 0; i < list.count && best < upper && q->left > 0; i++) {
        Move m = list.moves[i];
        if (q->captures_only && !move_is_capture(m) && !move_is_promotion(m))
            continue;
        q->left--;
        position_make(p, m, &undo);
        int32_t value = -quiesce(q, p, -best);
        position_unmake(p, m, &undo);
        best = value > best ? value : best;
    }
    return best;
}

/* The result. */
struct comparison {
    int64_t compared, equal, too_large;
    int64_t all, captures; /* moves made */
};

/* Searches a position both ways, if the budget is enough for both. */
static void compare(const struct position *position, struct comparison *c)
{
    struct position p = *position;
    struct quiesce all = {.left = BUDGET}, captures = {.captures_only = true, .left = BUDGET};
    int32_t value = quiesce(&all, &p, INFINITE_SCORE);
    int32_t of_captures = quiesce(&captures, &p, INFINITE_SCORE);
    if (all.left == 0 || captures.left == 0) {
        c->too_large++;
        return;
    }
    c->compared++;
    c->equal += value == of_captures;
    c->all += BUDGET - all.left;
    c->captures += BUDGET - captures.left;
}

/* Writes the cost of both searches, and how often they agree. */
static void show(struct experiment *x, const struct reproduction *r, const struct comparison *c)
{
    struct grid g;
    char count[COUNT_MAX];
    grid_begin(&g, r->title, "");
    grid_column(&g, "positions");
    grid_column(&g, "moves made");
    int row = grid_row(&g, "all moves (Figure 3)");
    grid_set(&g, row, 0, "%" PRId64, c->compared);
    grid_set(&g, row, 1, "%s", format_count(c->all, count));
    row = grid_row(&g, "captures and promotions");
    grid_set(&g, row, 0, "%" PRId64, c->compared);
    grid_set(&g, row, 1, "%s (%.1f times fewer)", format_count(c->captures, count),
             c->captures > 0 ? (double)c->all / (double)c->captures : 0);
    grid_note(
        &g,
        "Claim: all but captures (promotions too, here) only adds a fringe of a ply that decides "
        "nothing: both come to the same value. %s here: in %" PRId64 " of %" PRId64
        " positions; %" PRId64 " took more than %s moves.",
        c->equal == c->compared ? "Holds" : "Does not hold", c->equal, c->compared, c->too_large,
        format_count(BUDGET, count));
    x->observer->show(x->observer->context, &g);
}

/* Both searches of every position of the suite. */
static bool run(struct experiment *x, const struct reproduction *r, struct error *err)
{
    const struct test_choice choice = {.count = x->size == SIZE_QUICK ? 30 : 0};
    struct dataset d = {0};
    struct comparison c = {0};
    bool good = test_suite_load(SUITE_WAC_BOOK, x->suites, &d, err);
    test_suite_choose(&d, &choice);
    for (size_t i = 0; good && i < d.count && !experiment_stopped(x); i++)
        compare(&d.items[i].position, &c);
    good = good && !experiment_stopped(x);
    if (good)
        show(x, r, &c);
    dataset_free(&d);
    return good;
}

const struct reproduction beal_1990_section_6 = {
    "beal-1990-section-6", "beal-1990, section 6: first-order quiescence and the capture tree", run,
    NULL};
