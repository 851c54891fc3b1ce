#include "switches.h"

#include "search_params.h"

#include <string.h>

/* A gene has its say only where `needs` is `least` or more; the first of its lines where it
 * is not is the reason. */
struct rule {
    enum search_param gene, needs;
    int32_t least;
};

/* Not fewer moves than cuts: multi-cut cannot have more cuts than it tries moves. */
enum { AS_MANY_AS_CUTS = -1 };

static const struct rule rules[] = {
    {NULL_MOVE_REDUCTION, NULL_MOVE_USE, 1},
    {NULL_MOVE_ADAPTIVITY_USE, NULL_MOVE_USE, 1},
    {NULL_MOVE_ADAPTIVITY_DEPTH, NULL_MOVE_USE, 1},
    {NULL_MOVE_ADAPTIVITY_DEPTH, NULL_MOVE_ADAPTIVITY_USE, 1},
    {NULL_MOVE_GAIN, NULL_MOVE_USE, 1},
    {NULL_MOVE_MODE, NULL_MOVE_USE, 1},
    {NULL_MOVE_DEPTH_REDUCTION, NULL_MOVE_USE, 1},
    {NULL_MOVE_DEPTH_REDUCTION, NULL_MOVE_MODE, 3},
    {NULL_MOVE_BELOW_BETA, NULL_MOVE_USE, 1},
    {NULL_MOVE_PAWN_ENDINGS, NULL_MOVE_USE, 1},
    {MATE_THREAT_EXTENSION, NULL_MOVE_USE, 1}, /* it is the null move that sees the threat */
    {FUTILITY_THRESHOLD_1, FUTILITY_DEPTH, 1},
    {FUTILITY_THRESHOLD_2, FUTILITY_DEPTH, 2},
    {FUTILITY_THRESHOLD_3, FUTILITY_DEPTH, 3},
    {MULTI_CUT_REDUCTION, MULTI_CUT_USE, 1},
    {MULTI_CUT_REDUCTION, MULTI_CUT_CUTS, 1},
    {MULTI_CUT_REDUCTION, MULTI_CUT_MOVES, AS_MANY_AS_CUTS},
    {MULTI_CUT_DEPTH, MULTI_CUT_USE, 1},
    {MULTI_CUT_DEPTH, MULTI_CUT_CUTS, 1},
    {MULTI_CUT_DEPTH, MULTI_CUT_MOVES, AS_MANY_AS_CUTS},
    {MULTI_CUT_MOVES, MULTI_CUT_USE, 1},
    {MULTI_CUT_MOVES, MULTI_CUT_CUTS, 1},
    {MULTI_CUT_CUTS, MULTI_CUT_USE, 1},
    {LMR_BASE, LMR_USE, 1},
    {LMR_SLOPE, LMR_USE, 1},
    {LMR_DEPTH, LMR_USE, 1},
    {LMR_MOVES, LMR_USE, 1},
    {LMR_PV, LMR_USE, 1},
    {LMR_CUT, LMR_USE, 1},
    {LMR_HISTORY, LMR_USE, 1},
    {LMP_MOVES, LMP_DEPTH, 1},
    {SEE_PRUNING_QUIET, SEE_PRUNING_DEPTH, 1},
    {SEE_PRUNING_CAPTURE, SEE_PRUNING_DEPTH, 1},
    {REVERSE_FUTILITY_MARGIN, REVERSE_FUTILITY_DEPTH, 1},
    {SINGULAR_MARGIN, SINGULAR_DEPTH, 1},
};

static const char *name_of(enum search_param p)
{
    return search_all_table.params[p].name;
}

/* The value of a parameter; `missing` where the table does not have it. */
static int32_t value_of(const struct param_table *table, const int32_t *values, enum search_param p,
                        int32_t missing)
{
    int index = param_find(table, name_of(p));
    return index >= 0 ? values[index] : missing;
}

int switches_off(const struct param_table *table, const int32_t *values, int gene)
{
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
        const struct rule *r = &rules[i];
        if (strcmp(table->params[gene].name, name_of(r->gene)) != 0)
            continue;
        int32_t least = r->least;
        if (least == AS_MANY_AS_CUTS)
            least = value_of(table, values, MULTI_CUT_CUTS, 0);
        if (value_of(table, values, r->needs, INT32_MAX) < least)
            return param_find(table, name_of(r->needs));
    }
    return -1;
}
