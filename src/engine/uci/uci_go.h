/* The `go` command: what to search, and for how long. */
#ifndef GRAYLING_UCI_GO_H
#define GRAYLING_UCI_GO_H

#include "engine.h"
#include "uci_time.h"
#include "uci_words.h"

struct uci_go {
    uint64_t nodes;  /* 0: no limit; the same for the fields below */
    int depth, mate; /* without a depth, a mate search ends some plies beyond the mate length */
    int perft;       /* count the leaves of the move tree at this depth instead of searching */
    int64_t clock[2], increment[2]; /* by colour, milliseconds */
    bool has_clock[2];
    int64_t moves_to_go, move_time;
    bool infinite;         /* requested, or nothing given: the search runs until stopped */
    bool refused;          /* no limit given, but words that are unreadable: search nothing */
    bool ponder;           /* the limits count from ponderhit on */
    Move moves[MAX_MOVES]; /* searchmoves */
    int move_count;        /* 0: all */
};

/* Parses the words after `go`. Clamps numbers to usable ranges. Skips and notes unreadable words,
 * and moves that are illegal in `p`. If no limit remains beside such words, the request is refused,
 * so that a misspelt limit does not start a search without end. */
void uci_go_read(struct uci_go *go, const struct position *p, struct words *w,
                 struct uci_text *notes);

/* The time available to the side to move. */
struct time_request uci_go_time(const struct uci_go *go, enum color side, int64_t overhead);

#endif
