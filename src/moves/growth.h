/* Grows the trees of a 1-ply search with quiescence, leaf by leaf.
 *
 * Quiescence never reads a weight, so the tree under each legal move of a position is the same for
 * every organism. A tree is a list of leaves in the order in which the search visits them. Each leaf
 * has a fold: the number of nodes that open before it and close after it. Folding keeps one running
 * maximum per open node; a node that closes passes its negated value to its parent (negamax). */
#ifndef GRAYLING_GROWTH_H
#define GRAYLING_GROWTH_H

#include "quiesce.h"

/* A leaf as the search comes to it. */
struct growth_leaf {
    const struct position *position; /* NULL for a constant leaf */
    enum color viewer;               /* the side that chooses there */
    int32_t constant;                /* its value for the viewer: a mate, or 0 for a draw */
    int opens;                       /* nodes that open before it */
    int ply;                         /* plies below the root move */
};

/* Who receives the leaves, one position after another. */
struct growth_taker {
    void *context;
    bool (*leaf)(void *context, const struct growth_leaf *leaf); /* false: no memory */
    void (*close)(void *context); /* one more node closes after the latest leaf */
};

/* The root moves of a position in canonical order, and the leaves under each. */
struct growth {
    struct move_list moves;
    uint32_t leaves[MAX_MOVES];
};

/* Lists the root moves of a position. */
void growth_list_moves(struct growth *g, const struct position *p);

/* Grows the trees under the root moves that g->moves lists. False if the taker has no memory. */
bool growth_of_moves(struct growth *g, struct position p, enum leaf leaf,
                     const struct growth_taker *taker);

/* Grows the tree of the position itself, as if a root move, NO_MOVE, had led to it. */
bool growth_of_value(struct growth *g, struct position p, enum leaf leaf,
                     const struct growth_taker *taker);

#endif
