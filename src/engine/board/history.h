/* The keys of the positions before this one, for repetition and the fifty-move rule. */
#ifndef GRAYLING_HISTORY_H
#define GRAYLING_HISTORY_H

#include "position.h"

/* A ring buffer of position keys. Only those since the last irreversible move are read; halfmove
 * says how many. A plain value: copy it freely. */
struct history {
    uint64_t keys[256];
    unsigned count; /* positions pushed so far, without the current one */
};

void history_init(struct history *h);

/* Push the current position before each move; pop when the move is unmade. */
void history_push(struct history *h, const struct position *p);
void history_pop(struct history *h);

/* How often the current position occurred before (0: never). */
int history_repetitions(const struct history *h, const struct position *p);

/* Whether a search `ply` plies below its root treats the current position as a draw by repetition:
 * it occurred once since the root, or twice before. */
bool history_draws(const struct history *h, const struct position *p, int ply);

/* Fifty moves by each side without a capture or pawn move. Test for mate first: it takes
 * precedence. */
bool history_fifty_moves(const struct position *p);

#endif
