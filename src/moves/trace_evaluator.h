/* An evaluation over the trace protocol as an evaluator (evaluator.h): each worker has a process of
 * its own (trace_client.h). */
#ifndef GRAYLING_TRACE_EVALUATOR_H
#define GRAYLING_TRACE_EVALUATOR_H

#include "evaluator.h"
#include "trace_client.h"

struct trace_evaluator_source;

/* Starts the command once, to learn and check its weights and what it says about some positions, and ends
 * it. Copies the settings. NULL,
 * with the reason, as trace_client_start. */
struct trace_evaluator_source *trace_evaluator_source_create(const struct trace_settings *settings,
                                                             struct error *err);
void trace_evaluator_source_destroy(struct trace_evaluator_source *s); /* accepts NULL */

/* The weights and the scale. Owned by the source. */
const struct trace_weights *trace_evaluator_source_weights(const struct trace_evaluator_source *s);

/* How workers get their evaluators. Each starts a process, which must name the weights, with values
 * and ranges, that the source has, and give the same counts for these positions. Borrows the source. */
struct evaluator_source trace_evaluator_source(const struct trace_evaluator_source *s);

#endif
