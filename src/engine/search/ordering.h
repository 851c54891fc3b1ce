/* Move-ordering statistics: killers (Akl and Newborn 1977), the history heuristic (Schaeffer 1983),
 * and continuation history after each of the last two moves. */
#ifndef GRAYLING_ORDERING_H
#define GRAYLING_ORDERING_H

#include "engine.h"

enum {
    HISTORY_LIMIT = 16384, /* |history| is at most this */
    PIECE_SQUARES = 6 * 64 /* a piece kind and its destination square */
};

struct ordering {
    Move killers[MAX_PLY][2];    /* quiet moves that failed high at this ply, newest first */
    int16_t history[2][64 * 64]; /* by side, and by from and to square */
    int16_t continuation[2][PIECE_SQUARES][PIECE_SQUARES]; /* after their last move, after ours */
};

/* The index of a piece and its destination square in `continuation`. */
static inline int piece_square(int kind, int square)
{
    return kind << 6 | square;
}

/* The moves before a node, which index `continuation`: piece_square of the last move and of the one
 * before it, or -1 for a null move or no move. */
struct context {
    int before[2];
};

void ordering_clear(struct ordering *o);

/* The history score of a quiet move, from -3 to 3 times HISTORY_LIMIT. */
static inline int ordering_score(const struct ordering *o, const struct position *p,
                                 const struct context *c, Move m)
{
    int piece = piece_square(p->board[move_from(m)], move_to(m));
    int score = o->history[p->side][m & 4095];
    for (int i = 0; i < 2; i++)
        if (c->before[i] >= 0)
            score += o->continuation[i][c->before[i]][piece];
    return score;
}

/* Rewards the quiet move that failed high at `depth` quarter plies, and penalises the `tried` moves
 * before it. */
void ordering_reward(struct ordering *o, const struct position *p, const struct context *c, int ply,
                     int depth, Move best, const Move *tried, int count);

/* The same in the history alone: the move is no killer. */
void ordering_reward_history(struct ordering *o, const struct position *p, const struct context *c,
                             int depth, Move best, const Move *tried, int count);

#endif
