#include "ordering.h"

#include <string.h>

void ordering_clear(struct ordering *o)
{
    memset(o, 0, sizeof *o);
}

/* Adds a bonus to an entry; the bonus shrinks as the entry nears the limit. */
static void update_entry(int16_t *entry, int bonus)
{
    int size = bonus < 0 ? -bonus : bonus;
    *entry = (int16_t)(*entry + bonus - *entry * size / HISTORY_LIMIT);
}

/* Updates the entries of one move in every table. */
static void update_move(struct ordering *o, const struct position *p, const struct context *c,
                        Move m, int bonus)
{
    int piece = piece_square(p->board[move_from(m)], move_to(m));
    update_entry(&o->history[p->side][m & 4095], bonus);
    for (int i = 0; i < 2; i++)
        if (c->before[i] >= 0)
            update_entry(&o->continuation[i][c->before[i]][piece], bonus);
}

static void add_killer(struct ordering *o, int ply, Move m)
{
    if (o->killers[ply][0] == m)
        return;
    o->killers[ply][1] = o->killers[ply][0];
    o->killers[ply][0] = m;
}

void ordering_reward_history(struct ordering *o, const struct position *p, const struct context *c,
                             int depth, Move best, const Move *tried, int count)
{
    int plies = depth / PLY + 1;
    int bonus = plies > 12 ? 1600 : 16 * plies * plies > 1600 ? 1600 : 16 * plies * plies;
    update_move(o, p, c, best, bonus);
    for (int i = 0; i < count; i++)
        update_move(o, p, c, tried[i], -bonus);
}

void ordering_reward(struct ordering *o, const struct position *p, const struct context *c, int ply,
                     int depth, Move best, const Move *tried, int count)
{
    add_killer(o, ply, best);
    ordering_reward_history(o, p, c, depth, best, tried, count);
}
