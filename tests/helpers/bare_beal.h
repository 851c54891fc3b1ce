/* Beal's search as it begins, for tests of single steps of it. */
#ifndef GRAYLING_BARE_BEAL_H
#define GRAYLING_BARE_BEAL_H

#include "beal_tree.h"

#include <stdlib.h>
#include <string.h>

/* The tree at a position, of the second order on material, nothing searched: to be destroyed by
 * bare_beal_destroy. */
static inline struct beal_tree *bare_beal(const struct position *p, bool checkmates)
{
    static const struct search_observer silent;
    struct error err;
    struct beal_tree *t = calloc(1, sizeof *t);
    if (t == NULL || !range_table_create(&t->ranges, 1, &err))
        abort();
    t->position = *p;
    t->order = 2;
    t->material = true;
    t->weights = eval_material_weights();
    t->checkmates = checkmates;
    t->node_limit = UINT64_MAX;
    t->observer = &silent;
    memset(t->played, -1, sizeof t->played);
    return t;
}

static inline void bare_beal_destroy(struct beal_tree *t)
{
    range_table_destroy(&t->ranges);
    free(t);
}

#endif
