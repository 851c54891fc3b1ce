/* `go`: what is to be searched, and for how long. */
#ifndef GRAYLING_UCI_GO_H
#define GRAYLING_UCI_GO_H

#include "engine.h"
#include "uci_time.h"
#include "uci_words.h"

struct uci_go {
    uint64_t nodes;  /* 0: no limit, here and below */
    int depth, mate; /* without a depth, looking for a mate ends some plies beyond its length */
    int64_t clock[2], increment[2]; /* by colour, milliseconds */
    bool has_clock[2];
    int64_t moves_to_go, move_time;
    bool infinite;         /* asked for, or without any limit: goes on until it is stopped */
    bool ponder;           /* the limits count from ponderhit */
    Move moves[MAX_MOVES]; /* searchmoves */
    int move_count;        /* 0: all */
};

/* Takes the words behind `go`. Numbers are brought within what can be used; what cannot be read,
 * and moves that are not legal in `p`, are noted and left out. */
void uci_go_read(struct uci_go *go, const struct position *p, struct words *w,
                 struct uci_text *notes);

/* What the clock of the side to move allows. */
struct time_request uci_go_time(const struct uci_go *go, enum color side, int64_t overhead);

#endif
