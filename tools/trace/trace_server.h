/* Our evaluation as a server of the trace protocol (docs/trace-protocol.md), for `grayling trace`. */
#ifndef GRAYLING_TRACE_SERVER_H
#define GRAYLING_TRACE_SERVER_H

#include "evaluation.h"

#include <stdbool.h>
#include <stddef.h>

/* Answers lines from the descriptor `in` until `quit` or the end of the input, with the scores of
 * these weights. Answers are written in large pieces, before the server waits for more input. False,
 * with the reason, if `out` takes no more. */
bool trace_server_run(const struct evaluation *e, int in, int out, struct error *err);

#endif
