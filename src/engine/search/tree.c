#include "tree.h"

#include <string.h>

enum { POLL_NODES = 1024 };

void tree_forget(struct tree *t)
{
    ordering_clear(&t->ordering);
    memset(t->corrections, 0, sizeof t->corrections);
}

static void record_move(struct tree *t, int ply, Move m, bool gives_check)
{
    struct frame *f = tree_frame(t, ply);
    f->move = m;
    f->capture = move_is_capture(m);
    f->checks = gives_check;
    f->piece_to = m == NO_MOVE ? -1 : piece_square(t->position.board[move_from(m)], move_to(m));
    history_push(&t->history, &t->position);
    t->nodes++;
}

void tree_make(struct tree *t, int ply, Move m, bool gives_check, struct undo *undo)
{
    record_move(t, ply, m, gives_check);
    position_make(&t->position, m, undo);
    evaluation_prefetch(&t->evaluation, &t->position, &t->pawns);
}

void tree_unmake(struct tree *t, Move m, const struct undo *undo)
{
    position_unmake(&t->position, m, undo);
    history_pop(&t->history);
}

void tree_make_null(struct tree *t, int ply, struct undo *undo)
{
    record_move(t, ply, NO_MOVE, false);
    position_make_null(&t->position, undo);
    evaluation_prefetch(&t->evaluation, &t->position, &t->pawns);
}

void tree_unmake_null(struct tree *t, const struct undo *undo)
{
    position_unmake_null(&t->position, undo);
    history_pop(&t->history);
}

bool tree_poll_now(struct tree *t)
{
    const struct search_observer *o = t->observer;
    const uint64_t nodes = tree_nodes(t);
    const uint64_t left = nodes < t->node_limit ? t->node_limit - nodes : 0;
    if (left == 0)
        t->stopped = true;
    if (o->stop != NULL && o->stop(o->context))
        t->stopped = true;
    t->next_poll = t->nodes + (left < POLL_NODES ? left : POLL_NODES);
    return t->stopped;
}
