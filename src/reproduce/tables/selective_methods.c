/* The selective methods other than the null move, each switched off and on. Counts the nodes to a
 * fixed depth and the positions solved, as the papers that introduced them do (Heinz 1998;
 * Björnsson and Marsland 1998; Anantharaman 1991). */
#include "suite_experiment.h"

enum { COLUMNS = 8 };

/* The parameter that each column sets to 0, which switches a method off. */
static const struct {
    const char *name;
    int off; /* an enum search_param; -1: nothing */
} columns[COLUMNS] = {
    {"all on", -1},
    {"no futility", FUTILITY_DEPTH},
    {"no multi-cut", MULTI_CUT_USE},
    {"no check ext.", CHECK_EXTENSION},
    {"no one reply", ONE_REPLY_EXTENSION},
    {"no recapture", RECAPTURE_EXTENSION},
    {"no passed pawn", PASSED_PAWN_EXTENSION},
    {"no mate threat", MATE_THREAT_EXTENSION},
};

/* The parameters of a column. */
static struct suite_method method(int column, const struct search_params *base)
{
    struct suite_method m = {columns[column].name, *base};
    if (columns[column].off >= 0)
        m.params.value[columns[column].off] = 0;
    return m;
}

static const struct suite_plan plan = {
    .base = search_initial_params,
    .method = method,
    .method_count = COLUMNS,
    .row = "depth",
    .quick = 20,
    .rows =
        {
            {"6", SUITE_ECM, .depth = 6, .from = SIZE_QUICK},
            {"7", SUITE_ECM, .depth = 7, .from = SIZE_USUAL},
            {"8", SUITE_ECM, .depth = 8, .from = SIZE_USUAL},
            {"9", SUITE_ECM, .depth = 9, .from = SIZE_OVERNIGHT},
        },
    .row_count = 4,
    .differs = "the values of david-2014, Table II, with one method off at a time; its papers had "
               "other engines and other suites",
};

static const struct suite_table nodes = {
    .plan = &plan,
    .figure = FIGURE_NODES,
    .compared = true,
    .reference = 0,
    .claims = {{"futility pruning makes the tree smaller", CLAIM_LESS, {0, 1}},
               {"multi-cut makes the tree smaller", CLAIM_LESS, {0, 2}},
               {"the check extension makes the tree larger", CLAIM_MORE, {0, 3}}},
};

const struct reproduction selective_methods = {"selective-methods",
                                               "Selective methods off and on: nodes on ECM",
                                               suite_experiment_run, &nodes};

static const struct suite_table solved = {
    .plan = &plan,
    .figure = FIGURE_SOLVED,
    .claims = {{"futility pruning loses next to nothing: as many are solved with it, or more",
                CLAIM_NO_LESS,
                {0, 1}},
               {"multi-cut loses some: as many are solved without it, or more",
                CLAIM_NO_LESS,
                {2, 0}},
               {"the check extension solves more", CLAIM_MORE, {0, 3}}},
};

const struct reproduction selective_methods_solved = {
    "selective-methods-solved", "Selective methods off and on: positions of ECM solved",
    suite_experiment_run, &solved};
