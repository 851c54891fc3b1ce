/* David-Tabibi and Netanyahu 2008, Extended null-move reductions: Tables 2 to 5. */
#include "suite_experiment.h"

/* The search of the paper has extensions, multi-cut and futility; the values of
 * that program's descendant are known from david-2014 (Table II). */
#define BASE .base = search_initial_params
#define DIFFERS                                                                                    \
    "our engine, with the extensions, multi-cut and futility of david-2014's Table II, "           \
    "whose program descends from the paper's"

/* ---- Table 2: how much R matters to the tree ---- */

/* The paper's depths, and less. */
static const int paper_depths[] = {11, 11, 14, 11, 12, 11}, less_2[] = {9, 9, 12, 9, 10, 9},
                 less_1[] = {10, 10, 13, 10, 11, 10}, more_1[] = {12, 12, 15, 12, 13, 12};

static const struct suite_plan crafty = {
    BASE,
    .methods = {STANDARD_1, STANDARD_2, STANDARD_3, STANDARD_4, REDUCTIONS_3_4},
    .method_count = 5,
    .row = "depth",
    .quick = 6,
    .rows =
        {
            {"two less", SUITE_CRAFTY, .depths = less_2, .from = SIZE_QUICK},
            {"one less", SUITE_CRAFTY, .depths = less_1, .from = SIZE_USUAL},
            {"11 to 14", SUITE_CRAFTY, .depths = paper_depths, .from = SIZE_USUAL,
             .published_nodes = {42248908, 21554578, 11510995, 8254261, 8606334}},
            {"one more", SUITE_CRAFTY, .depths = more_1, .from = SIZE_USUAL},
        },
    .row_count = 4,
    .differs = DIFFERS,
};

static const struct suite_table table_2 = {
    .plan = &crafty,
    .figure = FIGURE_NODES,
    .compared = true,
    .reference = 4,
    .claims =
        {
            {"the greater R, the smaller the tree: that of R = 2 is smaller than that of R = 1",
             CLAIM_LESS,
             {1, 0}},
            {"the tree of R = 3 is smaller than that of R = 2", CLAIM_LESS, {2, 1}},
            {"the tree of R = 4 is smaller than that of R = 3", CLAIM_LESS, {3, 2}},
            {"the tree of NMR R = 3~4 is close to that of standard R = 4: nearer than to that of "
             "R = 3",
             CLAIM_NEARER,
             {4, 3, 2}},
        },
};

const struct reproduction david_2008_table_2 = {"david-2008-table-2",
                                                "david-2008, Table 2: nodes on Crafty's benchmark",
                                                suite_experiment_run, &table_2};

/* ---- Tables 3 to 5: ECM solved ---- */

/* The limits of all three: by nodes, and by time as in the paper. */
#define ECM_ROWS(...)                                                                              \
    {                                                                                              \
        {"30,000 nodes", SUITE_ECM, .nodes = 30000, .from = SIZE_QUICK},                           \
            {"100,000 nodes", SUITE_ECM, .nodes = 100000, .from = SIZE_USUAL},                     \
            {"500,000 nodes", SUITE_ECM, .nodes = 500000, .from = SIZE_USUAL},                     \
            {"5 s", SUITE_ECM, .movetime = 5000, .from = SIZE_OVERNIGHT,                           \
             .published_solved = {__VA_ARGS__}},                                                   \
    }

/* The methods of Table 3, and NMR as the paper has it: without a guard of pawn endings. */
#define TABLE_3_METHODS                                                                            \
    .methods = {STANDARD_2,   STANDARD_3,     STANDARD_4,                                          \
                ADAPTIVE_2_3, REDUCTIONS_3_4, REDUCTIONS_UNGUARDED},                               \
    .method_count = 6

static const struct suite_plan methods = {
    BASE,
    TABLE_3_METHODS,
    .row = "limit",
    .quick = 40,
    .rows = ECM_ROWS(627, 635, 632, 636, 644),
    .row_count = 4,
    .differs = DIFFERS,
};

