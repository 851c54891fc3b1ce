#include "beal_tree.h"

#include "balance.h"
#include "capture_tree.h"
#include "higher_order.h"

/* Nodes between two polls. */
enum { POLL_NODES = 1024 };

/* ---- moving ---- */

/* Records the move that is about to be made. */
static void record_move(struct beal_tree *t, int ply, int played)
{
    t->played[ply + 2] = played;
    t->nodes++;
    history_push(&t->history, &t->position);
}

void beal_make(struct beal_tree *t, int ply, Move m, struct undo *undo)
{
    record_move(t, ply, piece_square(t->position.board[move_from(m)], move_to(m)));
    position_make(&t->position, m, undo);
}

void beal_unmake(struct beal_tree *t, Move m, const struct undo *undo)
{
    position_unmake(&t->position, m, undo);
    history_pop(&t->history);
}

bool beal_poll_now(struct beal_tree *t)
{
    bool (*stop)(void *) = t->observer->stop;
    uint64_t left = t->node_limit - t->nodes;
    t->stopped = t->stopped || left == 0 || (stop != NULL && stop(t->observer->context));
    t->next_poll = t->nodes + (left < POLL_NODES ? left : POLL_NODES);
    return t->stopped;
}

/* ---- evaluating ---- */

int32_t beal_evaluate(const struct beal_tree *t)
{
    return t->material ? balance(&t->position) : evaluate(&t->position, &t->weights);
}

int32_t beal_value(struct beal_tree *t, int order, int32_t lower, int32_t upper, int ply)
{
    if (order == 0)
        return beal_evaluate(t);
    return order == 1 ? capture_tree_search(t, lower, upper, ply)
                      : higher_order_search(t, order, lower, upper, HIGHER_ORDER_PLIES, ply);
}

int32_t beal_null_value(struct beal_tree *t, int order, int32_t lower, int32_t upper, int ply)
{
    struct undo undo;
    if (beal_poll(t))
        return 0;
    record_move(t, ply, -1);
    position_make_null(&t->position, &undo);
    int32_t value = -beal_value(t, order, -upper, -lower, ply + 1);
    position_unmake_null(&t->position, &undo);
    history_pop(&t->history);
    return value;
}
