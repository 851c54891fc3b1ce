/* What to search, and for how long: the commands `position` and `go`, the time for a move, and the text that
 * commands answer with. */
#ifndef GRAYLING_UCI_GO_H
#define GRAYLING_UCI_GO_H

#include "engine.h"
#include "parse.h"

/* ---- answers ---- */

/* A buffer for output lines. Text that does not fit is dropped. */
struct uci_text {
    char text[2048];
    int length;
};

void uci_text_add(struct uci_text *t, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Adds a line "info string ...", with unprintable bytes replaced by spaces. If it does not fit,
 * nothing is added. */
void uci_note(struct uci_text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* ---- position: the root of the next search, and the positions before it ---- */

struct uci_position {
    struct position position;
    struct history history;
};

/* Sets the initial position of chess. */
void uci_position_init(struct uci_position *p);

/* Parses "startpos|fen FEN [moves ...]", the words after `position`. An invalid position leaves `p`
 * unchanged. Moves are made up to the first illegal one. Both errors are noted, with the reason. */
void uci_position_read(struct uci_position *p, struct words *w, struct uci_text *notes);

/* ---- time for a move: integer arithmetic on the request alone, in milliseconds ---- */

enum { TIME_OVERHEAD = 10, TIME_OVERHEAD_MAX = 5000 };

/* The time settings of `go`, for the side to move. */
struct time_request {
    bool has_clock;    /* `left` (wtime or btime) was given */
    int64_t left;      /* on the clock; negative after a late answer */
    int64_t increment; /* after each move */
    int64_t moves;     /* moves to the next time control; 0: the rest of the game */
    int64_t fixed;     /* movetime: use exactly this time; 0: not given */
    int64_t overhead;  /* lost on each move between the engine and the clock */
};

/* No iteration starts after `soft`, as far as the best move stretches or shortens it (time_is_enough);
 * the search ends at `hard`. 0 < soft <= hard, or both 0 if there is no time limit. */
struct time_limits {
    int64_t soft, hard;
    bool fixed; /* movetime: `hard` is always used up */
};

struct time_limits time_limits_for(const struct time_request *r);

/* Whether to stop after an iteration that ended at `elapsed`. The soft limit grows while the best
 * move changes, and shrinks with the number of iterations (`stable`) that it has not changed. */
bool time_is_enough(const struct time_limits *limits, int64_t elapsed, int stable);

/* ---- go ---- */

struct uci_go {
    /* Limits; 0: none. Without a depth, a mate search ends some plies beyond the mate length. `perft`
     * counts the leaves of the move tree at this depth instead of searching. */
    int64_t nodes, depth, mate, perft;
    int64_t clock[2],
        increment[2]; /* by colour, milliseconds; a clock of UCI_NO_CLOCK is not given */
    int64_t moves_to_go, move_time;
    bool infinite;         /* requested, or nothing given: the search runs until stopped */
    bool refused;          /* no limit given, but words that are unreadable: search nothing */
    bool ponder;           /* the limits count from ponderhit on */
    Move moves[MAX_MOVES]; /* searchmoves */
    int move_count;        /* 0: all */
};

#define UCI_NO_CLOCK INT64_MIN

/* Parses the words after `go`. Clamps numbers to usable ranges. Skips and notes unreadable words,
 * and moves that are illegal in `p`. If no limit remains beside such words, the request is refused,
 * so that a misspelt limit does not start a search without end. */
void uci_go_read(struct uci_go *go, const struct position *p, struct words *w,
                 struct uci_text *notes);

/* The time available to the side to move. */
struct time_request uci_go_time(const struct uci_go *go, enum color side, int64_t overhead);

#endif
