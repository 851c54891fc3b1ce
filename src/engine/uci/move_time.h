/* The time for a move: integer arithmetic on the request alone, in milliseconds. */
#ifndef GRAYLING_MOVE_TIME_H
#define GRAYLING_MOVE_TIME_H

#include "engine.h"

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

/* What the iterations of a search say of its best move. All zero at first. */
struct time_signs {
    bool told;     /* an iteration is complete */
    Move best;     /* its first move */
    int32_t score; /* its score */
    int stable;    /* iterations since that move changed */
    int effort;    /* percentage of the nodes below it */
    int fall;      /* of the score since the iteration before, in the unit of the search */
};

/* Takes the first line of an iteration. */
void time_take_line(struct time_signs *signs, const struct search_line *line);

/* Whether to stop after an iteration that ended at `elapsed`. The soft limit grows while the best move changes, while
 * others take many of the nodes and while the score falls. */
bool time_is_enough(const struct time_limits *limits, int64_t elapsed,
                    const struct time_signs *signs);

#endif
