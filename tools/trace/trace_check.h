/* Checks a command that speaks the trace protocol (docs/trace-protocol.md), for its author.
 *
 * The positions asked for are those given and the ones after each of their legal moves, as leaves of
 * a 1-ply search are. Each is asked for twice, the second time in reverse order: an evaluation that
 * remembers positions, or answers twice, gives other counts then. If the evaluation follows `set`, the
 * positions given are asked for again with all weights at ends of their ranges: counts must be the same, and
 * scores must follow. */
#ifndef GRAYLING_TRACE_CHECK_H
#define GRAYLING_TRACE_CHECK_H

#include "epd.h"
#include "trace_client.h"

#include <stdint.h>

struct trace_report {
    int64_t positions;                   /* checked; 0 if none has an evaluation */
    int64_t counts;                      /* not 0, of all positions */
    int64_t used[EVALUATOR_WEIGHTS_MAX]; /* positions in which each weight counts */
    double seconds;                      /* for these answers, two a position */
    bool settable;                       /* checked with other values too */
};

/* Asks for the positions. False, with the reason, at the first fault. */
bool trace_check_run(struct trace_client *client, const struct dataset *positions,
                     struct trace_report *report, struct error *err);

#endif
