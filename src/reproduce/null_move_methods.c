#include "null_move_methods.h"

enum { ADAPTIVITY_DEPTH = 6 };

/* For each method: its name, use, R, whether R is one less near the leaves, mode, DR, what of the
 * table's reuse, and whether it tries null moves in pawn endings whatever the base does. */
static const struct {
    const char *name;
    int use, r, adaptive, mode, dr, store, probe, pawn_endings;
} methods[NULL_MOVE_METHODS] = {
    [NO_NULL_MOVE] = {"none", 0, 0, 0, 0, 0},
    [STANDARD_1] = {"Std R = 1", 1, 1, 0, 0, 0},
    [STANDARD_2] = {"Std R = 2", 1, 2, 0, 0, 0},
    [STANDARD_3] = {"Std R = 3", 1, 3, 0, 0, 0},
    [STANDARD_4] = {"Std R = 4", 1, 4, 0, 0, 0},
    [ADAPTIVE_2_3] = {"Adpt R = 2~3", 1, 3, 1, 0, 0},
    [ADAPTIVE_3_4] = {"Adpt R = 3~4", 1, 4, 1, 0, 0},
    [VERIFIED_3] = {"Vrfd R = 3", 1, 3, 0, 1, 0},
    [VERIFIED_STORE_3] = {"Vrfd R = 3, stored", 1, 3, 0, 1, 0, 1, 0},
    [VERIFIED_PROBE_3] = {"Vrfd R = 3, asked", 1, 3, 0, 1, 0, 0, 1},
    [VERIFIED_REUSE_3] = {"Vrfd R = 3, reuse", 1, 3, 0, 1, 0, 1, 1},
    [REDUCING_2] = {"reduce by 2", 1, 3, 0, 3, 2},
    [REDUCING_1] = {"reduce by 1", 1, 3, 0, 3, 1},
    [VERIFIED_REDUCING_3] = {"reduce by 1, 2", 1, 3, 0, 2, 0},
    [REDUCTIONS_DR_1] = {"NMR DR = 1", 1, 4, 1, 3, 1},
    [REDUCTIONS_DR_2] = {"NMR DR = 2", 1, 4, 1, 3, 2},
    [REDUCTIONS_DR_3] = {"NMR DR = 3", 1, 4, 1, 3, 3},
    [REDUCTIONS_3_4] = {"NMR R = 3~4", 1, 4, 1, 3, 4},
    [REDUCTIONS_R_4] = {"NMR R = 4", 1, 4, 0, 3, 4},
    [REDUCTIONS_UNGUARDED] = {"NMR R = 3~4, no guard", 1, 4, 1, 3, 4, 0, 0, 1},
};

const char *null_move_method_name(enum null_move_method method)
{
    return methods[method].name;
}

struct search_params null_move_method_params(enum null_move_method method,
                                             const struct search_params *base)
{
    struct search_params p = *base;
    p.value[NULL_MOVE_USE] = methods[method].use;
    p.value[NULL_MOVE_REDUCTION] = methods[method].r;
    p.value[NULL_MOVE_ADAPTIVITY_USE] = methods[method].adaptive;
    p.value[NULL_MOVE_ADAPTIVITY_DEPTH] = methods[method].adaptive ? ADAPTIVITY_DEPTH : 0;
    p.value[NULL_MOVE_MODE] = methods[method].mode;
    p.value[NULL_MOVE_BELOW_BETA] = methods[method].use;
    p.value[NULL_MOVE_DEPTH_REDUCTION] = methods[method].dr;
    p.value[NULL_MOVE_PAWN_ENDINGS] |= methods[method].pawn_endings;
    p.value[VERIFIED_STORE] = methods[method].store;
    p.value[VERIFIED_PROBE] = methods[method].probe;
    return p;
}

struct search_params david_2002_params(void)
{
    struct search_params p = search_plain_params();
    p.value[LEAF_CHECK_EXTENSION] = 1;
    p.value[QUIESCENCE_ALL_CAPTURES] = 1;
    p.value[QUIESCENCE_TABLE_OFF] = 1;
    p.value[ORDERING_HISTORY_ALONE] = 1;
    return p;
}
