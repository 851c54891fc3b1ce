/* Games between two methods: david-2002, section 4, and david-2008, Table 6. */
#include "match_table.h"
#include "null_move_methods.h"

struct self_play_plan {
    enum null_move_method a, b;
    struct search_params (*base)(void);
    struct match_plan match;
};

static bool run(struct experiment *x, const struct reproduction *r, struct error *err)
{
    const struct self_play_plan *plan = r->plan;
    const struct search_params base = plan->base();
    const struct experiment_match engines = {
        .names = {null_move_method_name(plan->a), null_move_method_name(plan->b)},
        .players = {null_move_method_params(plan->a, &base),
                    null_move_method_params(plan->b, &base)}};
    return match_table_run(x, r, &plan->match, &engines, NULL, err);
}

static const struct self_play_plan games_2002 = {
    .a = VERIFIED_3,
    .b = STANDARD_2,
    .base = search_plain_params,
    .match =
        {.published = {"100", "68.5 of 100", "68.5 %", "+135 (computed)"},
         .rows = {{"1,000 nodes", {.nodes = 1000}, {60, 0, 0}},
                  {"20,000 nodes", {.nodes = 20000}, {0, 1000, 1000}},
                  {"1 s + 0.01 s", {.time = 1000, .increment = 10}, {0, 0, 1000}}},
         .differs =
             "equal nodes a move, and short time controls, instead of 60 minutes a game; openings "
             "of our book, each with both colours"},
};

const struct reproduction david_2002_games = {
    "david-2002-games", "david-2002, section 4: games of verified R = 3 against standard R = 2",
    run, &games_2002};

static const struct self_play_plan games_2008 = {
    .a = REDUCTIONS_3_4,
    .b = ADAPTIVE_2_3,
    .base = search_initial_params,
    .match =
        {.published = {"1000", "+309 -217 =474", "54.6 %", "+32 (+16 to +48)"},
         .rows = {{"1,000 nodes", {.nodes = 1000}, {60, 0, 0}},
                  {"20,000 nodes", {.nodes = 20000}, {0, 1000, 1000}},
                  {"1 s + 0.01 s", {.time = 1000, .increment = 10}, {0, 0, 1000}}},
         .differs =
             "equal nodes a move, and short time controls, instead of 10 minutes a game; openings "
             "of our book, each with both colours; our engine with the values of david-2014, "
             "Table II"},
};

const struct reproduction david_2008_table_6 = {
    "david-2008-table-6", "david-2008, Table 6: games of NMR R = 3~4 against adaptive R = 2~3", run,
    &games_2008};
