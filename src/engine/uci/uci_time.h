/* How much time a move may take, from what the clock shows. All times are milliseconds.
 *
 * Integer arithmetic on the request alone: the same request always gives the same limits. */
#ifndef GRAYLING_UCI_TIME_H
#define GRAYLING_UCI_TIME_H

#include <stdbool.h>
#include <stdint.h>

enum { TIME_OVERHEAD = 10, TIME_OVERHEAD_MAX = 5000 };

/* What `go` says of time, seen from the side to move. */
struct time_request {
    bool has_clock;    /* `left` (wtime or btime) was given */
    int64_t left;      /* on the clock; may be below 0, as a late answer makes it */
    int64_t increment; /* after each move */
    int64_t moves;     /* to the next time control; 0: the rest of the game */
    int64_t fixed;     /* movetime: take just so long; 0: not given */
    int64_t overhead;  /* what each move loses between the search and the clock */
};

/* No iteration begins after `soft`; the search ends at `hard`. 0 < soft <= hard, or both 0 when
 * time does not limit the search. */
struct time_limits {
    int64_t soft, hard;
};

struct time_limits time_limits_for(const struct time_request *r);

/* Whether an iteration that ended after `elapsed` is the last: the soft limit is stretched while
 * the best move still changes, and shrinks the longer it has stood (in iterations). A fixed time
 * (soft = hard) is used up. */
bool time_is_enough(const struct time_limits *limits, int64_t elapsed, int stable);

#endif
