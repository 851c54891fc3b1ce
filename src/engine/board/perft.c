#include "movegen.h"

/* Counts leaves below `p`, which is unchanged on return. depth >= 1. */
static uint64_t count_leaves(struct position *p, int depth)
{
    if (depth == 1)
        return (uint64_t)movegen_count(p);
    struct move_list list;
    movegen_legal(p, &list);
    uint64_t leaves = 0;
    for (int i = 0; i < list.count; i++) {
        struct undo undo;
        position_make(p, list.moves[i], &undo);
        leaves += count_leaves(p, depth - 1);
        position_unmake(p, list.moves[i], &undo);
    }
    return leaves;
}

uint64_t perft(const struct position *p, int depth)
{
    struct position own = *p;
    return depth < 1 ? 1 : count_leaves(&own, depth);
}
