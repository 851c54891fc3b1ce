#include "growth.h"

/* A tree that grows. */
struct grower {
    enum leaf leaf;
    const struct growth_taker *taker;
    int opens;      /* nodes waiting for their first leaf */
    uint32_t count; /* leaves under this root move */
    bool no_memory;
};

/* Hands a leaf to the taker. */
static void add_leaf(struct grower *g, struct growth_leaf leaf)
{
    leaf.opens = g->opens;
    g->opens = 0;
    g->count++;
    if (!g->no_memory)
        g->no_memory = !g->taker->leaf(g->taker->context, &leaf);
}

static void add_static_leaf(struct grower *g, const struct position *p, enum color viewer, int ply)
{
    add_leaf(g, (struct growth_leaf){.position = p, .viewer = viewer, .ply = ply});
}

/* The rule of quiesce.h, or its static variant. */
static enum quiesce_status ask(const struct grower *g, const struct position *p, int ply,
                               int target, struct move_list *list)
{
    if (g->leaf == LEAF_QUIESCENCE)
        return quiesce_moves(p, ply, target, list);
    list->count = 0;
    return leaf_status(p);
}

/* Grows the tree under `p`, whose value is folded by the side that moved there. A node without moves
 * to search is a leaf of its parent. */
static void grow_node(struct grower *g, struct position *p, int ply, int target)
{
    const enum color side = (enum color)p->side;
    struct move_list list;
    enum quiesce_status status = ask(g, p, ply, target, &list);
    if (status == QUIESCE_MATED || status == QUIESCE_DRAWN) {
        add_leaf(g, (struct growth_leaf){.viewer = color_other(side),
                                         .constant = -leaf_constant(status, ply),
                                         .ply = ply});
        return;
    }
    if (list.count == 0) {
        add_static_leaf(g, p, color_other(side), ply);
        return;
    }
    g->opens++;
    if (status == QUIESCE_STAND_PAT)
        add_static_leaf(g, p, side, ply);
    for (int i = 0; i < list.count && !g->no_memory; i++) {
        struct undo undo;
        position_make(p, list.moves[i], &undo);
        grow_node(g, p, ply + 1, move_to(list.moves[i]));
        position_unmake(p, list.moves[i], &undo);
    }
    if (!g->no_memory)
        g->taker->close(g->taker->context);
}

/* Grows the tree under one root move, which is made. */
static bool grow_tree(struct position *p, enum leaf leaf, const struct growth_taker *taker,
                      uint32_t *leaves)
{
    struct grower g = {.leaf = leaf, .taker = taker};
    grow_node(&g, p, 0, NO_SQUARE);
    *leaves = g.count;
    return !g.no_memory;
}

void growth_list_moves(struct growth *g, const struct position *p)
{
    movegen_legal(p, &g->moves);
    movegen_sort(&g->moves);
}

bool growth_of_moves(struct growth *g, struct position p, enum leaf leaf,
                     const struct growth_taker *taker)
{
    bool good = true;
    for (int m = 0; m < g->moves.count && good; m++) {
        struct undo undo;
        position_make(&p, g->moves.moves[m], &undo);
        good = grow_tree(&p, leaf, taker, &g->leaves[m]);
        position_unmake(&p, g->moves.moves[m], &undo);
    }
    return good;
}

bool growth_of_value(struct growth *g, struct position p, enum leaf leaf,
                     const struct growth_taker *taker)
{
    g->moves.moves[0] = NO_MOVE;
    g->moves.count = 1;
    return grow_tree(&p, leaf, taker, &g->leaves[0]);
}
