#include "history.h"

enum { RING = sizeof((struct history *)0)->keys / sizeof(uint64_t) };

void history_init(struct history *h)
{
    *h = (struct history){.count = 0};
}

void history_push(struct history *h, const struct position *p)
{
    h->keys[h->count++ % RING] = p->key;
}

void history_pop(struct history *h)
{
    h->count--;
}

/* Compares positions since the last irreversible move with the same side to move. The first
 * possible repetition is four plies back. */
int history_repetitions(const struct history *h, const struct position *p)
{
    unsigned reversible = p->halfmove < h->count ? p->halfmove : h->count;
    int repetitions = 0;
    for (unsigned back = 4; back <= reversible; back += 2)
        repetitions += h->keys[(h->count - back) % RING] == p->key;
    return repetitions;
}

bool history_draws(const struct history *h, const struct position *p, int ply)
{
    unsigned reversible = p->halfmove < h->count ? p->halfmove : h->count;
    int before = 0;
    for (unsigned back = 4; back <= reversible; back += 2)
        if (h->keys[(h->count - back) % RING] == p->key && ((int)back <= ply || ++before == 2))
            return true;
    return false;
}

bool history_fifty_moves(const struct position *p)
{
    return p->halfmove >= 100;
}
