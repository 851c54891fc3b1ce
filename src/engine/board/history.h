/* The keys of the positions before this one, for repetition and the fifty-move rule. */
#ifndef GRAYLING_HISTORY_H
#define GRAYLING_HISTORY_H

#include "position.h"

/* A ring of the last positions' keys; only those since the last irreversible move are asked for,
 * and halfmove says how many. A value: copy it freely. */
struct history {
    uint64_t keys[256];
    unsigned count; /* positions pushed so far, the present one not included */
};

void history_init(struct history *h);

/* Call before a move is made, with the position as it stands, and pop when it is taken back. */
void history_push(struct history *h, const struct position *p);
void history_pop(struct history *h);

/* How often the present position has stood on the board before (0: never). */
int history_repetitions(const struct history *h, const struct position *p);

/* Whether the present position, `ply` plies below the root of a search, is a draw by repetition to
 * that search: it has stood on the board since the root, or twice before. */
bool history_draws(const struct history *h, const struct position *p, int ply);

/* Fifty moves by each side without a capture or pawn move. Mate takes precedence: ask for it
 * first. */
bool history_fifty_moves(const struct position *p);

#endif
