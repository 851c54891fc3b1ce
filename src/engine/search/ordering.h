/* What the search learns of move ordering: killers (Akl and Newborn 1977), the history heuristic
 * (Schaeffer 1983), and history after the one or two moves before. */
#ifndef GRAYLING_ORDERING_H
#define GRAYLING_ORDERING_H

#include "engine.h"

enum {
    HISTORY_LIMIT = 16384, /* |history| is at most this */
    PIECE_SQUARES = 6 * 64 /* a kind of piece and a square that it goes to */
};

struct ordering {
    Move killers[MAX_PLY][2];    /* quiet moves that failed high at this ply, newest first */
    int16_t history[2][64 * 64]; /* by side, from and to */
    int16_t reply[2][PIECE_SQUARES][PIECE_SQUARES]; /* after the opponent's last move, after ours */
};

/* Where a piece goes, as an index of `reply`. */
static inline int piece_square(int kind, int square)
{
    return kind << 6 | square;
}

/* The moves before a node, by which `reply` is looked up: piece_square of the last and of the last
 * but one, or -1 where there was none or a null move. */
struct context {
    int before[2];
};

void ordering_clear(struct ordering *o);

/* How well a quiet move has done, from -3 to 3 times HISTORY_LIMIT. */
static inline int ordering_score(const struct ordering *o, const struct position *p,
                                 const struct context *c, Move m)
{
    int piece = piece_square(p->board[move_from(m)], move_to(m));
    int score = o->history[p->side][m & 4095];
    for (int i = 0; i < 2; i++)
        if (c->before[i] >= 0)
            score += o->reply[i][c->before[i]][piece];
    return score;
}

/* Rewards the quiet move that failed high at `depth` quarter plies, and punishes those tried before
 * it. */
void ordering_reward(struct ordering *o, const struct position *p, const struct context *c, int ply,
                     int depth, Move best, const Move *tried, int count);

#endif