#define TABLE_3_CLAIMS                                                                             \
    .claims =                                                                                      \
        {                                                                                          \
            {"NMR R = 3~4 solves more than standard R = 2", CLAIM_MORE, {4, 0}},                   \
            {"NMR R = 3~4 solves more than standard R = 3", CLAIM_MORE, {4, 1}},                   \
            {"NMR R = 3~4 solves more than standard R = 4", CLAIM_MORE, {4, 2}},                   \
            {"NMR R = 3~4 solves more than adaptive R = 2~3", CLAIM_MORE, {4, 3}},                 \
            {"standard R = 3 solves more than R = 2", CLAIM_MORE, {1, 0}},                         \
            {"standard R = 3 solves more than R = 4", CLAIM_MORE, {1, 2}},                         \
    },                                                                                             \
    .needed = {4, 3}

static const struct suite_table table_3 = {
    .plan = &methods,
    .figure = FIGURE_SOLVED,
    TABLE_3_CLAIMS,
};

const struct reproduction david_2008_table_3 = {"david-2008-table-3",
                                                "david-2008, Table 3: ECM solved by each method",
                                                suite_experiment_run, &table_3};

/* The paper's values, with a quiescence that sees checks: reduced searches then miss fewer threats. */
static struct search_params with_checks(void)
{
    struct search_params p = search_initial_params();
    p.value[QUIESCENCE_CHECKS] = 1;
    p.value[QUIESCENCE_EVASIONS] = 1;
    return p;
}

static const struct suite_plan methods_with_checks = {
    .base = with_checks,
    TABLE_3_METHODS,
    .row = "limit",
    .quick = 20,
    .rows = ECM_ROWS(627, 635, 632, 636, 644),
    .row_count = 4,
    .differs = DIFFERS ", and checks at the first ply of quiescence, and all evasions there",
};

static const struct suite_table checks = {
    .plan = &methods_with_checks,
    .figure = FIGURE_SOLVED,
    TABLE_3_CLAIMS,
};

const struct reproduction david_2008_checks = {
    "david-2008-checks",
    "david-2008, Table 3: ECM solved by each method, with checks in quiescence",
    suite_experiment_run, &checks};

static const struct suite_plan parts = {
    BASE,
    .methods = {STANDARD_4, ADAPTIVE_3_4, REDUCTIONS_R_4, REDUCTIONS_3_4},
    .method_count = 4,
    .row = "limit",
    .quick = 40,
    .rows = ECM_ROWS(632, 637, 640, 644),
    .row_count = 4,
    .differs = DIFFERS,
};

static const struct suite_table table_4 = {
    .plan = &parts,
    .figure = FIGURE_SOLVED,
    .claims =
        {
            {"adaptive R = 3~4 solves more than standard R = 4", CLAIM_MORE, {1, 0}},
            {"NMR R = 4 solves more than standard R = 4", CLAIM_MORE, {2, 0}},
            {"NMR R = 3~4 solves more than adaptive R = 3~4", CLAIM_MORE, {3, 1}},
            {"NMR R = 3~4 solves more than NMR R = 4", CLAIM_MORE, {3, 2}},
        },
};

const struct reproduction david_2008_table_4 = {"david-2008-table-4",
                                                "david-2008, Table 4: what NMR R = 3~4 is made of",
                                                suite_experiment_run, &table_4};

static const struct suite_plan depth_reductions = {
    BASE,
    .methods = {REDUCTIONS_DR_1, REDUCTIONS_DR_2, REDUCTIONS_DR_3, REDUCTIONS_3_4},
    .method_count = 4,
    .row = "limit",
    .quick = 40,
    .rows = ECM_ROWS(633, 641, 638, 644),
    .row_count = 4,
    .differs = DIFFERS,
};

static const struct suite_table table_5 = {
    .plan = &depth_reductions,
    .figure = FIGURE_SOLVED,
    .claims =
        {
            {"DR = 4 solves more than DR = 1", CLAIM_MORE, {3, 0}},
            {"DR = 4 solves more than DR = 2", CLAIM_MORE, {3, 1}},
            {"DR = 4 solves more than DR = 3", CLAIM_MORE, {3, 2}},
        },
};

const struct reproduction david_2008_table_5 = {
    "david-2008-table-5", "david-2008, Table 5: ECM solved by NMR with each DR",
    suite_experiment_run, &table_5};
