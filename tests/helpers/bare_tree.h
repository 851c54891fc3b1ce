/* A tree as a search begins it, for tests of single steps of the search. */
#ifndef GRAYLING_BARE_TREE_H
#define GRAYLING_BARE_TREE_H

#include "tree.h"

#include <stdlib.h>
#include <string.h>

static const struct search_observer silent_observer;

/* The last tree that was destroyed, for the next one: new memory for each of thousands is ten times as slow. */
static struct tree *spare_tree;

static inline struct tree *new_tree(void)
{
    struct error err;
    struct tree *t = calloc(1, sizeof *t);
    if (t == NULL || !tt_create(&t->tt, 1, &err))
        abort();
    return t;
}

/* Makes the spare tree like new. */
static inline struct tree *used_tree(void)
{
    struct tree *t = spare_tree;
    struct tt table = t->tt;
    memset(t, 0, sizeof *t);
    t->tt = table;
    tt_new_epoch(&t->tt);
    spare_tree = NULL;
    return t;
}

/* The tree at a position, nothing searched: to be destroyed by bare_tree_destroy. */
static inline struct tree *bare_tree(const struct position *p, const struct search_params *params)
{
    struct tree *t = spare_tree == NULL ? new_tree() : used_tree();
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

static inline void bare_tree_destroy(struct tree *t)
{
    if (spare_tree != NULL) {
        tt_destroy(&spare_tree->tt);
        free(spare_tree);
    }
    spare_tree = t;
}

#endif
