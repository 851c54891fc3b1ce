#include "movegen.h"

#include <stddef.h>

/* A count in progress. */
struct count {
    perft_stop *stop; /* NULL: count to the end */
    void *context;
    uint64_t leaves;
};

/* Counts leaves below `p`, which is unchanged on return. depth >= 1. False if stopped. */
static bool count_leaves(struct count *c, struct position *p, int depth)
{
    if (depth == 1) {
        c->leaves += (uint64_t)movegen_count(p);
        return true;
    }
    if (c->stop != NULL && c->stop(c->context, c->leaves))
        return false;
    struct move_list list;
    bool whole = true;
    movegen_legal(p, &list);
    for (int i = 0; i < list.count && whole; i++) {
        struct undo undo;
        position_make(p, list.moves[i], &undo);
        whole = count_leaves(c, p, depth - 1);
        position_unmake(p, list.moves[i], &undo);
    }
    return whole;
}

bool perft_until(const struct position *p, int depth, perft_stop *stop, void *context,
                 uint64_t *leaves)
{
    struct position own = *p;
    struct count c = {.stop = stop, .context = context, .leaves = depth < 1};
    bool whole = depth < 1 || count_leaves(&c, &own, depth);
    *leaves = c.leaves;
    return whole;
}

uint64_t perft(const struct position *p, int depth)
{
    uint64_t leaves;
    perft_until(p, depth, NULL, NULL, &leaves);
    return leaves;
}
