/* The `position` command: the root position of the next search, and the positions before it. */
#ifndef GRAYLING_UCI_POSITION_H
#define GRAYLING_UCI_POSITION_H

#include "history.h"
#include "uci_words.h"

struct uci_position {
    struct position position;
    struct history history;
};

/* Sets the initial position of chess. */
void uci_position_init(struct uci_position *p);

/* Parses "startpos|fen FEN [moves ...]", the words after `position`. An invalid position leaves `p`
 * unchanged. Moves are made up to the first illegal one. Both errors are noted, with the reason. */
void uci_position_read(struct uci_position *p, struct words *w, struct uci_text *notes);

#endif
