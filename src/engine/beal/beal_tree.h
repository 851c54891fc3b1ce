/* Internal to Beal's search: the current line and the steps that its modules share. Only those
 * modules include this header; beal.h describes the search. */
#ifndef GRAYLING_BEAL_TREE_H
#define GRAYLING_BEAL_TREE_H

#include "beal.h"
#include "ordering.h"
#include "range_table.h"

/* A running search. `played` has two extra entries before the root, so that every node can look
 * back two plies. */
struct beal_tree {
    struct position position;
    struct history history;
    int order;                   /* of the search; its evaluation is the value of the order below */
    bool material;               /* `weights` are material alone, which has a faster evaluation */
    bool checkmates;             /* the capture tree sees checkmates */
    struct eval_weights weights; /* evaluation weights */
    struct range_table ranges;
    struct ordering ordering;
    uint64_t nodes;
    uint64_t node_limit; /* UINT64_MAX: none */
    uint64_t next_poll;
    bool stopped;
    const struct search_observer *observer;
    struct beal_branching branching;
    bool open;               /* the null move of the last node searched did not fail high */
    int played[MAX_PLY + 2]; /* piece_square of the move made at each ply, -1 for a null move */
};

/* ---- moving: counts every node ---- */

void beal_make(struct beal_tree *t, int ply, Move m, struct undo *undo);
void beal_unmake(struct beal_tree *t, Move m, const struct undo *undo);

/* Checks the node limit, asks the observer, and schedules the next poll. True once the search must
 * stop. */
bool beal_poll_now(struct beal_tree *t);

/* Call before every node, so that the limit is exact. True once the search must stop. */
static inline bool beal_poll(struct beal_tree *t)
{
    return t->nodes >= t->next_poll ? beal_poll_now(t) : t->stopped;
}

/* ---- evaluating: for the side to move; values are undefined once the search must stop ---- */

/* The static evaluation, the basis of order 1. */
int32_t beal_evaluate(const struct beal_tree *t);

/* The value of an order: of order 0 the static evaluation, of order 1 the capture tree, above it
 * QUIESCE (higher_order.h). The order below its own is what QUIESCE uses as its evaluation,
 * `evaluate(lower, upper)` in the figures. Fail-soft. */
int32_t beal_value(struct beal_tree *t, int order, int32_t lower, int32_t upper, int ply);

/* The value of passing, by an order; that order searches the opponent's replies. The side to move is
 * not in check. Fail-soft: a value up to `lower` is an upper bound, one from `upper` on is a lower
 * bound. */
int32_t beal_null_value(struct beal_tree *t, int order, int32_t lower, int32_t upper, int ply);

#endif
