/* `position`: the board that the next search begins from, with what came before it. */
#ifndef GRAYLING_UCI_POSITION_H
#define GRAYLING_UCI_POSITION_H

#include "history.h"
#include "uci_words.h"

struct uci_position {
    struct position position;
    struct history history;
};

/* The initial position of a game. */
void uci_position_init(struct uci_position *p);

/* Takes "startpos|fen FEN [moves ...]", the words behind `position`. A position that is no position
 * leaves `p` as it was. Moves are played up to the first that is not legal. Both are noted, with
 * the reason. */
void uci_position_read(struct uci_position *p, struct words *w, struct uci_text *notes);

#endif
