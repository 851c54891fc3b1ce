/* Solving a test position, and the two counts of what it cost.
 *
 * - first: the nodes searched when a right move, its subtree complete, first becomes best at the
 *   root (david-2014, section IV). The move that merely stands first in the first iteration counts
 *   when that iteration ends with it still best.
 * - stable: the nodes at the last change to a right move that then stands until the search ends.
 *
 * A right move is one of bm where the position has any, and none of am. */
#ifndef GRAYLING_SOLVE_H
#define GRAYLING_SOLVE_H

#include "beal.h"
#include "epd.h"

#include <signal.h>

/* How far a position is searched; a zero is no limit of that sort, and one must not be zero. */
struct solve_limits {
    uint64_t nodes;
    int depth;        /* plies */
    int movetime;     /* milliseconds; results then depend on the machine */
    bool until_first; /* the search ends when `first` is known; `stable` then means nothing */
    const volatile sig_atomic_t *stop; /* not 0: give up; may be NULL */
};

/* When a right move came: nodes, iteration and time. All 0: never. */
struct solve_moment {
    uint64_t nodes;
    int depth;
    double seconds;
};

struct solved {
    struct solve_moment first, stable;
    Move best; /* the move at the end */
    int32_t score;
    int depth; /* the last iteration that was completed */
    uint64_t nodes;
    double seconds;
    bool abandoned; /* `stop` was set: nothing else means anything */
};

/* Whether `m` solves the position. */
bool solve_is_right(const struct epd *epd, Move m);

/* Searches the position from a clean engine. */
struct solved solve_position(struct engine *engine, const struct epd *epd,
                             const struct solve_limits *limits);

/* The same by Beal's search; `depth` of the limits are its iterations. */
struct solved solve_position_by_beal(struct beal *beal, const struct epd *epd,
                                     const struct solve_limits *limits);

/* What a position cost: the nodes at the moment, or the limit where it was not solved. */
uint64_t solve_cost(const struct solve_moment *moment, uint64_t limit);

#endif
