/* The time for a move: integer arithmetic on the request alone, in milliseconds. */
#ifndef GRAYLING_MOVE_TIME_H
#define GRAYLING_MOVE_TIME_H

#include <stdbool.h>
#include <stdint.h>

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

#endif
