/* A client of an evaluation that speaks the trace protocol (docs/trace-protocol.md): one process, over its standard
 * input and output.
 *
 *     trace_client_start --> trace 1 ... traceok       the weights are known and checked
 *     trace_client_ask ----> fen ... answers           many positions at once, answers in order
 *     trace_client_set ----> set ...                   other values, if the evaluation follows
 *     trace_client_stop ---> quit; then the process is killed
 *
 * Each answer is checked for linearity with the values that the evaluation uses. Nothing here waits for ever: each
 * answer has a limit. The first fault is an error that names command and position, and the client answers no more: an
 * evaluation that dies is not started again, because a run whose data depends on how often it died would not repeat.
 *
 * A client serves one thread at a time. Different clients share nothing. */
#ifndef GRAYLING_TRACE_CLIENT_H
#define GRAYLING_TRACE_CLIENT_H

#include "position.h"
#include "trace_protocol.h"

struct trace_client;

enum { TRACE_ANSWER_SECONDS = 10 };

struct trace_settings {
    const char *command; /* words as a shell would split them; found on the PATH or in /usr/games */
    double answer_seconds; /* patience for traceok and for each answer; 0: 10 s */
};

/* Starts the process and does the handshake. Copies the settings. NULL, with the reason, if the
 * command cannot be started, does not speak the protocol in time, or names bad weights. */
struct trace_client *trace_client_start(const struct trace_settings *settings, struct error *err);

/* Asks the process to quit; kills its group if it does not. Accepts NULL. */
void trace_client_stop(struct trace_client *c);

/* The weights of the handshake. Owned by the client. */
const struct trace_weights *trace_client_weights(const struct trace_client *c);

/* Moves the weights to the caller, who frees them. The client can only be stopped afterwards. */
struct trace_weights trace_client_take_weights(struct trace_client *c);

/* Receives the counts of a position, borrowed until it returns. Its false ends the call. */
typedef bool trace_taker(void *context, size_t index, const struct leaf_counts *counts);

/* Asks for the counts of all positions and hands them over in their order. False, with the reason,
 * if the process has a fault or an answer is wrong or not linear; also, without a reason, if `take`
 * ended the call, after which the client can be asked again. */
bool trace_client_ask(struct trace_client *c, const struct position *positions, size_t count,
                      trace_taker *take, void *context, struct error *err);

/* Sets each weight to its value, which is within its range; those of trace_client_weights are these then.
 * For evaluations that are `settable`. False, with the reason, if the process has a fault. */
bool trace_client_set(struct trace_client *c, const int32_t *values, struct error *err);

#endif
