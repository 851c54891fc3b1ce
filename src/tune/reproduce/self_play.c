/* Games between two methods: david-2002, section 4, and david-2008, Table 6. */
#include "null_move_methods.h"
#include "reproduction.h"

#include <stdio.h>

enum { LIMITS_MAX = 3 };

/* A match at several limits, with what the paper has. */
struct self_play_plan {
    enum null_move_method a, b;
    struct search_params (*base)(void);
    const char *published;  /* what the paper says of the games of A */
    double published_score; /* per cent of A */
    struct {
        const char *label;
        struct game_limits limits;
        int64_t games[EXPERIMENT_SIZES]; /* even; 0: not at this size */
    } rows[LIMITS_MAX];
    const char *differs;
};

/* One match into the grid. */
static bool play_row(struct experiment *x, const struct self_play_plan *plan, int row,
                     struct grid *g, struct error *err)
{
    const struct search_params base = plan->base();
    char step[GRID_NOTE];
    snprintf(step, sizeof step, "games at %s", plan->rows[row].label);
    const struct experiment_match match = {
        .step = step,
        .names = {null_move_method_name(plan->a), null_move_method_name(plan->b)},
        .players = {null_move_method_params(plan->a, &base),
                    null_move_method_params(plan->b, &base)},
        .limits = plan->rows[row].limits,
        .games = plan->rows[row].games[x->size],
    };
    struct match_counts c;
    if (match.games == 0)
        return true;
    if (!experiment_play(x, &match, &c, err))
        return false;
    const struct elo_estimate e = elo_estimate(&c);
    int r = grid_row(g, "%s, ours", plan->rows[row].label);
    grid_set(g, r, 0, "%lld", (long long)match.games);
    grid_set(g, r, 1, "+%lld -%lld =%lld", (long long)c.wins, (long long)c.losses,
             (long long)c.draws);
    grid_set(g, r, 2, "%.1f %%", 100 * e.score);
    grid_set(g, r, 3, "%+.1f (%+.1f to %+.1f)", e.elo, e.elo_low, e.elo_high);
    grid_note(g, "Claim: %s is stronger than %s. At %s: %s.", match.names[0], match.names[1],
              plan->rows[row].label,
              e.elo_low > 0    ? "holds here, with 95 % confidence"
              : e.elo_high < 0 ? "does not hold here: it is weaker, with 95 % confidence"
                               : "not decided here: 0 is within the 95 % interval");
    return true;
}

/* A match at each limit of the plan. */
static bool run(struct experiment *x, const struct reproduction *r, struct error *err)
{
    const struct self_play_plan *plan = r->plan;
    struct grid g;
    grid_begin(&g, r->title, "limit");
    grid_column(&g, "games");
    grid_column(&g, "result");
    grid_column(&g, "score");
    grid_column(&g, "Elo (95 %)");
    int published = grid_row(&g, "published");
    grid_set(&g, published, 1, "%s", plan->published);
    grid_set(&g, published, 2, "%.1f %%", plan->published_score);
    grid_set(&g, published, 3, "%+.0f", score_to_elo(plan->published_score / 100));
    for (int row = 0; row < LIMITS_MAX && plan->rows[row].label != NULL; row++)
        if (!play_row(x, plan, row, &g, err))
            return false;
    grid_note(&g, "Differs: %s", plan->differs);
    x->observer->show(x->observer->context, &g);
    return true;
}

static const struct self_play_plan games_2002 = {
    .a = VERIFIED_3,
    .b = STANDARD_2,
    .base = search_plain_params,
    .published = "68.5 of 100",
    .published_score = 68.5,
    .rows = {{"1,000 nodes", {.nodes = 1000}, {60, 0, 0}},
             {"20,000 nodes", {.nodes = 20000}, {0, 1000, 1000}},
             {"1 s + 0.01 s", {.time = 1000, .increment = 10}, {0, 0, 1000}}},
    .differs =
        "equal nodes a move, and short time controls, instead of 60 minutes a game; openings "
        "of our book, each with both colours",
};

const struct reproduction david_2002_games = {
    "david-2002-games", "david-2002, section 4: games of verified R = 3 against standard R = 2",
    run, &games_2002};

static const struct self_play_plan games_2008 = {
    .a = REDUCTIONS_3_4,
    .b = ADAPTIVE_2_3,
    .base = search_initial_params,
    .published = "+309 -217 =474",
    .published_score = 54.6,
    .rows = {{"1,000 nodes", {.nodes = 1000}, {60, 0, 0}},
             {"20,000 nodes", {.nodes = 20000}, {0, 1000, 1000}},
             {"1 s + 0.01 s", {.time = 1000, .increment = 10}, {0, 0, 1000}}},
    .differs =
        "equal nodes a move, and short time controls, instead of 10 minutes a game; openings "
        "of our book, each with both colours; our engine with the values of david-2014, "
        "Table II",
};

const struct reproduction david_2008_table_6 = {
    "david-2008-table-6", "david-2008, Table 6: games of NMR R = 3~4 against adaptive R = 2~3", run,
    &games_2008};
