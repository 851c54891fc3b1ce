#include "match_table.h"

#include <stdio.h>

/* Notes whether the first engine is stronger, by the games at this limit. */
static void show_verdict(struct grid *g, const struct experiment_match *engines, const char *label,
                         const char *proviso, const struct elo_estimate *e)
{
    grid_note(g, "Claim: %s is stronger than %s. At %s: %s%s%s.", engines->names[0],
              engines->names[1], label,
              e->elo_low > 0    ? "holds here, with 95 % confidence"
              : e->elo_high < 0 ? "does not hold here: it is weaker, with 95 % confidence"
                                : "not decided here: 0 is within the 95 % interval",
              proviso != NULL ? ", " : "", proviso != NULL ? proviso : "");
}

/* Writes one match into the grid. */
static bool play_row(struct experiment *x, const struct match_plan *plan, int row,
                     const struct experiment_match *engines, struct grid *g, struct error *err)
{
    const char *label = plan->rows[row].label;
    struct experiment_match match = *engines;
    char step[GRID_NOTE];
    snprintf(step, sizeof step, "games at %s", label);
    match.step = step;
    match.limits = plan->rows[row].limits;
    match.games = plan->rows[row].games[x->size];
    struct match_counts c;
    if (match.games == 0)
        return true;
    if (!experiment_play(x, &match, &c, err))
        return false;
    const struct elo_estimate e = elo_estimate(&c);
    int r = grid_row(g, "%s, ours", label);
    grid_set(g, r, 0, "%lld", (long long)match.games);
    grid_set(g, r, 1, "+%lld -%lld =%lld", (long long)c.wins, (long long)c.losses,
             (long long)c.draws);
    grid_set(g, r, 2, "%.1f %%", 100 * e.score);
    grid_set(g, r, 3, "%+.1f (%+.1f to %+.1f)", e.elo, e.elo_low, e.elo_high);
    show_verdict(g, engines, label, plan->proviso, &e);
    return true;
}

bool match_table_run(struct experiment *x, const struct reproduction *r,
                     const struct match_plan *plan, const struct experiment_match *engines,
                     const char *who, struct error *err)
{
    struct grid g;
    grid_begin(&g, r->title, "limit");
    grid_column(&g, "games");
    grid_column(&g, "result");
    grid_column(&g, "score");
    grid_column(&g, "Elo (95 %)");
    int published = grid_row(&g, "published");
    grid_set(&g, published, 0, "%s", plan->published.games);
    grid_set(&g, published, 1, "%s", plan->published.result);
    grid_set(&g, published, 2, "%s", plan->published.score);
    grid_set(&g, published, 3, "%s", plan->published.elo);
    for (int row = 0; row < MATCH_LIMITS && plan->rows[row].label != NULL; row++)
        if (!play_row(x, plan, row, engines, &g, err))
            return false;
    if (who != NULL)
        grid_note(&g, "%s", who);
    grid_note(&g, "Differs: %s", plan->differs);
    x->observer->show(x->observer->context, &g);
    return true;
}
