#include "match_table.h"

#include <stdio.h>

void match_table_begin(struct grid *g, const char *title, const struct match_published *published)
{
    grid_begin(g, title, "limit");
    grid_column(g, "games");
    grid_column(g, "result");
    grid_column(g, "score");
    grid_column(g, "Elo (95 %)");
    int row = grid_row(g, "published");
    grid_set(g, row, 0, "%s", published->games);
    grid_set(g, row, 1, "%s", published->result);
    grid_set(g, row, 2, "%s", published->score);
    grid_set(g, row, 3, "%s", published->elo);
}

void match_table_row(struct grid *g, const char *label, const struct match_counts *c)
{
    const struct elo_estimate e = elo_estimate(c);
    int row = grid_row(g, "%s", label);
    grid_set(g, row, 0, "%lld", (long long)(c->wins + c->losses + c->draws));
    grid_set(g, row, 1, "+%lld -%lld =%lld", (long long)c->wins, (long long)c->losses,
             (long long)c->draws);
    grid_set(g, row, 2, "%.1f %%", 100 * e.score);
    grid_set(g, row, 3, "%+.1f (%+.1f to %+.1f)", e.elo, e.elo_low, e.elo_high);
}

void match_table_verdict(struct grid *g, const char *const names[2], const char *where,
                         const char *proviso, const struct match_counts *c)
{
    const struct elo_estimate e = elo_estimate(c);
    grid_note(g, "Claim: %s is stronger than %s. %s: %s%s%s.", names[0], names[1], where,
              e.elo_low > 0    ? "holds here, with 95 % confidence"
              : e.elo_high < 0 ? "does not hold here: it is weaker, with 95 % confidence"
                               : "not decided here: 0 is within the 95 % interval",
              proviso != NULL ? ", " : "", proviso != NULL ? proviso : "");
}

bool match_table_play(struct experiment *x, const char *label, const struct experiment_match *match,
                      struct grid *g, struct match_counts *counts, struct error *err)
{
    if (!experiment_play(x, match, counts, err))
        return false;
    match_table_row(g, label, counts);
    return true;
}

/* Plays at one limit of a plan, and notes the verdict. */
static bool play_row(struct experiment *x, const struct match_plan *plan, int row,
                     const struct experiment_match *engines, struct grid *g, struct error *err)
{
    const char *limit = plan->rows[row].label;
    struct experiment_match match = *engines;
    struct match_counts counts;
    char step[GRID_TEXT], label[GRID_TEXT], where[GRID_TEXT];
    snprintf(step, sizeof step, "games at %s", limit);
    snprintf(label, sizeof label, "%s, ours", limit);
    snprintf(where, sizeof where, "At %s", limit);
    match.step = step;
    match.limits = plan->rows[row].limits;
    match.games = plan->rows[row].games[x->size];
    if (match.games == 0)
        return true;
    if (!match_table_play(x, label, &match, g, &counts, err))
        return false;
    match_table_verdict(g, engines->names, where, plan->proviso, &counts);
    return true;
}

bool match_table_run(struct experiment *x, const struct reproduction *r,
                     const struct match_plan *plan, const struct experiment_match *engines,
                     const char *who, struct error *err)
{
    struct grid g;
    match_table_begin(&g, r->title, &plan->published);
    for (int row = 0; row < MATCH_LIMITS && plan->rows[row].label != NULL; row++)
        if (!play_row(x, plan, row, engines, &g, err))
            return false;
    if (who != NULL)
        grid_note(&g, "%s", who);
    grid_note(&g, "Differs: %s", plan->differs);
    x->observer->show(x->observer->context, &g);
    return true;
}
