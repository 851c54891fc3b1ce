/* The value of a position by minimax alone: no window, no table, no order of moves. What the plain
 * search must find. */
#ifndef GRAYLING_MINIMAX_H
#define GRAYLING_MINIMAX_H

#include "endgames.h"
#include "evaluation.h"
#include "game_end.h"
#include "quiesce.h"

#include <string.h>

/* A game and the line searched after it, every position of it kept. */
struct game {
    struct position at[400];
    int last; /* index of the present position */
    int root; /* of the position that is searched */
};

static inline void game_start(struct game *g, const struct position *p)
{
    g->at[0] = *p;
    g->last = g->root = 0;
}

static inline void game_play(struct game *g, Move m)
{
    struct undo undo;
    g->at[g->last + 1] = g->at[g->last];
    position_make(&g->at[++g->last], m, &undo);
}

/* The same position to a repetition, without asking its key. */
static inline bool same_position(const struct position *a, const struct position *b)
{
    return memcmp(a->by_kind, b->by_kind, sizeof a->by_kind) == 0 &&
           memcmp(a->by_color, b->by_color, sizeof a->by_color) == 0 && a->side == b->side &&
           a->castling == b->castling && a->ep == b->ep;
}

/* Once since the root, or twice before it. */
static inline bool is_repetition(const struct game *g)
{
    const struct position *p = &g->at[g->last];
    int before = 0;
    for (int i = g->last - 1; i >= 0 && i >= g->last - p->halfmove; i--)
        if (same_position(p, &g->at[i]) && (i >= g->root || ++before == 2))
            return true;
    return false;
}

/* The static score in centipawns, as a search has it. */
static inline int32_t static_value(const struct position *p, const struct evaluation *e)
{
    const int32_t exact = evaluation_exact(e, p) / evaluation_scale(e->kind);
    const int32_t score = exact >= EVAL_LIMIT    ? EVAL_LIMIT - 1
                          : exact <= -EVAL_LIMIT ? 1 - EVAL_LIMIT
                                                 : exact;
    return e->kind == EVALUATION_MODERN ? endgame_score(p, score) : score;
}

/* The value of a node of quiescence, `depth` plies into it and `ply` plies from the root. */
static inline int32_t quiet_value(struct position p, const struct evaluation *e, int depth, int ply,
                                  int target)
{
    struct move_list list;
    const enum quiesce_status status = quiesce_moves(&p, depth, target, &list);
    int32_t best = status == QUIESCE_STAND_PAT ? static_value(&p, e) : -INFINITE_SCORE;
    if (status == QUIESCE_MATED || status == QUIESCE_DRAWN)
        return status == QUIESCE_MATED ? -MATE + ply : 0;
    for (int i = 0; i < list.count; i++) {
        struct position next = p;
        struct undo undo;
        position_make(&next, list.moves[i], &undo);
        const int32_t value = -quiet_value(next, e, depth + 1, ply + 1, move_to(list.moves[i]));
        best = value > best ? value : best;
    }
    return best;
}

/* The value of a leaf of the search. Mates count from the root. */
static inline int32_t leaf_value(const struct position *leaf, const struct evaluation *e, int ply)
{
    return quiet_value(*leaf, e, 0, ply, NO_SQUARE);
}

static inline int32_t minimax(struct game *g, const struct evaluation *e, int depth)
{
    const struct position *p = &g->at[g->last];
    struct move_list list;
    int ply = g->last - g->root;
    int32_t best = -INFINITE_SCORE;
    movegen_legal(p, &list);
    if (is_repetition(g) || position_insufficient_material(p))
        return 0;
    if (list.count == 0)
        return position_in_check(p) ? -MATE + ply : 0;
    if (p->halfmove >= 100)
        return 0;
    if (depth == 0)
        return leaf_value(p, e, ply);
    for (int i = 0; i < list.count; i++) {
        game_play(g, list.moves[i]);
        int32_t value = -minimax(g, e, depth - 1);
        g->last--;
        best = value > best ? value : best;
    }
    return best;
}

/* The value of one move at the root. */
static inline int32_t minimax_move(struct game *g, const struct evaluation *e, Move m, int depth)
{
    g->root = g->last;
    game_play(g, m);
    int32_t value = -minimax(g, e, depth - 1);
    g->last--;
    return value;
}

/* The game as the search knows it. */
static inline struct history game_history(const struct game *g)
{
    struct history h;
    history_init(&h);
    for (int i = 0; i < g->last; i++)
        history_push(&h, &g->at[i]);
    return h;
}

#endif
