/* Inside Beal's search: the tree as it stands, and the steps that its modules share. Only they
 * include this (beal.h says what the search is). */
#ifndef GRAYLING_BEAL_TREE_H
#define GRAYLING_BEAL_TREE_H

#include "beal.h"
#include "ordering.h"
#include "range_table.h"

/* A search under way. `played` has two places before the root, so that a node may look back. */
struct beal_tree {
    struct position position;
    struct history history;
    int order;
    bool material;               /* that is what `weights` say; it is counted quicker */
    bool checkmates;             /* the capture tree sees them */
    struct eval_weights weights; /* of the evaluation */
    struct range_table ranges;
    struct ordering ordering;
    uint64_t nodes;
    uint64_t node_limit; /* UINT64_MAX: none */
    uint64_t next_poll;
    bool stopped;
    const struct search_observer *observer;
    struct beal_branching branching;
    bool open;               /* the node that was left last had not been closed by its null move */
    int played[MAX_PLY + 2]; /* piece_square of the move made at each ply, -1 for a null move */
};

/* ---- moving; every node is counted here ---- */

void beal_make(struct beal_tree *t, int ply, Move m, struct undo *undo);
void beal_unmake(struct beal_tree *t, Move m, const struct undo *undo);

/* Compares the nodes with their limit, asks the observer, and says when to do so next. */
bool beal_poll_now(struct beal_tree *t);

/* Called before every node, so that the limit is kept. True once the search has to stop. */
static inline bool beal_poll(struct beal_tree *t)
{
    return t->nodes >= t->next_poll ? beal_poll_now(t) : t->stopped;
}

/* ---- evaluating: for the side to move; means nothing once the search must stop ---- */

/* The evaluation that order 1 is applied to. */
int32_t beal_evaluate(const struct beal_tree *t);

/* What QUIESCE takes for an evaluation, `evaluate(lower, upper)` in the figures: in order 1 the
 * evaluation, in order 2 the value of order 1. Fail-soft. */
int32_t beal_order_below(struct beal_tree *t, int32_t lower, int32_t upper, int ply);

/* The value of passing, with the opponent's answers by the order below; the side to move is not in
 * check. Fail-soft: up to `lower` it is an upper bound, from `upper` on a lower one. */
int32_t beal_null_value(struct beal_tree *t, int32_t lower, int32_t upper, int ply);

#endif
