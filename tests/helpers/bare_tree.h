/* A tree as a search begins it, for tests of single steps of the search. */
#ifndef GRAYLING_BARE_TREE_H
#define GRAYLING_BARE_TREE_H

#include "tree.h"

#include <stdlib.h>
#include <string.h>

static const struct search_observer silent_observer;

/* The tree at a position, nothing searched. There is one, which the next call empties: new memory for each of
 * thousands is ten times as slow. */
static inline struct tree *bare_tree(const struct position *p, const struct search_params *params)
{
    static struct tree *t;
    struct tt table = {0};
    if (t == NULL) {
        struct error err;
        t = calloc(1, sizeof *t);
        if (t == NULL || !tt_create(&table, 1, &err))
            abort();
    } else {
        table = t->tt;
        tt_new_epoch(&table);
    }
    memset(t, 0, sizeof *t);
    t->tt = table;
    t->position = *p;
    t->evaluation = evaluation_initial();
    t->worth = piece_values_find(&t->evaluation);
    t->params = *params;
    t->node_limit = UINT64_MAX;
    t->iteration = 8;
    t->observer = &silent_observer;
    for (int ply = -2; ply < MAX_PLY + 2; ply++) {
        tree_frame(t, ply)->piece_to = -1;
        tree_frame(t, ply)->eval = tree_frame(t, ply)->raw = NO_EVAL;
        tree_frame(t, ply)->checks = position_in_check(p);
    }
    return t;
}

#endif
